/** Trying a receiver out: signals that a test key makes on test companies. */
import { beforeEach, expect, test } from 'vitest'
import { toLondonDate } from '../src/lib/clock.ts'
import { forgetTestSignalsJob, SIGNAL_TYPES } from '../src/signals/index.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'
import { isSigned, subscribe } from './setup/webhooks.ts'

const it = useTestService()
let account: TestKeys

beforeEach(async () => {
  account = await it.openAccount()
})

const raise = (body?: object, credential: { key?: string; token?: string } = { key: account.testKey }) =>
  it.call('POST', '/v1/test/signals', { ...credential, ...(body ? { body } : {}) })
const watch = (number: string, key = account.testKey) =>
  it.call('POST', '/v1/watchlist', { key, body: { company_number: number } })
const feed = async (key = account.testKey) => {
  const { body } = await it.call('GET', '/v1/signals', { key })
  return body.data.map(({ is_read: _isRead, ...signal }: { is_read: boolean }) => signal)
}

test('a test signal goes the whole way to the account’s own destination, and says that it is one', async () => {
  const to = await subscribe(it, { account, mode: 'test' })
  const reply = await raise()
  expect([reply.status, reply.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^sig_\d+$/),
      signal_type: 'status_changed',
      company_number: 'TS000001',
      company_name: 'TEST MODE TRADING LTD',
      severity: 'warning',
      summary: 'TEST MODE TRADING LTD changed status from active to liquidation.',
      occurred_on: toLondonDate(it.clock.now()),
      detected_at: expect.stringMatching(/Z$/),
      changes: [
        {
          field: 'company_status',
          from: 'active',
          to: 'liquidation',
          field_text: 'Status',
          from_text: 'Active',
          to_text: 'Liquidation',
        },
      ],
      source: { kind: 'test', reference: account.id },
    },
  ])
  const [request] = await to.receiver.waitFor(1)
  expect(request && isSigned(request, to.secret)).toBe(true)
  expect(JSON.parse(request?.body ?? '')).toEqual({
    id: request?.headers['x-webhook-id'],
    type: 'signal',
    signal_type: 'status_changed',
    created_at: reply.body.detected_at,
    api_version: '1.0.0',
    sequence: expect.any(Number),
    test: true,
    data: reply.body,
  })
})

test('the same again is another signal, and each type goes to destinations that want it', async () => {
  const named = await subscribe(it, { account, type: 'name_changed', mode: 'test' })
  const [first, second] = [await raise({ signal_type: 'name_changed' }), await raise({ signal_type: 'name_changed' })]
  expect(first.body.id).not.toBe(second.body.id)
  await raise({ signal_type: 'psc_changed' })
  await named.receiver.waitFor(2)
  await it.settle()
  const received = new Set(named.receiver.received.map(({ body }) => JSON.parse(body).data.id))
  expect(received).toEqual(new Set([first.body.id, second.body.id]))
})

test('every type of signal has words of its own', async () => {
  const summaries = new Set<string>()
  for (const type of SIGNAL_TYPES) {
    const { status, body } = await raise({ signal_type: type, company_number: 'TS000002' })
    expect([status, body.signal_type, body.company_number]).toEqual([201, type, 'TS000002'])
    expect(body.summary).toContain('TEST MODE TRADING LTD')
    expect(body.changes.length).toBeGreaterThan(0)
    summaries.add(body.summary)
  }
  expect(summaries.size).toBe(SIGNAL_TYPES.length)
})

test('it is in the feed and on the watchlist of the test key that watches the company, and in no other', async () => {
  const other = await it.openAccount()
  await watch('TS000001')
  await watch('TS000001', other.testKey)
  const { body: made } = await raise({ signal_type: 'director_resigned' })
  expect(await feed()).toEqual([made])
  const list = (await it.call('GET', '/v1/watchlist', { key: account.testKey })).body.data
  expect(list[0].latest_signal).toEqual(made)
  expect([await feed(account.key), await feed(other.testKey), await feed(other.key)]).toEqual([[], [], []])
})

test('a test signal of an unwatched company is in the feed as well as at the webhook: the test key watches it from then on', async () => {
  const to = await subscribe(it, { account, mode: 'test' })
  const { body: made } = await raise({ company_number: 'TS000002' })
  await to.receiver.waitFor(1)
  expect(await feed()).toEqual([made])
  const { data } = (await it.call('GET', '/v1/watchlist', { key: account.testKey })).body
  expect(data.map((entry: { company_number: string }) => entry.company_number)).toEqual(['TS000002'])
  const full = await raise({ company_number: 'TS000006' })
  expect([full.status, full.body.code]).toEqual([402, 'plan_limit_reached'])
})

test('the live key and a session are refused, and told to use the test key', async () => {
  const person = await it.openAccount()
  for (const reply of [await raise({}, { key: person.key }), await raise({}, { token: person.token })]) {
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
    expect(reply.body.detail).toContain('np_test_')
  }
})

test('a real company, an unknown one and an unknown type are refused with the lists of those there are', async () => {
  for (const company_number of ['01234567', 'TS000099', '', 7]) {
    const reply = await raise({ company_number })
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'company_number'])
    expect(reply.body.detail).toContain('TS000001')
  }
  const type = await raise({ signal_type: 'all' })
  expect([type.status, type.body.errors[0].field]).toEqual([400, 'signal_type'])
  expect(type.body.detail).toContain('strike_off_proposed')
})

test('the company that plays too many requests does so here, and 120 in an hour are too many indeed', async () => {
  expect((await raise({ company_number: 'TS000007' })).status).toBe(429)
  await it.app.db.query(`insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')`, [
    `test-signals:${(account = await it.openAccount()).id}`,
  ])
  const refused = await raise()
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a repeated Idempotency-Key makes one signal', async () => {
  await watch('TS000003')
  const send = () =>
    it.call('POST', '/v1/test/signals', {
      key: account.testKey,
      body: { company_number: 'TS000003' },
      headers: { 'idempotency-key': 'signal-1' },
    })
  const [first, again] = [await send(), await send()]
  expect(again.body).toEqual(first.body)
  expect(await feed()).toEqual([first.body])
})

test('what was made is forgotten after 30 days, from the feed too; forgetting twice is the same', async () => {
  await watch('TS000004')
  await raise({ company_number: 'TS000004' })
  it.clock.advance(29 * 86_400)
  const { body: newer } = await raise({ company_number: 'TS000004' })
  await it.runJob(forgetTestSignalsJob)
  expect(await feed()).toHaveLength(2)
  it.clock.advance(2 * 86_400)
  await it.runJob(forgetTestSignalsJob)
  await it.runJob(forgetTestSignalsJob)
  expect(await feed()).toEqual([newer])
  const rows = await it.app.db.query(
    `select from watched_signal join watchlist on watchlist.id = watchlist_id where account_id = $1`,
    [account.id],
  )
  expect(rows).toHaveLength(1)
})
