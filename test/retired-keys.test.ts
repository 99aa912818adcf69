/**
 * A sealing key or a hashing key has leaked. The operator puts a new one first, runs `nameplated secrets reseal` and takes
 * the old one away: whatever was stored before goes on working, and nothing is left that the old key opens.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSlack } from '../rig/incoming-webhooks/index.ts'
import type { Config } from '../src/config.ts'
import { SEALED_COLUMNS } from '../src/entry/cli/secrets.ts'
import { getDocumentSigner } from '../src/evidence/document/certificates.ts'
import { rotateEvidenceKey } from '../src/evidence/index.ts'
import { findSubscriber, toUnsubscribeLink } from '../src/signals/digest/notifications.ts'
import { connectAgent, redeem } from './setup/agent-walk.ts'
import {
  createTestDatabase,
  startCommand,
  startTestService,
  type TestAccount,
  type TestService,
} from './setup/harness.ts'
import { isSigned, rename, type Subscribed, subscribe } from './setup/webhooks.ts'

const OLD = { id: 'leaked', key: new Uint8Array(32).fill(3) }
const NEW = { id: 'fresh', key: new Uint8Array(32).fill(4) }
const OLD_HASHING = new Uint8Array(32).fill(5)
const NEW_HASHING = new Uint8Array(32).fill(6)
const REPEAT = { headers: { 'idempotency-key': 'before-the-leak' }, body: { domain: 'acme.example.co.uk' } }

let database: { url: string; drop(): Promise<void> }
let addresses: Pick<Config, 'listen' | 'baseUrl' | 'siteUrl'>
let account: TestAccount
let subscribed: Subscribed
let agent: Awaited<ReturnType<typeof connectAgent>>
let unsubscribeLink: URL
let slackId: number
let firstAnswer: unknown

const SLACK_PATH = '/services/T0/B0/of-the-retired-keys'
const slack = createSlack(SLACK_PATH)

const start = (keys: Pick<Config, 'sealingKeys' | 'hashingKeys'>) =>
  startTestService({ databaseUrl: database.url, ...keys, ...addresses })

/** Everything an account has stored under the old keys. */
async function fill(it: TestService): Promise<void> {
  account = await it.openAccount({ credits: 5 })
  subscribed = await subscribe(it, { account })
  const rotated = await subscribed.see('POST', '/rotate-secret', {})
  expect(rotated.status).toBe(200)
  subscribed.secret = rotated.body.secret
  it.web.setSite('hooks.slack.com', { serve: slack.serve })
  const channel = { kind: 'slack', webhook_url: `https://hooks.slack.com${SLACK_PATH}`, signal_type: 'psc_changed' }
  slackId = (await it.call('POST', '/v1/partner/webhooks', { key: account.key, body: channel })).body.id
  agent = await connectAgent(it, account)
  unsubscribeLink = toUnsubscribeLink(it.app, account.id)
  const first = await it.call('POST', '/v1/enrich', { key: account.key, ...REPEAT })
  firstAnswer = first.body
  await it.settle()
}

const reseal = (config: Config) => startCommand(config, ['secrets', 'reseal', '--json']).ended

/** Every column of every table in which a value of this sealing key is left. */
async function listSealedWith({ app }: TestService, keyId: string): Promise<string[]> {
  const columns = await app.db.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb')`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    const rows = await app.db.query(`select 1 from "${table}" where "${column}"::text like $1 limit 1`, [
      `%v1.${keyId}.%`,
    ])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found.sort()
}

beforeAll(async () => {
  database = await createTestDatabase()
  await using it = await startTestService({
    databaseUrl: database.url,
    sealingKeys: [OLD],
    hashingKeys: [OLD_HASHING],
  })
  addresses = { listen: it.config.listen, baseUrl: it.config.baseUrl, siteUrl: it.config.siteUrl }
  await fill(it)
  await rotateEvidenceKey(it.app)
  await getDocumentSigner(it.app)
})
afterAll(() => database.drop())

test('a leaked sealing key and hashing key can be retired: everything works with the new ones alone', async () => {
  {
    await using it = await start({ sealingKeys: [NEW, OLD], hashingKeys: [NEW_HASHING, OLD_HASHING] })
    expect(await listSealedWith(it, OLD.id)).toEqual(SEALED_COLUMNS.map(({ name }) => name).sort())
    expect((await it.call('GET', '/v1/auth/me', { key: account.key })).status).toBe(200)
    const first = await reseal(it.config)
    expect([first.code, first.stderr]).toEqual([0, ''])
    const counts = JSON.parse(first.stdout) as Array<{ column: string; resealed: number; rehashed: number }>
    expect(counts.filter(({ resealed }) => resealed === 0)).toEqual([])
    // The live key was hashed again when it was used; the test key waited for the command.
    expect(counts.find(({ column }) => column === 'api_key.sealed')).toMatchObject({ resealed: 2, rehashed: 1 })
    expect(await listSealedWith(it, OLD.id)).toEqual([])
    const again = await reseal(it.config)
    for (const count of JSON.parse(again.stdout)) expect(count).toMatchObject({ resealed: 0, rehashed: 0 })
  }
  await using it = await start({ sealingKeys: [NEW], hashingKeys: [NEW_HASHING] })
  const { email, password } = account
  const login = await it.call('POST', '/v1/auth/login', { body: { email, password } })
  expect(login.body).toMatchObject({ api_key: account.key, test_api_key: account.testKey })
  for (const key of [account.key, account.testKey])
    expect((await it.call('GET', '/v1/auth/me', { key })).status).toBe(200)
  // The session's signing key.
  expect((await it.call('GET', '/v1/auth/me', { token: account.token })).status).toBe(200)
  const repeat = await it.call('POST', '/v1/enrich', { key: account.key, ...REPEAT })
  // The stored answer was read: it names the job, whose answer has come meanwhile.
  expect([repeat.headers.get('idempotency-replayed'), repeat.body.input_domain]).toEqual([
    'true',
    (firstAnswer as { input_domain: string }).input_domain,
  ])
  const { clientId, tokens } = agent
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId }
  expect((await redeem(it, form)).status).toBe(200)
  it.web.setSite(subscribed.host, { receiver: subscribed.receiver })
  await rename(it, subscribed.company)
  await it.settle()
  const [received] = subscribed.receiver.received
  expect(received && isSigned(received, subscribed.secret)).toBe(true)
  it.web.setSite('hooks.slack.com', { serve: slack.serve })
  const tried = await it.call('POST', `/v1/partner/webhooks/${slackId}/test`, { key: account.key })
  expect([tried.body.delivered, slack.messages.length]).toEqual([true, 1])
})

test('signing in survives a sealing key that was taken away too early, and says to rotate', async () => {
  await using it = await start({
    sealingKeys: [{ id: 'other', key: new Uint8Array(32).fill(8) }],
    hashingKeys: [NEW_HASHING],
  })
  const { email, password } = account
  const login = await it.call('POST', '/v1/auth/login', { body: { email, password } })
  expect(login.status).toBe(200)
  expect(login.body).toMatchObject({ api_key: null, test_api_key: null, notice: expect.stringContaining('rotate') })
  const rotated = await it.call('POST', '/v1/auth/api-key/rotate', {
    token: login.body.token,
    body: { current_password: password },
  })
  expect(rotated.status).toBe(200)
  const { clientId, tokens } = agent
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId }
  expect((await redeem(it, form)).status).toBe(401)
  const repeat = await it.call('POST', '/v1/enrich', { key: account.key, ...REPEAT })
  expect([repeat.status, repeat.body.code]).toEqual([409, 'idempotency_response_lost'])
  const left = await reseal(it.config)
  expect([left.code, left.stderr]).toEqual([1, expect.stringContaining('not configured')])
})

test('links in e-mails of the older hashing key work as long as it is configured', async () => {
  const open = async (hashingKeys: Uint8Array[]) => {
    await using it = await start({ sealingKeys: [NEW], hashingKeys })
    return findSubscriber(it.app, unsubscribeLink.searchParams.get('token') ?? '')
  }
  expect(await open([NEW_HASHING, OLD_HASHING])).toBe(account.id)
  expect(await open([NEW_HASHING])).toBeNull()
})
