import { afterEach, describe, expect, it } from 'vitest'
import {
  type CompaniesHouseOptions,
  SIMULATED_REST_KEY,
  SIMULATED_STREAM_KEY,
  SimulatedCompaniesHouse,
} from './index.ts'

const NUMBER = '07687209'
const clock = {
  at: new Date('2026-11-02T10:00:00Z'),
  now() {
    return this.at
  },
}
let house: SimulatedCompaniesHouse

async function open(options: CompaniesHouseOptions = {}) {
  clock.at = new Date('2026-11-02T10:00:00Z')
  const address = { address_line_1: '1 HIGH STREET', locality: 'LEEDS', country: 'ENGLAND', postal_code: 'LS1 4QX' }
  house = SimulatedCompaniesHouse.fromCompanies(
    [
      { number: NUMBER, name: 'ACME WIDGETS LTD', address, incorporatedOn: '2024-08-12', sicCodes: ['62012'] },
      { number: 'SC000001', name: 'GONE LTD', status: 'Dissolved', incorporatedOn: '2001-02-03' },
      { number: 'IP012345', name: 'ACME SOCIETY', category: 'Registered Society', incorporatedOn: '1950-01-01' },
      {
        number: '00000006',
        name: 'INDEBTED LIMITED',
        undescribedCharges: { outstanding: 28, partSatisfied: 1, satisfied: 3 },
      },
    ],
    { clock, imageDelayMs: null, ...options },
  )
  const { restUrl } = await house.listen()
  return async (path: string, key: string | null = SIMULATED_REST_KEY) => {
    const headers: Record<string, string> = key ? { authorization: `Basic ${btoa(`${key}:`)}` } : {}
    const response = await fetch(restUrl + path, { headers })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
  }
}

afterEach(() => house.close())

describe('keys', () => {
  it('refuses a missing key, an unknown one and a key of the other kind', async () => {
    const get = await open()
    const missing = await get(`/company/${NUMBER}`, null)
    expect([missing.status, missing.body]).toEqual([401, { error: 'Empty Authorization header', type: 'ch:service' }])
    const wrong = await get(`/company/${NUMBER}`, SIMULATED_STREAM_KEY)
    expect([wrong.status, wrong.body]).toEqual([401, { error: 'Invalid Authorization', type: 'ch:service' }])
    expect(wrong.headers.get('x-ratelimit-limit')).toBeNull()
  })
})

describe('the limit of requests', () => {
  it('answers 429 to the 601st request of a window and gives the whole budget back when it ends', async () => {
    const get = await open()
    for (let sent = 0; sent < 599; sent += 1) await get('/company/00000000')
    const last = await get(`/company/${NUMBER}`)
    expect(last.status).toBe(200)
    expect(last.headers.get('x-ratelimit-limit')).toBe('600')
    expect(last.headers.get('x-ratelimit-remain')).toBe('0')
    expect(last.headers.get('x-ratelimit-window')).toBe('5m')
    expect(Number(last.headers.get('x-ratelimit-reset'))).toBe(clock.at.getTime() / 1_000 + 300)
    const refused = await get(`/company/${NUMBER}`)
    expect([refused.status, refused.text, refused.headers.get('retry-after')]).toEqual([429, '', null])

    clock.at = new Date(clock.at.getTime() + 300_000)
    const again = await get(`/company/${NUMBER}`)
    expect([again.status, again.headers.get('x-ratelimit-remain')]).toEqual([200, '599'])
    expect(house.stats.rest).toMatchObject({ total: 602, byStatus: { 200: 2, 404: 599, 429: 1 } })
    expect(house.stats.rest.busiestWindow(300_000)).toBe(601)
  })
})

describe('the company profile', () => {
  it('derives deadlines from the date of incorporation and says overdue from the day after', async () => {
    const get = await open()
    const { body } = await get(`/company/${NUMBER}`)
    expect(body).toMatchObject({
      company_name: 'ACME WIDGETS LTD',
      company_status: 'active',
      type: 'ltd',
      registered_office_address: { address_line_1: '1 High Street', country: 'England', postal_code: 'LS1 4QX' },
      accounts: {
        accounting_reference_date: { day: '31', month: '08' },
        next_accounts: {
          due_on: '2026-05-12',
          period_start_on: '2024-08-12',
          period_end_on: '2025-08-31',
          overdue: true,
        },
        overdue: true,
      },
      confirmation_statement: { next_due: '2025-08-25', next_made_up_to: '2025-08-11', overdue: true },
    })
    expect(body.etag).toMatch(/^[0-9a-f]{40}$/)
    house.changes.fileAccounts(NUMBER, { nextDueOn: '2026-11-02' })
    expect((await get(`/company/${NUMBER}`)).body.accounts.overdue).toBe(false)
    clock.at = new Date('2026-11-03T00:30:00Z')
    expect((await get(`/company/${NUMBER}`)).body.accounts.overdue).toBe(true)
  })

  it('is 404 for a number that is unknown or unpadded', async () => {
    const { status, body } = await (await open())('/company/6')
    expect([status, body]).toEqual([404, { errors: [{ type: 'ch:service', error: 'company-profile-not-found' }] }])
  })
})

describe('the lists', () => {
  it('are empty and 200 for a company that does not exist, but insolvency is 404', async () => {
    const get = await open()
    const officers = await get('/company/99999999/officers')
    expect([officers.status, officers.body]).toMatchObject([200, { total_results: 0, items: [], links: {}, etag: '' }])
    expect((await get('/company/99999999/charges')).body).toMatchObject({ total_count: 0 })
    expect((await get('/company/99999999/filing-history')).body).toMatchObject({ total_count: 0, items: [] })
    expect((await get('/company/99999999/persons-with-significant-control')).body).toMatchObject({ total_results: 0 })
    expect((await get('/company/99999999/insolvency')).status).toBe(404)
  })

  it('count the officers of a dissolved company as inactive although none resigned', async () => {
    const get = await open()
    for (const number of [NUMBER, 'SC000001']) {
      house.changes.appointOfficer(number, { name: 'KERSHAW, Niamh' })
      house.changes.resignOfficer(number, house.changes.appointOfficer(number, { name: 'ADAMS, Ravi' }))
    }
    const live = (await get(`/company/${NUMBER}/officers`)).body
    expect(live).toMatchObject({ active_count: 1, resigned_count: 1, total_results: 2, items_per_page: 35 })
    expect(live.items.map((item: { name: string }) => item.name)).toEqual(['ADAMS, Ravi', 'KERSHAW, Niamh'])
    const dissolved = (await get('/company/SC000001/officers')).body
    expect(dissolved).toMatchObject({ active_count: 0, inactive_count: 1, resigned_count: 1, total_results: 2 })
  })

  it('of charges page without saying so and describe what the bulk file only counts', async () => {
    const get = await open()
    const first = (await get('/company/00000006/charges')).body
    expect(first).toMatchObject({ total_count: 32, satisfied_count: 3, part_satisfied_count: 1 })
    expect(first.items).toHaveLength(25)
    expect(first).not.toHaveProperty('items_per_page')
    expect((await get('/company/00000006/charges?start_index=25')).body.items).toHaveLength(7)
    expect((await get('/company/00000006/charges?start_index=500')).body.items).toEqual([])
  })

  it('of filings bend odd page sizes and are not available for some prefixes', async () => {
    const get = await open()
    const history = `/company/${NUMBER}/filing-history`
    expect((await get(`${history}?items_per_page=0`)).body.items_per_page).toBe(25)
    expect((await get(`${history}?items_per_page=-7`)).body.items_per_page).toBe(7)
    expect((await get(`${history}?items_per_page=900`)).body.items_per_page).toBe(100)
    house.changes.proposeStrikeOff(NUMBER)
    const { body } = await get(history)
    expect(body.items.map((item: { type: string }) => item.type)).toEqual(['GAZ1', 'NEWINC'])
    expect(Buffer.from(body.items[0].transaction_id, 'base64').toString()).toMatch(/^\d+adiqzkcx$/)
    const society = (await get('/company/IP012345/filing-history')).body
    expect(society).toEqual({
      start_index: 0,
      items_per_page: 25,
      total_count: 0,
      filing_history_status: 'filing-history-not-available',
    })
  })
})

describe('faults', () => {
  it('strike as often as set and then stop', async () => {
    const get = await open()
    house.faults.rest.set({ drop: { next: 1 } })
    await expect(get(`/company/${NUMBER}`)).rejects.toThrow()
    house.faults.rest.set({ halfBody: { next: 1 } })
    await expect(get(`/company/${NUMBER}`)).rejects.toThrow()
    house.faults.rest.set({
      answer429: { next: 1 },
      answer500: { next: 1 },
      answer503: { next: 1 },
      answerHtml: { next: 1 },
    })
    const answers = []
    for (let sent = 0; sent < 5; sent += 1) answers.push(await get(`/company/${NUMBER}`))
    expect(answers.map(({ status }) => status)).toEqual([429, 500, 503, 200, 200])
    expect(answers[0]?.headers.get('x-ratelimit-remain')).toBe('0')
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual([
      null,
      null,
      'text/html',
      'text/html',
      'application/json',
    ])
    expect(house.stats.rest.byStatus).toMatchObject({ 0: 1, 200: 3 })
  })

  it('strike by chance in the same places with the same seed', async () => {
    const runs: number[][] = []
    for (let run = 0; run < 2; run += 1) {
      const get = await open({ seed: 7 })
      house.faults.rest.set({ answer500: { probability: 0.4 } })
      const statuses: number[] = []
      for (let sent = 0; sent < 30; sent += 1) statuses.push((await get(`/company/${NUMBER}`)).status)
      runs.push(statuses)
      await house.close()
    }
    expect(runs[0]).toEqual(runs[1])
    expect(new Set(runs[0])).toEqual(new Set([200, 500]))
  })
})
