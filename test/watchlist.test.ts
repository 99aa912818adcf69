/** The companies an account watches: adding, removing, many at once, and never more than the plan allows. */
import { beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { changePlan } from '../src/accounts/index.ts'
import { TEST_COMPANIES, testCompany } from '../src/resolution/test-mode/test-answers.ts'
import { followWatchedJob, recordQueuedChanges } from '../src/signals/index.ts'
import { TEST_COMPANY, TEST_COMPANY_NUMBERS } from '../src/signals/test-mode/test-companies.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { prepareEach, startProgram, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepareEach(() => it.openAccount())
beforeAll(async () => {
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, source, changed_at)
     select lpad(n::text, 8, '0'), 'NUMBER ' || n || ' LIMITED', 'NUMBER ' || n, 'active', 'ltd', 'snapshot', now()
     from generate_series(1, 6000) n`,
  )
})

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String(first + index).padStart(8, '0'))

const watch = (number: string, { key = account.key, ...options }: { key?: string; headers?: object } = {}) =>
  it.call('POST', '/v1/watchlist', { key, body: { company_number: number }, headers: { ...options.headers } })
const unwatch = (number: string, key = account.key) =>
  it.call('DELETE', `/v1/watchlist/${encodeURIComponent(number)}`, { key })
const watchMany = (company_numbers: unknown, key = account.key) =>
  it.call('POST', '/v1/watchlist/bulk', { key, body: { company_numbers } })
const replace = (company_numbers: unknown, key = account.key) =>
  it.call('PUT', '/v1/watchlist', { key, body: { company_numbers } })
const read = (query = '', key = account.key) => it.call('GET', `/v1/watchlist${query}`, { key })
const list = async (key = account.key): Promise<string[]> =>
  (await read('?limit=100', key)).body.data.map((entry: { company_number: string }) => entry.company_number)
const usage = async (key = account.key) => (await it.call('GET', '/v1/auth/me', { key })).body.watchlist

/** Returns the count in the list's row and the number of its watches. */
async function countBoth(accountId = account.id) {
  const [counted] = await it.app.db.query<{ used: number; rows: number }>(
    `select used, (select count(*) from watch where watchlist_id = id) as rows from watchlist
     where account_id = $1 and mode = 'live'`,
    [accountId],
  )
  return counted
}

describe('watching and unwatching', () => {
  test('a company is watched once, and again is the same', async () => {
    const first = await watch(' 7214938')
    expect([first.status, first.body]).toEqual([
      201,
      {
        company_number: ALDER.number,
        company_name: ALDER.name,
        company_status: 'active',
        company_status_detail: null,
        company_status_text: 'Active',
        watched_at: expect.stringMatching(/Z$/),
        latest_signal: null,
        watched: true,
      },
    ])
    it.clock.advance(60)
    const again = await watch(ALDER.number)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await read()).body).toEqual({
      data: [{ ...first.body, watched: undefined }],
      page: 1,
      limit: 20,
      has_more: false,
      next_cursor: null,
    })
    expect(await usage()).toEqual({ used: 1, limit: 25 })
  })

  test('a session watches on the same list as the live key', async () => {
    const person = await it.openAccount()
    const body = { company_number: ALDER.number }
    expect((await it.call('POST', '/v1/watchlist', { token: person.token, body })).status).toBe(201)
    expect((await watch(ALDER.number, { key: person.key })).status).toBe(200)
    expect((await it.call('GET', '/v1/watchlist', { token: person.token })).body.data).toHaveLength(1)
  })

  test('unwatching answers whether the company was watched, and is no error when it was not', async () => {
    await watch(ALDER.number)
    const gone = { company_number: ALDER.number, watched: false }
    expect((await unwatch('7214938')).body).toEqual({ ...gone, was_watched: true })
    const again = await unwatch(ALDER.number)
    expect([again.status, again.body]).toEqual([200, { ...gone, was_watched: false }])
    expect((await unwatch('99999999')).body).toMatchObject({ was_watched: false })
    expect([await list(), await usage()]).toEqual([[], { used: 0, limit: 25 }])
    expect((await watch(ALDER.number)).status).toBe(201)
  })

  test('a number that nobody has is 404, and what cannot be a number is 400', async () => {
    const unknown = await watch('09999999')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'company_not_found'])
    for (const wrong of [await watch('ACME'), await unwatch('ACME'), await watch('')]) {
      expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'company_number'])
    }
    expect((await read()).body.data).toEqual([])
  })

  test('the list says what was last told of each company', async () => {
    await putCompanies(it.app, [{ ...BRACKEN, status: 'liquidation' }])
    await recordQueuedChanges(it.app)
    const { body } = await watch(BRACKEN.number)
    expect(body).toMatchObject({ company_status: 'liquidation', latest_signal: { signal_type: 'status_changed' } })
    const history = await it.call('GET', `/v1/companies/${BRACKEN.number}/signals`, { key: account.key })
    expect((await read()).body.data[0].latest_signal).toEqual(history.body.data[0])
  })

  test('without a key for the register’s details nothing is queued to read them', async () => {
    await watch(ALDER.number)
    const queues = await it.app.jobs.listQueues()
    expect(queues.find(({ name }) => name === 'signals.follow_watched')).toMatchObject({
      ready: 0,
      deferred: 0,
      active: 0,
    })
    await it.runJob(followWatchedJob, { companyNumbers: [ALDER.number], priority: 0 })
    expect(it.logText()).not.toContain('signals.watched_followed')
  })

  test('other accounts neither see nor change a list', async () => {
    const other = await it.openAccount()
    await watch(ALDER.number)
    expect(await list(other.key)).toEqual([])
    expect((await unwatch(ALDER.number, other.key)).body.was_watched).toBe(false)
    expect((await replace([], other.key)).body.removed).toEqual([])
    expect(await list()).toEqual([ALDER.number])
    expect(await usage(other.key)).toEqual({ used: 0, limit: 25 })
  })

  test('a repeated Idempotency-Key gets the first answer, another body is refused, one still running is 409', async () => {
    const keyed = { headers: { 'idempotency-key': 'watch-1' } }
    const [first, again] = [await watch(ALDER.number, keyed), await watch(ALDER.number, keyed)]
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    expect((await watch(BRACKEN.number, keyed)).status).toBe(422)

    const bulk = (number: string) =>
      it.call('POST', '/v1/watchlist/bulk', {
        key: account.key,
        body: { company_numbers: [number] },
        headers: { 'idempotency-key': 'bulk-1' },
      })
    const running = { headers: { 'idempotency-key': 'watch-2' } }
    await it.app.db.transaction(async (tx) => {
      await tx.query('select from watchlist where account_id = $1 for update', [account.id])
      for (const send of [() => bulk(BRACKEN.number), () => watch('00000001', running)]) {
        const [early, late] = [send(), send()]
        const refused = await Promise.race([early, late])
        expect([refused.status, refused.body.code]).toEqual([409, 'idempotency_key_in_use'])
      }
    })
    await expect.poll(async () => (await bulk(BRACKEN.number)).status).toBe(200)
    expect((await bulk(ALDER.number)).status).toBe(422)
  })
})

describe('the plan’s cap', () => {
  test('100 at once for the last place: one gets it, and the others are told what to do', async () => {
    await watchMany(numbersFrom(1, 24))
    const replies = await Promise.all(numbersFrom(101, 100).map((number) => watch(number)))
    const statuses = replies.map(({ status }) => status)
    expect([statuses.filter((status) => status === 201), statuses.filter((status) => status === 402)]).toMatchObject([
      { length: 1 },
      { length: 99 },
    ])
    const refused = replies.find(({ status }) => status === 402)?.body
    expect(refused).toMatchObject({ code: 'plan_limit_reached', retryable: false })
    expect(refused.detail).toMatch(/at most 25 companies.*larger plan/)
    expect(await countBoth()).toEqual({ used: 25, rows: 25 })
    expect(await usage()).toEqual({ used: 25, limit: 25 })
  })

  test('two processes that are asked at once do not both give away the last place', async () => {
    const second = await startProgram(it.config, 'all')
    const stopped = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    try {
      await watchMany(numbersFrom(1, 24))
      // Both have begun before either can end.
      const sent = await it.app.db.transaction(async (tx) => {
        await tx.query('select from watchlist where account_id = $1 for update', [account.id])
        const body = { company_number: '00000102' }
        const both = [watch('00000101'), second.call('POST', '/v1/watchlist', { key: account.key, body })]
        await expect.poll(() => it.app.db.query(stopped)).toHaveLength(2)
        return both
      })
      const replies = await Promise.all(sent)
      expect(replies.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 402])
      expect(await countBoth()).toEqual({ used: 25, rows: 25 })
    } finally {
      await second.kill()
    }
  })

  test('a full list still knows what it has, and a place that is given up can be taken', async () => {
    await watchMany(numbersFrom(1, 25))
    expect((await watch('00000025')).status).toBe(200)
    expect((await watch('00000026')).status).toBe(402)
    await unwatch('00000001')
    expect((await watch('00000026')).status).toBe(201)
  })

  test('twenty at once for the same company: one adds it, the others find it there', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => watch(ALDER.number)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => b - a)).toEqual([201, ...Array(19).fill(200)])
    expect(await countBoth()).toEqual({ used: 1, rows: 1 })
  })

  test('an account whose changes pile up does not keep others waiting', async () => {
    const other = await it.openAccount()
    await watch('00000001')
    const piledUp = await it.app.db.transaction(async (tx) => {
      await tx.query('select from watchlist where account_id = $1 for update', [account.id])
      const waiting = numbersFrom(2, 30).map((number) => watch(number))
      await expect.poll(() => it.app.db.pool.totalCount - it.app.db.pool.idleCount).toBeGreaterThan(1)
      expect((await watch('00000001', { key: other.key })).status).toBe(201)
      return waiting
    })
    const statuses = (await Promise.all(piledUp)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(24)
  })

  test('whatever is done at once, the count is the number of companies', async () => {
    await Promise.all([
      ...numbersFrom(1, 20).map((number) => watch(number)),
      ...numbersFrom(1, 20).map((number) => unwatch(number)),
      ...[1, 6, 11, 16].map((first) => watchMany(numbersFrom(first, 12))),
      ...[3, 9].map((first) => replace(numbersFrom(first, 20))),
    ])
    const counted = await countBoth()
    expect(counted?.used).toBe(counted?.rows)
  })

  test('a list from a larger plan can be made shorter, but not exchanged', async () => {
    await changePlan(it.app, { accountId: account.id, plan: 'starter' })
    expect((await watchMany(numbersFrom(1, 60))).body).toMatchObject({ used: 60, limit: 500 })
    await changePlan(it.app, { accountId: account.id, plan: 'free' })
    expect((await watch('00000100')).status).toBe(402)
    expect((await replace(numbersFrom(2, 60))).status).toBe(402)
    expect((await replace(numbersFrom(1, 40))).body).toMatchObject({ kept: 40, added: [], used: 40, limit: 25 })
  })
})

describe('many at once', () => {
  test('each number has its outcome, in the order they were sent', async () => {
    await watch('00000002')
    const { status, body } = await watchMany([' 1', '00000002', 'ACME', '09999999', '00000001', '00000003', '2'])
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { company_number: '00000001', outcome: 'watched' },
          { company_number: '00000002', outcome: 'already_watched' },
          { company_number: 'ACME', outcome: 'invalid' },
          { company_number: '09999999', outcome: 'not_found' },
          { company_number: '00000001', outcome: 'already_watched' },
          { company_number: '00000003', outcome: 'watched' },
          { company_number: '00000002', outcome: 'already_watched' },
        ],
        counts: { watched: 2, already_watched: 3, limit_reached: 0, not_found: 1, invalid: 1 },
        used: 3,
        limit: 25,
      },
    ])
    expect(await countBoth()).toEqual({ used: 3, rows: 3 })
  })

  test('when the list is full the first ones are watched and the rest are said not to be', async () => {
    const { body } = await watchMany([...numbersFrom(1, 30), '00000001', '00000030'])
    expect(body.counts).toEqual({ watched: 25, already_watched: 1, limit_reached: 6, not_found: 0, invalid: 0 })
    expect(body.data.slice(24, 26)).toMatchObject([{ outcome: 'watched' }, { outcome: 'limit_reached' }])
    expect((await watchMany(['00000001', '00000026'])).body.counts).toMatchObject({
      already_watched: 1,
      limit_reached: 1,
    })
    expect(await countBoth()).toEqual({ used: 25, rows: 25 })
  })

  test('a thousand are taken, one more is not, and neither is none', async () => {
    await changePlan(it.app, { accountId: account.id, plan: 'growth' })
    expect((await watchMany(numbersFrom(1, 1_000))).body.counts.watched).toBe(1_000)
    for (const wrong of [numbersFrom(1, 1_001), [], 'all', [7]]) expect((await watchMany(wrong)).status).toBe(400)
  })
})

describe('making the list exactly this', () => {
  test('says what was added and removed, and what stays keeps its time', async () => {
    const { watched_at: since } = (await watch('00000002')).body
    await watch('00000001')
    it.clock.advance(60)
    const { status, body } = await replace(['2', '00000003', 'ACME', '9999999', '3', '00000004'])
    expect([status, body]).toEqual([
      200,
      {
        added: ['00000003', '00000004'],
        removed: ['00000001'],
        kept: 1,
        not_found: ['9999999'],
        invalid: ['ACME'],
        used: 3,
        limit: 25,
      },
    ])
    const entries = (await read()).body.data
    expect(entries.map((entry: { company_number: string }) => entry.company_number)).toEqual([
      '00000004',
      '00000003',
      '00000002',
    ])
    expect(entries[2].watched_at).toBe(since)
    expect(await countBoth()).toEqual({ used: 3, rows: 3 })
    const again = await replace(['00000002', '00000003', '00000004'])
    expect(again.body).toMatchObject({ added: [], removed: [], kept: 3, used: 3 })
  })

  test('more than the plan allows changes nothing', async () => {
    await watchMany(numbersFrom(1, 10))
    const { status, body } = await replace(numbersFrom(5, 26))
    expect([status, body.code]).toEqual([402, 'plan_limit_reached'])
    expect((await list()).toSorted()).toEqual(numbersFrom(1, 10))
    // Companies that are not found do not count.
    expect((await replace([...numbersFrom(5, 25), '09999999'])).body).toMatchObject({ used: 25 })
  })

  test('an empty list unwatches all', async () => {
    await watchMany(numbersFrom(1, 3))
    expect((await replace([])).body).toMatchObject({ removed: numbersFrom(1, 3), used: 0 })
    expect(await list()).toEqual([])
  })

  test('takes fifty thousand numbers in one request, and not one more', async () => {
    await changePlan(it.app, { accountId: account.id, plan: 'scale' })
    const { status, body } = await replace(numbersFrom(1, 50_000))
    expect([status, body.used, body.added.length, body.not_found.length]).toEqual([200, 6_000, 6_000, 44_000])
    expect(await countBoth()).toEqual({ used: 6_000, rows: 6_000 })
    expect((await replace(numbersFrom(1, 50_001))).status).toBe(400)
    expect((await replace(numbersFrom(3_001, 3_000))).body).toMatchObject({ kept: 3_000, used: 3_000 })
  })
})

describe('reading page by page', () => {
  test('the newest watch comes first', async () => {
    for (const number of numbersFrom(1, 5)) {
      await watch(number)
      it.clock.advance(1)
    }
    const pages = [await read('?limit=2'), await read('?limit=2&page=2'), await read('?limit=2&page=3')]
    expect(
      pages.map(({ body }) => body.data.map((entry: { company_number: string }) => entry.company_number.at(-1))),
    ).toEqual([['5', '4'], ['3', '2'], ['1']])
    expect(pages.map(({ body }) => [body.page, body.limit, body.has_more])).toEqual([
      [1, 2, true],
      [2, 2, true],
      [3, 2, false],
    ])
  })

  test('a cursor goes on from its place while companies come and go', async () => {
    await watchMany(numbersFrom(1, 6))
    const first = (await read('?limit=2')).body
    expect(first.data).toMatchObject([{ company_number: '00000006' }, { company_number: '00000005' }])
    it.clock.advance(1)
    await watchMany(['00000007', '00000008'])
    await unwatch('00000005')
    await unwatch('00000003')
    const rest = (await read(`?limit=3&cursor=${first.next_cursor}`)).body
    expect(rest.data.map((entry: { company_number: string }) => entry.company_number)).toEqual([
      '00000004',
      '00000002',
      '00000001',
    ])
    expect([rest.has_more, rest.next_cursor]).toEqual([false, null])
  })

  test('a wrong page, limit or cursor is refused', async () => {
    for (const wrong of ['page=0', 'page=x', 'limit=0', 'limit=101', 'cursor=7', 'cursor=sig_1', 'cursor=1-x']) {
      expect([wrong, (await read(`?${wrong}`)).status]).toEqual([wrong, 400])
    }
  })
})

describe('with a test key', () => {
  test('only test companies can be watched, apart from the real ones', async () => {
    const { testKey: key } = account
    const { status, body } = await watch('TS000001', { key })
    expect([status, body.company_name, body.company_status, body.latest_signal]).toEqual([
      201,
      'TEST MODE TRADING LTD',
      'active',
      null,
    ])
    expect((await watch('TS000001', { key })).status).toBe(200)
    const real = await watch(ALDER.number, { key })
    expect([real.status, real.body.code]).toEqual([404, 'company_not_found'])
    expect(real.body.detail).toContain('TS000001')
    await watch(ALDER.number)
    expect([await list(), await list(key)]).toEqual([[ALDER.number], ['TS000001']])
    expect((await unwatch('TS000001', key)).body.was_watched).toBe(true)
  })

  test('a live key knows no test company', async () => {
    const { status, body } = await watch('TS000001')
    expect([status, body.code]).toEqual([404, 'company_not_found'])
    expect((await watchMany(['TS000001'])).body.counts.not_found).toBe(1)
  })

  test('two test companies are the refusals that a program must handle', async () => {
    const { testKey: key } = account
    const full = await watch('TS000006', { key })
    expect([full.status, full.body.code]).toEqual([402, 'plan_limit_reached'])
    const busy = await watch('TS000007', { key })
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).toEqual([429, 'rate_limited', '2'])
    const bulk = await watchMany(['TS000002', 'TS000006', 'TS000009'], key)
    expect(bulk.body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'watched',
      'limit_reached',
      'not_found',
    ])
    expect((await replace(['TS000003', 'TS000006'], key)).status).toBe(402)
    expect((await replace(['TS000007'], key)).status).toBe(429)
    expect((await watchMany(['TS000007'], key)).status).toBe(429)
    expect((await replace(['TS000003'], key)).body).toMatchObject({ added: ['TS000003'], removed: ['TS000002'] })
  })

  test('they are the companies that a test key resolves', () => {
    expect(TEST_COMPANY_NUMBERS).toEqual(TEST_COMPANIES)
    expect(testCompany(new Date())).toMatchObject(TEST_COMPANY)
  })
})
