/** Disabling, exporting and erasing an account, as an operator does it. */
import { expect, test } from 'vitest'
import { findUnbalancedAccounts } from '../src/credits/index.ts'
import { findTokenHolder } from '../src/oauth/index.ts'
import { disableAccount, enableAccount } from '../src/privacy/index.ts'
import { forgetAddressesJob } from '../src/privacy/jobs.ts'
import { connectAgent, redeem } from './setup/agent-walk.ts'
import { useTestService } from './setup/harness.ts'
import { rename, subscribe } from './setup/webhooks.ts'

const it = useTestService()

const statusOf = async (credential: { key: string } | { token: string }) => {
  const { status, body } = await it.call('GET', '/v1/auth/me', credential)
  return [status, body.code]
}

test('a disabled account can do nothing from that moment on, and nothing is sent for it', async () => {
  const account = await it.openAccount({ credits: 5 })
  const { company, receiver, id } = await subscribe(it, { account })
  const { tokens, clientId } = await connectAgent(it, account)
  const disabled = await it.run('account', 'disable', account.email, '--json')
  expect([disabled.code, JSON.parse(disabled.stdout)]).toEqual([0, expect.objectContaining({ changed: true })])
  expect(await statusOf({ key: account.key })).toEqual([401, 'account_disabled'])
  expect(await statusOf({ key: account.testKey })).toEqual([401, 'account_disabled'])
  expect(await statusOf({ token: account.token })).toEqual([401, 'invalid_credentials'])
  expect(await findTokenHolder(it.app, tokens.access_token)).toBeNull()
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId }
  expect((await redeem(it, form)).status).toBe(400)
  const { email, password } = account
  const login = await it.call('POST', '/v1/auth/login', { body: { email, password } })
  expect([login.status, login.body.code]).toEqual([401, 'account_disabled'])
  const wrong = await it.call('POST', '/v1/auth/login', { body: { email, password: 'not the password at all' } })
  expect(wrong.body.code).toBe('invalid_credentials')
  const before = receiver.arrived
  await rename(it, company)
  await it.settle()
  expect(receiver.arrived).toBe(before)

  expect(await enableAccount(it.app, account.id)).toBe(true)
  expect(await statusOf({ key: account.key })).toEqual([200, undefined])
  // Sessions and connections of before stay ended.
  expect(await statusOf({ token: account.token })).toEqual([401, 'invalid_credentials'])
  const destination = await it.call('GET', '/v1/partner/webhooks', { key: account.key })
  expect(destination.body.data.find((one: { id: number }) => one.id === id)).toMatchObject({ status: 'active' })
  await rename(it, company)
  await it.settle()
  expect(receiver.arrived).toBe(before + 1)
})

test('an export holds every row about the account, and no secret', async () => {
  const account = await it.openAccount({ credits: 3 })
  const { secret } = await subscribe(it, { account })
  const files = ['Domain\none.co.uk\n', 'Domain\ntwo.co.uk\n']
  for (const rawBody of files) {
    const headers = { 'content-type': 'text/csv' }
    expect((await it.call('POST', '/v1/bulk/files', { key: account.key, rawBody, headers })).status).toBe(201)
  }
  const exported = await it.run('account', 'export', account.id)
  expect(exported.code).toBe(0)
  const lines = exported.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: object })
  expect(lines.find(({ table }) => table === 'account')?.row).toMatchObject({ id: account.id, email: account.email })
  for (const file of files) expect(exported.stdout).toContain(Buffer.from(file).toString('hex'))
  for (const table of ['audit_event', 'ledger_entry', 'watch', 'webhook_destination', 'api_key'])
    expect(lines.map((line) => line.table)).toContain(table)
  for (const hidden of [account.key, account.testKey, secret, 'sealed', 'password_hash', '"hash"'])
    expect(exported.stdout).not.toContain(hidden)
})

test('an erased account leaves no name, address or typed text behind, and the books still add up', async () => {
  const account = await it.openAccount({ credits: 4 })
  const { email, key } = account
  const typed = `www.typed-by-${account.id.slice(-6).toLowerCase()}.co.uk`
  await subscribe(it, { account })
  await it.call('POST', '/v1/enrich', { key, body: { domain: typed } })
  await it.call('POST', '/v1/bulk', { key, body: { name: `List of ${email}`, domains: [typed] } })
  await it.call('POST', '/v1/auth/forgot-password', { body: { email } })
  await connectAgent(it, account)
  await it.settle()
  const counted = () =>
    it.app.db.query(
      `select (select count(*) from ledger_entry where account_id = $1) as entries,
         (select sum(balance_delta) from ledger_entry where account_id = $1) as sum,
         (select count(*) from audit_event where account_id = $1 and action not like 'account_%') as events`,
      [account.id],
    )
  const before = await counted()
  const refused = await it.run('account', 'erase', email)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--yes')])
  const erased = await it.run('account', 'erase', email, '--yes', '--json')
  expect([erased.code, erased.stderr]).toEqual([0, ''])
  expect(await counted()).toEqual(before)
  expect(await findUnbalancedAccounts(it.app.db)).toEqual([])
  for (const trace of [email, email.split('@')[0] ?? '', typed, account.key])
    expect(await listTraces(trace)).toEqual([])
  const named = await it.app.db.query('select from credit_hold where account_id = $1 and subject is not null', [
    account.id,
  ])
  expect(named).toEqual([])
  const addresses = await it.app.db.query('select ip from audit_event where account_id = $1 and ip is not null', [
    account.id,
  ])
  expect(addresses).toEqual([])
  expect(await statusOf({ key })).toEqual([401, 'invalid_credentials'])
  expect((await it.run('account', 'erase', account.id, '--yes')).code).toBe(0)
  expect((await it.run('account', 'enable', account.id)).stderr).toContain('erased')
  // The mailbox is free for a new account.
  const again = await it.call('POST', '/v1/auth/signup', { body: { email, password: account.password } })
  expect(again.status).toBe(201)
})

/** Tables with a row in which this text is found, in our schema and the job engine's. Shared answers about sites stay. */
async function listTraces(text: string): Promise<string[]> {
  const tables = await it.app.db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'
       and table_name not in ('resolution', 'known_domain', 'resolution_work', 'webhook_event')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await it.app.db.query(
      `select from ${name} t where strpos(lower(to_jsonb(t)::text), lower($1)) > 0 limit 1`,
      [text],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('the audit trail and decisions can be changed in no other way than forgetting', async () => {
  const account = await it.openAccount()
  await it.app.db.query(
    `insert into audit_event (at, account_id, action, outcome, ip, request_id, details)
     values (now(), $1, 'login', 'success', '192.0.2.7', 'req_1', '{"plan":"free"}')`,
    [account.id],
  )
  const change = (text: string) => it.app.db.query(`${text} where account_id = $1`, [account.id])
  await expect(change(`update audit_event set action = 'signup', ip = null`)).rejects.toThrow('append-only')
  await expect(change(`update audit_event set ip = '192.0.2.8'`)).rejects.toThrow('append-only')
  await expect(change(`update audit_event set ip = null, details = '{}'`)).rejects.toThrow('append-only')
  await expect(change('delete from audit_event')).rejects.toThrow('append-only')
  await expect(change('update audit_event set ip = null')).rejects.toThrow('append-only')
  await change('update audit_event set ip = null, user_agent = null, origin_salt = null')
  await disableAccount(it.app, account.id)
  await expect(change(`update audit_event set details = '{}'`)).rejects.toThrow('append-only')
})

test('network addresses are forgotten after their time, and the events stay', async () => {
  const account = await it.signUp()
  const events = () =>
    it.app.db.query<{ ip: string | null }>('select ip from audit_event where account_id = $1', [account.id])
  const before = await events()
  expect(before.some(({ ip }) => ip !== null)).toBe(true)
  await runJob()
  expect(await events()).toEqual(before)
  it.clock.advance(91 * 86_400)
  await runJob()
  await runJob()
  expect(await events()).toEqual(before.map(() => ({ ip: null })))
})

async function runJob(): Promise<void> {
  await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, forgetAddressesJob, {}))
  await it.settle()
}

test('accounts are listed newest first, with their state', async () => {
  const account = await it.openAccount()
  await disableAccount(it.app, account.id)
  const listed = await it.run('account', 'list', '--disabled', '--limit', '1', '--json')
  expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ account_id: account.id, state: 'disabled' })])
})

test('an operator ends one key at once; where it was the current one, another takes its place', async () => {
  const account = await it.openAccount()
  const [key] = await it.app.db.query<{ id: string }>(
    `select id from api_key where account_id = $1 and mode = 'live'`,
    [account.id],
  )
  const revoked = await it.run('key', 'revoke', account.email, key?.id ?? '', '--json')
  expect([revoked.code, JSON.parse(revoked.stdout)]).toEqual([0, expect.objectContaining({ replaced: true })])
  expect(await statusOf({ key: account.key })).toEqual([401, 'invalid_credentials'])
  expect(await statusOf({ key: account.testKey })).toEqual([200, undefined])
  expect((await it.run('key', 'revoke', account.email, key?.id ?? '')).code).toBe(1)
})
