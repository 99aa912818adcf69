/** `GET /v1/signals`: what changed about the companies an account watches, since it watches them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { recordQueuedChanges, SIGNAL_TYPES } from '../src/signals/index.ts'
import { prepareEach, type TestKeys, useTestService } from './setup/harness.ts'

const it = useTestService()
const account = prepareEach(() => it.openAccount())
let number = ''
let other = ''

beforeEach(async () => {
  number = await addCompany()
  other = await addCompany()
})

let companyCount = 0

async function addCompany(): Promise<string> {
  companyCount += 1
  const added = String(companyCount).padStart(8, '0')
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, source, changed_at)
     values ($1, $2, $2, 'active', 'ltd', 'snapshot', now())`,
    [added, `COMPANY ${companyCount} LIMITED`],
  )
  return added
}

let code = 10_000

/** The register says that a company trades in something else now, or has another status: each is one signal. */
async function change(of = number, facts?: { from: object; to: object }): Promise<void> {
  code += 1
  const { from, to } = facts ?? { from: { sicCodes: [String(code - 1)] }, to: { sicCodes: [String(code)] } }
  const company = {
    number: of,
    name: `COMPANY ${Number(of)} LIMITED`,
    previousNames: [],
    status: 'active',
    statusDetail: null,
    type: 'ltd',
    incorporatedOn: '2010-05-04',
    address: {},
    charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
    sicCodes: [],
  }
  await it.app.db.query(
    `insert into register_change (company_number, kind, before, after, source, reference, occurred_at)
     values ($1, 'company', $2, $3, 'stream', 'companies:1', $4)`,
    [of, JSON.stringify({ ...company, ...from }), JSON.stringify({ ...company, ...to }), it.clock.now()],
  )
  await recordQueuedChanges(it.app)
  // The service's own job may have taken it in the meantime.
  await expect.poll(() => it.app.db.query('select from register_change')).toEqual([])
}

const liquidate = (of = number) => change(of, { from: {}, to: { status: 'liquidation' } })

const watch = (of = number, key = account.key) =>
  it.call('POST', '/v1/watchlist', { key, body: { company_number: of } })
const unwatch = (of = number) => it.call('DELETE', `/v1/watchlist/${of}`, { key: account.key })
const read = (query = '', key = account.key) => it.call('GET', `/v1/signals${query}`, { key })

interface ShownSignal {
  id: string
  company_number: string
  signal_type: string
  changes: Array<{ to: string[] }>
}
const listSignals = async (query = '?limit=100', key = account.key): Promise<ShownSignal[]> =>
  (await read(query, key)).body.data
const codesOf = (signals: ShownSignal[]) => signals.map(({ changes }) => Number(changes[0]?.to[0]))

describe('what is in it', () => {
  test('signals of watched companies, newest first, as the company’s own history tells them', async () => {
    await watch()
    await watch(other)
    await change(number)
    await liquidate(other)
    const { status, body } = await read()
    expect(status).toBe(200)
    const histories = await Promise.all(
      [other, number].map((of) => it.call('GET', `/v1/companies/${of}/signals`, { key: account.key })),
    )
    expect(body).toEqual({
      data: histories.flatMap((history) => history.body.data).map((signal) => ({ ...signal, is_read: false })),
      page: 1,
      limit: 20,
      has_more: false,
      next_cursor: null,
    })
    expect(body.data).toMatchObject([
      { company_number: other, signal_type: 'status_changed' },
      { company_number: number, signal_type: 'sic_codes_changed' },
    ])
  })

  test('nothing without a watchlist, and nothing of what nobody watches', async () => {
    await change()
    expect(await listSignals()).toEqual([])
    await watch(other)
    await change()
    expect(await listSignals()).toEqual([])
  })

  test('what was before the watch is in the company’s history, and not in the feed', async () => {
    await change()
    await watch()
    expect(await listSignals()).toEqual([])
    await change()
    expect(codesOf(await listSignals())).toEqual([code])
    const history = await it.call('GET', `/v1/companies/${number}/signals`, { key: account.key })
    expect(codesOf(history.body.data)).toEqual([code, code - 1])
  })

  test('unwatching takes a company’s signals away, and watching again does not bring them back', async () => {
    await watch()
    await watch(other)
    await change()
    await change(other)
    await unwatch()
    expect((await listSignals()).map((signal) => signal.company_number)).toEqual([other])
    await watch()
    expect((await listSignals()).map((signal) => signal.company_number)).toEqual([other])
    await change()
    expect((await listSignals()).map((signal) => signal.company_number)).toEqual([number, other])
  })

  test('a list that is made anew keeps the signals of what stays', async () => {
    await watch()
    await watch(other)
    await change()
    await change(other)
    await it.call('PUT', '/v1/watchlist', { key: account.key, body: { company_numbers: [other] } })
    expect((await listSignals()).map((signal) => signal.company_number)).toEqual([other])
    const left = await it.app.db.query(
      `select from watched_signal join watchlist on id = watchlist_id where account_id = $1`,
      [account.id],
    )
    expect(left).toHaveLength(1)
  })

  test('a signal that was being written while its company was unwatched is not shown', async () => {
    await watch()
    await change()
    const [row] = await it.app.db.query<{ watchlist_id: number; detected_at: Date; signal_id: number }>(
      `select watchlist_id, detected_at, signal_id from watched_signal join watchlist on id = watchlist_id
       where account_id = $1`,
      [account.id],
    )
    await unwatch()
    await it.app.db.query(
      `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type, company_number, severity)
       values ($1, $2, $3, 'sic_codes_changed', $4, 'info')`,
      [row?.watchlist_id, row?.detected_at, row?.signal_id, number],
    )
    expect(await listSignals()).toEqual([])
  })

  test('each account has its own', async () => {
    const neighbour = await it.openAccount()
    await watch()
    await watch(other, neighbour.key)
    await change(number)
    await change(other)
    expect((await listSignals()).map((signal) => signal.company_number)).toEqual([number])
    expect((await listSignals('', neighbour.key)).map((signal) => signal.company_number)).toEqual([other])
    const [theirs] = await listSignals('', neighbour.key)
    // A cursor into another's feed shows one's own, from there on.
    expect((await listSignals(`?cursor=${theirs?.id}`)).map((signal) => signal.company_number)).toEqual([number])
    expect(await listSignals('', account.testKey)).toEqual([])
  })

  test('a session reads it too', async () => {
    const person = await it.openAccount()
    await watch(number, person.key)
    await change()
    const { body } = await it.call('GET', '/v1/signals', { token: person.token })
    expect(codesOf(body.data)).toEqual([code])
  })

  test('a test key sees the signals it made itself, and nobody else’s', async () => {
    const neighbour = await it.openAccount()
    for (const { testKey } of [account, neighbour]) await watch('TS000001', testKey)
    await watch()
    await change()
    expect(await listSignals('', account.testKey)).toEqual([])
    const raised = await it.call('POST', '/v1/test/signals', { key: account.testKey, body: {} })
    expect(raised.status).toBe(201)
    expect(await listSignals('', account.testKey)).toEqual([{ ...raised.body, is_read: false }])
    expect(await listSignals('', neighbour.testKey)).toEqual([])
    expect((await listSignals()).map((signal) => signal.company_number)).toEqual([number])
    const entries = async ({ testKey: key }: TestKeys) => (await it.call('GET', '/v1/watchlist', { key })).body.data
    expect((await entries(account))[0].latest_signal).toEqual(raised.body)
    expect((await entries(neighbour))[0].latest_signal).toBeNull()
    await it.call('DELETE', '/v1/watchlist/TS000001', { key: account.testKey })
    expect(await listSignals('', account.testKey)).toEqual([])
  })
})

describe('filtering by type', () => {
  test('gives that type alone; all is every type', async () => {
    await watch()
    await change()
    await liquidate()
    await change()
    const typesOf = async (query: string) => (await listSignals(query)).map((signal) => signal.signal_type)
    expect(await typesOf('?signal_type=status_changed')).toEqual(['status_changed'])
    expect(await typesOf('?signal_type=sic_codes_changed')).toHaveLength(2)
    expect(await typesOf('?signal_type=psc_changed')).toEqual([])
    expect(await typesOf('?signal_type=all')).toHaveLength(3)
    const first = (await read('?signal_type=sic_codes_changed&limit=1')).body
    const second = (await read(`?signal_type=sic_codes_changed&limit=1&cursor=${first.next_cursor}`)).body
    expect(codesOf([...first.data, ...second.data])).toEqual([code, code - 2])
    expect(second.next_cursor).toBeNull()
  })

  test.each(['nonsense', 'resolution_completed', 'ALL', ''])(
    'refuses "%s" and names the types there are',
    async (type) => {
      const { status, body } = await read(`?signal_type=${type}`)
      expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', 'signal_type'])
      for (const known of [...SIGNAL_TYPES, 'all']) expect(body.detail).toContain(known)
    },
  )
})

describe('reading page by page', () => {
  test('nothing is missed and nothing comes twice while new signals arrive', async () => {
    await watch()
    await watch(other)
    for (let count = 0; count < 7; count += 1) await change(count % 2 ? number : other)
    const last = code
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const { body } = await read(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
      expect([body.page, body.limit, body.has_more]).toEqual([1, 3, body.next_cursor !== null])
      seen.push(...codesOf(body.data))
      cursor = body.next_cursor
      await change()
    } while (cursor !== null)
    expect(seen).toEqual(Array.from({ length: 7 }, (_, index) => last - index))
  })

  test('signals of the same moment are in one order', async () => {
    await watch()
    const at = it.clock.now()
    await it.app.db.query(
      `with told as (
         insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at,
           changes, source_kind, source_reference, dedupe_key)
         select $1, 'X', 'sic_codes_changed', 'info', 'x', '2026-01-01', $2, '[]', 'stream', 'x', n::text
         from generate_series(1, 9) n returning id, detected_at, signal_type, company_number, severity)
       insert into watched_signal select l.id, told.detected_at, told.id, told.signal_type, told.company_number, told.severity
       from told, watchlist l where l.account_id = $3`,
      [number, at, account.id],
    )
    const all = (await listSignals()).map(({ id }) => id)
    const first = (await read('?limit=4')).body
    const rest = (await read(`?limit=100&cursor=${first.next_cursor}`)).body
    expect([...first.data, ...rest.data].map(({ id }: ShownSignal) => id)).toEqual(all)
    expect(new Set(all).size).toBe(9)
  })

  test('a cursor still works when its own company was unwatched', async () => {
    await watch()
    await watch(other)
    await change(number)
    await change(other)
    const first = (await read('?limit=1')).body
    expect(first.data[0].company_number).toBe(other)
    await unwatch(other)
    const rest = (await read(`?cursor=${first.next_cursor}`)).body
    expect(rest.data.map((signal: ShownSignal) => signal.company_number)).toEqual([number])
  })

  test('pages by number', async () => {
    await watch()
    for (let count = 0; count < 5; count += 1) await change()
    const pages = await Promise.all([1, 2, 3, 4].map((page) => read(`?limit=2&page=${page}`)))
    expect(pages.map(({ body }) => codesOf(body.data))).toEqual([
      [code, code - 1],
      [code - 2, code - 3],
      [code - 4],
      [],
    ])
    expect(pages.map(({ body }) => [body.page, body.has_more])).toEqual([
      [1, true],
      [2, true],
      [3, false],
      [4, false],
    ])
  })

  test.each([
    'page=0',
    'page=x',
    'limit=0',
    'limit=101',
    'cursor=7',
    'cursor=sig_0',
    'cursor=sig_999999999',
    'page=102&limit=100',
  ])('refuses %s', async (query) => {
    const { status, body } = await read(`?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })
})
