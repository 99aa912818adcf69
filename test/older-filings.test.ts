/** All filings of a company: page by page, of one category, with the documents, and what happens while the register is away. */
import { beforeEach, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { addDaysToDate } from '../src/lib/clock.ts'
import { director } from './setup/acorn.ts'
import { prepare, startTestService, useTestService } from './setup/harness.ts'

const OLD: NewCompany = {
  number: '01234567',
  name: 'ACORN LIMITED',
  incorporatedOn: '2001-02-03',
  officers: [
    director('01234567', 'first', { name: 'SMITH, Jane Anne', appointed_on: '2001-03-04' }),
    ...Array.from({ length: 239 }, (_, index) =>
      director('01234567', `d${index}`, { appointed_on: addDaysToDate('2005-01-01', index) }),
    ),
  ],
}
/** On the register, and never read before. */
const UNREAD: NewCompany = {
  number: '03456789',
  name: 'ACORN MILLS LIMITED',
  incorporatedOn: '2001-02-03',
  officers: [
    director('03456789', 'first', {
      name: 'MILLER, Rose Ann',
      appointed_on: '2001-03-04',
      date_of_birth: { year: 1975, month: 6 },
    }),
  ],
}
const YOUNG: NewCompany = { number: '02345678', name: 'ACORN SHOOTS LIMITED', incorporatedOn: '2024-05-06' }

const house = SimulatedCompaniesHouse.fromCompanies([OLD, YOUNG, UNREAD], { imageDelayMs: null })
const it = useTestService({ house })
const reader = prepare(() => it.openAccount())
prepare(() =>
  Promise.all([OLD, YOUNG].map(({ number }) => it.call('GET', `/v1/companies/${number}`, { key: reader.key }))),
)
beforeEach(() => {
  house.faults.clear()
  // What an earlier test spent of the budget leaves the window.
  it.clock.advance(400)
})

interface Filing {
  transaction_id: string
  category: string
  description_text: string
  date: string
}

const list = (query = '', number = OLD.number, key = reader.key) =>
  it.call('GET', `/v1/companies/${number}/filings${query}`, { key })

async function readAll(): Promise<Filing[]> {
  const filings: Filing[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await list(cursor === '' ? '' : `?cursor=${cursor}`)
    expect([status, body.data.length <= 100]).toEqual([200, true])
    filings.push(...body.data)
    cursor = body.next_cursor
  }
  return filings
}

test('every filing is there once, newest first and back to the incorporation, one request of the register for a page', async () => {
  const asked = house.stats.rest.total
  const all = await readAll()
  const { body } = await list()
  expect(all).toHaveLength(body.total)
  expect(all.length).toBeGreaterThan(240)
  expect(house.stats.rest.total - asked).toBe(4)
  expect(new Set(all.map(({ transaction_id: id }) => id)).size).toBe(all.length)
  expect(all.map(({ date }) => date)).toEqual(
    all
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  )
  expect(all.at(-1)).toMatchObject({ category: 'incorporation', date: '2001-02-03' })
  expect(all.at(-1)?.description_text).toMatch(/^[A-Z][a-z]/)
})

test('the profile says where the older ones begin, and that a young company has none', async () => {
  const { body } = await it.call('GET', `/v1/companies/${OLD.number}`, { key: reader.key })
  expect(body.filings).toHaveLength(100)
  const older = await list(`?cursor=${body.filings_next_cursor}`)
  const [newest] = (await list()).body.data as Filing[]
  expect(newest).toMatchObject(body.filings[0])
  expect(older.body.data[0]).toMatchObject({ transaction_id: (await readAll())[100]?.transaction_id })
  const young = await it.call('GET', `/v1/companies/${YOUNG.number}`, { key: reader.key })
  expect([young.body.filings.length > 0, young.body.filings_next_cursor]).toEqual([true, null])
})

test('the filings of one category are found however old they are', async () => {
  const { body } = await list('?category=incorporation')
  expect(body).toMatchObject({ total: 1, next_cursor: null, data: [{ category: 'incorporation', date: '2001-02-03' }] })
  const officers = await list('?category=officers')
  expect(officers.body).toMatchObject({ total: 240, next_cursor: '100' })
  expect((await list('?category=officers&cursor=200')).body.data).toHaveLength(40)
  expect((await list('?category=resolution')).body).toMatchObject({ total: 0, data: [], next_cursor: null })
})

test('nothing of them is stored', async () => {
  const count = async () => {
    const rows = await it.app.db.query<{ count: number }>(
      `select count(*)::int as count from company_item where kind = 'filing'`,
    )
    return rows[0]?.count
  }
  const before = await count()
  await readAll()
  expect(await count()).toBe(before)
})

test('the document of an older filing opens, and one that no filing has is not found', async () => {
  const oldest = (await list('?category=incorporation')).body.data[0]
  const pathOf = (id: string) => `/v1/companies/${OLD.number}/filings/${id}/document`
  const { status, text } = await it.call('GET', pathOf(oldest.transaction_id), { key: reader.key })
  expect([status, text.slice(0, 5)]).toEqual([200, '%PDF-'])
  const unknown = await it.call('GET', pathOf('MzQwNTE2Nzg5MGFkaXF6a2N4'), { key: reader.key })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  house.faults.rest.set({ answer503: { next: 9 } })
  expect((await it.call('GET', pathOf(oldest.transaction_id), { key: reader.key })).status).toBe(503)
})

test('a person whose name is withheld is not in older filings', async () => {
  const named = async () => JSON.stringify((await list('?category=officers&cursor=200')).body.data)
  expect(await named()).toContain('Jane Anne Smith')
  await it.run('person', 'withhold', 'SMITH, Jane Anne', '--company', OLD.number, '--reference', 'DSR-19')
  expect(await named()).not.toContain('Jane Anne Smith')
  expect(await named()).toContain('person whose name is withheld')
})

test('a person who is withheld by month of birth is not in the filings of a company that was not read before', async () => {
  await putCompanies(it.app, [{ number: UNREAD.number, name: UNREAD.name, postcode: 'HG4 1AA' }])
  await it.run('person', 'withhold', 'MILLER, Rose Ann', '--born', '1975-06', '--reference', 'DSR-20')
  const { status, body } = await list('?category=officers', UNREAD.number)
  expect([status, body.total]).toEqual([200, 1])
  expect(JSON.stringify(body.data)).not.toContain('Miller')
  expect(JSON.stringify(body.data)).not.toContain('MILLER')
})

test('while the register is away or the budget is spent it is said, with the time to ask again and the public page', async () => {
  house.faults.rest.set({ answer503: { next: 9 } })
  const away = await list()
  expect(away).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } })
  expect(away.body.detail).toContain(`/company/${OLD.number}/filing-history`)
  house.faults.clear()
  house.faults.rest.set({ answer429: { next: 1 } })
  const refused = await list()
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  const asked = house.stats.rest.total
  expect((await list()).status).toBe(503)
  expect(house.stats.rest.total).toBe(asked)
})

test('what cannot be a cursor, a category or a company is refused, and the test companies have no filings', async () => {
  for (const query of ['?cursor=x', '?cursor=-1', '?category=A%26items_per_page=1', '?category=../officers']) {
    const { status, body } = await list(query)
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_request'])
  }
  expect((await list('', '09999999')).body.code).toBe('company_not_found')
  expect((await list('', 'TS000001', reader.testKey)).body).toMatchObject({ data: [], total: 0, next_cursor: null })
  expect((await list('', OLD.number, reader.testKey)).body.code).toBe('company_not_found')
})

test('without a key of the register the message leads to the public page', async () => {
  await using own = await startTestService({ house: SimulatedCompaniesHouse.fromCompanies([YOUNG]) })
  const account = await own.openAccount()
  await own.call('GET', `/v1/companies/${YOUNG.number}`, { key: account.key })
  own.config.register.restKey = null
  const { status, body } = await own.call('GET', `/v1/companies/${YOUNG.number}/filings`, { key: account.key })
  expect([status, body.detail]).toEqual([503, expect.stringContaining('no access to the register. They are on')])
})
