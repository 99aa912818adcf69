/** The audit log cannot be changed unseen, and what people may have removed can be removed without breaking it. */
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameAct, recordAudit, verifyAudit } from '../src/accounts/index.ts'
import { forgetAddressesJob } from '../src/privacy/index.ts'
import { type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService()

const verify = (accountId: string | null, addressDays = 90) => {
  const addressesBefore = new Date(it.clock.now().getTime() - addressDays * 86_400_000)
  return verifyAudit(it.app.db, { accountId, addressesBefore, onProgress: () => {} })
}

/** An account with a log of some length. */
async function openLog(): Promise<TestAccount> {
  const account = await it.signUp()
  for (const accepts of [false, true, false, true, false]) {
    await it.call('PATCH', '/v1/account/settings', { token: account.token, body: { second_reader: accepts } })
  }
  return account
}

/** Changes the table as a person with all rights on the database can. */
async function tamper(text: string, params: unknown[]): Promise<void> {
  await it.app.db.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`)
    await tx.query(text, params)
  })
}

const describeProblems = async (accountId: string) =>
  (await verify(accountId)).problems.map(({ kind, seq }) => `${kind} ${seq}`)

test('the log says who did what, when, from where, and what it was before and after', async () => {
  const account = await openLog()
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' }
  const body = { second_reader: true }
  await it.call('PATCH', '/v1/account/settings', { key: account.key, body, headers })
  const [last] = await it.app.db.query(
    `select action, outcome, mode, actor_kind, actor_id like 'key_%' as by_key, ip is not null as has_ip, user_agent,
       request_id is not null as has_request, before, after
     from audit_event where account_id = $1 order by seq desc limit 1`,
    [account.id],
  )
  expect(last).toEqual({
    action: 'second_reader_changed',
    outcome: 'success',
    mode: 'live',
    actor_kind: 'api_key',
    by_key: true,
    has_ip: true,
    user_agent: 'Firefox 132 on Linux',
    has_request: true,
    before: { second_reader: false },
    after: { second_reader: true },
  })
  const wrong = { email: account.email, password: 'not the password' }
  await it.call('POST', '/v1/auth/login', { body: wrong })
  const [failed] = await it.app.db.query<{ action: string; outcome: string; actor_kind: string }>(
    'select action, outcome, actor_kind from audit_event where account_id = $1 order by seq desc limit 1',
    [account.id],
  )
  expect(failed).toEqual({ action: 'login', outcome: 'failure', actor_kind: 'unknown' })
  expect(nameAct('login', 'failure')).toBe('Sign-in failed')
})

test('a log as it was written is intact, for one account and for all', async () => {
  const account = await openLog()
  const one = await verify(account.id)
  expect(one).toMatchObject({ accounts: 1, entries: 8, problems: [] })
  expect(one.head?.hash).toMatch(/^[0-9a-f]{64}$/)
  expect((await verify(null)).problems).toEqual([])
})

test.each([
  ['the act', `action = 'signup'`],
  ['the time', `at = at + interval '1 microsecond'`],
  ['the outcome', `outcome = 'failure'`],
  ['the actor', `actor_kind = 'operator'`],
  ['the address', `ip = '203.0.113.9'`],
  ['the address removed before its time', 'ip = null, user_agent = null, origin_salt = null'],
  ['the browser', `user_agent = 'Firefox 1 on Windows'`],
  ['the value before', `before = '{"second_reader": null}'`],
  ['the value after', 'after = before'],
  ['the details', `details = '{"by": "another"}'`],
  ['the request', `request_id = 'req_other'`],
  [
    'what it is about, without its salt',
    `details = '{}', before = null, after = null, request_id = null, content_salt = null`,
  ],
])('an edited row is found and named: %s', async (_what, change) => {
  const account = await openLog()
  await tamper(`update audit_event set ${change} where account_id = $1 and seq = 5`, [account.id])
  expect(await describeProblems(account.id)).toEqual(['edited 5'])
  const ran = await it.run('audit', 'verify', account.id, '--json')
  expect([ran.code, JSON.parse(ran.stdout).found]).toEqual([1, 1])
  // The other chains are as they were.
  expect((await verify(null)).problems.every(({ accountId, kind }) => accountId !== '' && kind === 'edited')).toBe(true)
})

test.each([
  ['the first', 1, 'removed 1'],
  ['one in the middle', 4, 'removed 4'],
  ['the last', 8, 'removed 8'],
])('a removed row is found: %s', async (_which, seq, found) => {
  const account = await openLog()
  await tamper('delete from audit_event where account_id = $1 and seq = $2', [account.id, seq])
  expect(await describeProblems(account.id)).toEqual([found])
})

test('all rows of an account removed are found', async () => {
  const account = await openLog()
  await tamper('delete from audit_event where account_id = $1', [account.id])
  expect((await verify(null)).problems).toContainEqual(
    expect.objectContaining({ accountId: account.id, kind: 'removed', words: 'all entries are missing' }),
  )
})

test('a row removed with the numbers closed up behind it is found', async () => {
  const account = await openLog()
  await tamper('delete from audit_event where account_id = $1 and seq = 4', [account.id])
  await tamper('update audit_event set seq = -seq where account_id = $1 and seq > 4', [account.id])
  await tamper('update audit_event set seq = -seq - 1 where account_id = $1 and seq < 0', [account.id])
  await tamper('update audit_chain set entries = 7 where account_id = $1', [account.id])
  expect(await describeProblems(account.id)).toEqual(['edited 3'])
})

test('two rows in the wrong order are found', async () => {
  const account = await openLog()
  const swap = [
    'update audit_event set seq = 1000 where account_id = $1 and seq = 4',
    'update audit_event set seq = 4 where account_id = $1 and seq = 5',
    'update audit_event set seq = 5 where account_id = $1 and seq = 1000',
  ]
  for (const text of swap) await tamper(text, [account.id])
  expect(await describeProblems(account.id)).toEqual(['reordered 4'])
})

test.each([
  ['with copied hashes', ''],
  ['that hashes to what it says', 'honest'],
])('an inserted row is found: %s', async (_how, kind) => {
  const account = await openLog()
  await tamper('update audit_event set seq = -seq where account_id = $1 and seq > 4', [account.id])
  await tamper('update audit_event set seq = -seq + 1 where account_id = $1 and seq < 0', [account.id])
  await tamper('update audit_chain set entries = 9 where account_id = $1', [account.id])
  await tamper(
    `insert into audit_event (at, account_id, action, outcome, details, mode, actor_kind, seq, origin_salt, origin_hash,
       content_salt, content_hash, previous_hash, entry_hash)
     select at, account_id, 'api_key_shown', outcome, details, mode, actor_kind, 5, origin_salt, origin_hash, content_salt,
       content_hash, entry_hash, sha256(entry_hash) from audit_event where account_id = $1 and seq = 4`,
    [account.id],
  )
  if (kind === 'honest') await forge(account.id, 5)
  expect(await describeProblems(account.id)).toEqual(['inserted 5'])
})

/** Gives a row the hashes that its content would have. */
async function forge(accountId: string, seq: number): Promise<void> {
  await tamper(
    `select append_to_audit_chain(event, event.seq, before.entry_hash) from audit_event event
       join audit_event before on before.account_id = event.account_id and before.seq = event.seq - 1
     where event.account_id = $1 and event.seq = $2`,
    [accountId, seq],
  )
}

test('a row that was edited with its own hashes made again is found by the row after it', async () => {
  const account = await openLog()
  await tamper(`update audit_event set action = 'signup' where account_id = $1 and seq = 5`, [account.id])
  await forge(account.id, 5)
  expect(await describeProblems(account.id)).toEqual(['edited 5'])
})

test('a row without a chain is found', async () => {
  const account = await openLog()
  await tamper(`insert into audit_event (at, account_id, action, outcome) values (now(), $1, 'login', 'success')`, [
    account.id,
  ])
  expect((await verify(account.id)).problems).toMatchObject([{ kind: 'inserted', words: 'is in no chain' }])
})

test('the database makes the chain: a row that brings its own is refused, and so is any change', async () => {
  const account = await openLog()
  const insert = (columns: string, values: string) =>
    it.app.db.query(
      `insert into audit_event (at, account_id, action, outcome${columns}) values (now(), $1, 'login', 'success'${values})`,
      [account.id],
    )
  await expect(insert(', seq', ', 99')).rejects.toThrow('the database makes the chain')
  await expect(insert(', entry_hash', `, sha256('x')`)).rejects.toThrow('the database makes the chain')
  await insert(', mode', `, 'live'`)
  await expect(insert(', details', `, '{"share": 0.5}'`)).rejects.toThrow('whole numbers')
  for (const text of [
    'update audit_event set seq = 99',
    `update audit_event set entry_hash = sha256('x')`,
    'update audit_event set entry_hash = null, seq = null',
    'delete from audit_event',
  ])
    await expect(it.app.db.query(`${text} where account_id = $1`, [account.id])).rejects.toThrow('append-only')
  expect((await verify(account.id)).problems).toEqual([])
})

test('an act that fails leaves no entry, and an entry that fails leaves no act', async () => {
  const account = await openLog()
  const { entries } = await verify(account.id)
  const broken = it.app.db.transaction(async (tx) => {
    await recordAudit(tx, { at: it.clock.now(), accountId: account.id, action: 'plan_changed', origin: null })
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(await verify(account.id)).toMatchObject({ entries, problems: [] })
})

test('many acts of one account at once form one chain, and acts of two accounts do not wait for each other', async () => {
  const [one, other] = [await openLog(), await openLog()]
  const act = (accountId: string) =>
    recordAudit(it.app.db, { at: it.clock.now(), accountId, action: 'signed_out', origin: null })
  await Promise.all(Array.from({ length: 40 }, () => act(one.id)))
  expect(await verify(one.id)).toMatchObject({ entries: 48, problems: [] })
  await it.app.db.transaction(async (tx) => {
    await tx.query('select from audit_chain where account_id = $1 for update', [one.id])
    await act(other.id)
  })
  expect(await verify(other.id)).toMatchObject({ entries: 9, problems: [] })
})

test('addresses that are forgotten after their time, and an erased account, leave the chain intact', async () => {
  const account = await openLog()
  it.clock.advance(91 * 86_400)
  await it.runJob(forgetAddressesJob)
  const forgotten = await verify(account.id)
  expect(forgotten).toMatchObject({ entries: 8, addressesRemoved: 8, problems: [] })
  expect((await it.run('account', 'erase', account.email, '--yes')).code).toBe(0)
  const left = await it.app.db.query(
    `select from audit_event where account_id = $1 and (ip is not null or user_agent is not null or request_id is not null
       or details <> '{}' or before is not null or after is not null or content_salt is not null or origin_salt is not null)`,
    [account.id],
  )
  expect(left).toEqual([])
  const erased = await it.run('audit', 'verify', account.id)
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringMatching(/^found +0$/m)])
  await tamper(`update audit_event set details = '{"by": "another"}' where account_id = $1 and seq = 5`, [account.id])
  expect(await describeProblems(account.id)).toEqual(['edited 5'])
})

test('addresses that were forgotten while they were kept for less time are no change, where the operator says so', async () => {
  const account = await openLog()
  it.clock.advance(31 * 86_400)
  await tamper('update audit_event set ip = null, user_agent = null, origin_salt = null where account_id = $1', [
    account.id,
  ])
  expect((await verify(account.id)).problems.length).toBeGreaterThan(0)
  expect((await verify(account.id, 30)).problems).toEqual([])
})

test('the database writes JSON as RFC 8785 does', async () => {
  const words = fc
    .string({ unit: 'binary', maxLength: 20 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  const value = fc.oneof(
    words,
    fc.maxSafeInteger().map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
  )
  const member = fc.stringMatching(/^[a-z_]{1,12}$/)
  const facts = fc.dictionary(member, fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.dictionary(member, value)))
  await fc.assert(
    fc.asyncProperty(facts, async (given) => {
      const [row] = await it.app.db.query<{ text: string }>('select canonical_json($1::jsonb) as text', [
        JSON.stringify(given),
      ])
      expect(row?.text).toBe(canonicalize(given))
    }),
    { numRuns: 200 },
  )
})
