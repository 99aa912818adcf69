import { beforeEach, describe, expect, it } from 'vitest'
import { type CompaniesHouseOptions, SIMULATED_REST_KEY, SIMULATED_STREAM_KEY, type StreamName } from './index.ts'
import { authorization, clock, house, type Json, NUMBER, openHouse, readStream, urls } from './opened-house.ts'

async function open(options: CompaniesHouseOptions = {}) {
  const address = { address_line_1: '1 HIGH STREET', locality: 'LEEDS', country: 'ENGLAND', postal_code: 'LS1 4QX' }
  await openHouse(
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
    options,
  )
  return async (path: string, key: string | null = SIMULATED_REST_KEY) => {
    const response = await fetch(urls.restUrl + path, { headers: key ? authorization(key) : {} })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
  }
}

it('the REST API refuses a missing key, an unknown one and a key of the other kind', async () => {
  const get = await open()
  const missing = await get(`/company/${NUMBER}`, null)
  expect([missing.status, missing.body]).toEqual([401, { error: 'Empty Authorization header', type: 'ch:service' }])
  const wrong = await get(`/company/${NUMBER}`, SIMULATED_STREAM_KEY)
  expect([wrong.status, wrong.body]).toEqual([401, { error: 'Invalid Authorization', type: 'ch:service' }])
  expect(wrong.headers.get('x-ratelimit-limit')).toBeNull()
})

it('the REST API answers 429 to the 601st request of a window and gives the whole budget back when it ends', async () => {
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
      house.changes.appointOfficer(number, 'KERSHAW, Niamh')
      house.changes.resignOfficer(number, house.changes.appointOfficer(number, 'ADAMS, Ravi'))
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

  it('of filings have those of one category or of several, and each by its id', async () => {
    const get = await open()
    const all = (await get(`/company/${NUMBER}/filing-history`)).body
    const some = (await get(`/company/${NUMBER}/filing-history?category=incorporation`)).body
    expect(some.items.map((item: { category: string }) => item.category)).toEqual(['incorporation'])
    expect(some.total_count).toBe(1)
    expect(all.total_count).toBeGreaterThanOrEqual(1)
    expect((await get(`/company/${NUMBER}/filing-history?category=nothing-like-it`)).body.total_count).toBe(0)
    const [{ transaction_id: id }] = some.items
    expect((await get(`/company/${NUMBER}/filing-history/${id}`)).body).toMatchObject({ transaction_id: id })
    expect((await get(`/company/${NUMBER}/filing-history/nothing`)).status).toBe(404)
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

/** The events that a change appended, by stream. */
async function eventsOf(streams: StreamName[], change: () => void): Promise<Record<string, Json[]>> {
  const before = new Map(streams.map((stream) => [stream, house.headOf(stream)]))
  change()
  const events: Record<string, Json[]> = {}
  for (const stream of streams) {
    const from = (before.get(stream) ?? 0) + 1
    const count = house.headOf(stream) - from + 1
    events[stream] = count === 0 ? [] : await (await readStream(stream, `?timepoint=${from}`)).events(count)
  }
  return events
}

const types = (events: Json[] | undefined) => events?.map(({ data }) => data.type)

describe('changes', () => {
  let get: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    get = await open()
  })

  it('a director is appointed and resigns: a filing, an officer and a profile event each', async () => {
    const { changes } = house
    let id = ''
    const appointed = await eventsOf(['filings', 'officers', 'companies'], () => {
      id = changes.appointOfficer(NUMBER, 'KERSHAW, Niamh')
    })
    expect(types(appointed['filings'])).toEqual(['AP01'])
    expect(appointed['officers']).toMatchObject([
      {
        resource_kind: 'company-officers',
        resource_uri: `/company/${NUMBER}/appointments/${id}`,
        resource_id: id,
        data: { name: 'KERSHAW, Niamh', officer_role: 'director', appointed_on: '2026-11-02' },
      },
    ])
    expect(appointed['officers']?.[0].data.links).toEqual({ self: `/company/${NUMBER}/appointments/${id}` })
    expect(appointed['companies']).toHaveLength(1)
    const resigned = await eventsOf(['filings', 'officers'], () => changes.resignOfficer(NUMBER, id))
    expect(types(resigned['filings'])).toEqual(['TM01'])
    expect(resigned['officers']?.[0].data.resigned_on).toBe('2026-11-02')
  })

  it('a charge is registered and satisfied', async () => {
    const { changes } = house
    let id = ''
    const registered = await eventsOf(['filings', 'charges', 'companies'], () => {
      id = changes.registerCharge(NUMBER)
    })
    expect(types(registered['filings'])).toEqual(['MR01'])
    expect(registered['charges']).toMatchObject([
      {
        resource_kind: 'company-charges',
        resource_id: id,
        data: { status: 'outstanding', charge_code: `${NUMBER}0001` },
      },
    ])
    expect(registered['companies']?.[0].data.has_charges).toBe(true)
    const satisfied = await eventsOf(['charges'], () => changes.satisfyCharge(NUMBER, id))
    expect(satisfied['charges']?.[0].data).toMatchObject({ status: 'fully-satisfied', satisfied_on: '2026-11-02' })
    expect((await get(`/company/${NUMBER}/charges`)).body).toMatchObject({ total_count: 1, satisfied_count: 1 })
  })

  it('a company goes into liquidation', async () => {
    const { changes } = house
    const insolvent = await eventsOf(['filings', 'insolvency-cases', 'companies'], () => {
      changes.becomeInsolvent(NUMBER)
    })
    expect(types(insolvent['filings'])).toEqual(['LIQ02', '600'])
    expect(insolvent['insolvency-cases']).toMatchObject([
      {
        resource_kind: 'company-insolvency',
        resource_uri: `/company/${NUMBER}/insolvency`,
        data: { status: ['liquidation'], cases: [{ type: 'creditors-voluntary-liquidation', number: '1' }] },
      },
    ])
    expect(insolvent['companies']?.[0].data.company_status).toBe('liquidation')
    expect((await get(`/company/${NUMBER}/insolvency`)).body.cases[0].dates).toEqual([
      { type: 'wound-up-on', date: '2026-11-02' },
    ])
    expect((await get(`/company/${NUMBER}`)).body).toMatchObject({
      company_status: 'liquidation',
      has_been_liquidated: true,
    })
  })

  it('a strike-off is proposed and discontinued', async () => {
    const { changes } = house
    const steps = await eventsOf(['filings', 'companies'], () => {
      changes.proposeStrikeOff(NUMBER)
      changes.discontinueStrikeOff(NUMBER)
    })
    expect(types(steps['filings'])).toEqual(['GAZ1', 'DISS40'])
    expect(steps['companies']?.map(({ data }) => [data.company_status, data.company_status_detail])).toEqual([
      ['active', 'active-proposal-to-strike-off'],
      ['active', undefined],
    ])
  })

  it('accounts, statements, names, offices and SIC codes change what the profile says', async () => {
    const { changes } = house
    changes.fileAccounts(NUMBER, { type: 'micro-entity' })
    changes.rename(NUMBER, 'Acme Group Ltd')
    changes.changeRegisteredOffice(NUMBER, { address_line_1: '2 Low Road', locality: 'York', care_of: 'A Smith' })
    const events = await eventsOf(['filings', 'companies'], () => changes.changeSicCodes(NUMBER, ['70229']))
    expect(types(events['filings'])).toEqual(['CS01'])
    expect(events['companies']?.[0].data.registered_office_address).toMatchObject({ care_of_name: 'A Smith' })
    expect((await get(`/company/${NUMBER}`)).body).toMatchObject({
      company_name: 'ACME GROUP LTD',
      previous_company_names: [{ name: 'ACME WIDGETS LTD', effective_from: '2024-08-12', ceased_on: '2026-11-02' }],
      registered_office_address: { address_line_1: '2 Low Road', care_of: 'A Smith' },
      sic_codes: ['70229'],
      accounts: {
        last_accounts: { type: 'micro-entity', made_up_to: '2025-08-31' },
        next_accounts: { period_start_on: '2025-09-01', period_end_on: '2026-08-31', due_on: '2027-05-31' },
      },
      confirmation_statement: { last_made_up_to: '2026-11-02', next_due: '2027-11-16' },
    })
    const { items } = (await get(`/company/${NUMBER}/filing-history`)).body
    expect(items.map((item: { type: string }) => item.type)).toEqual(['CS01', 'AD01', 'CERTNM', 'AA', 'NEWINC'])
  })

  it('a person with significant control is notified and ceases', async () => {
    const { changes } = house
    let id = ''
    const notified = await eventsOf(['filings', 'persons-with-significant-control'], () => {
      id = changes.notifyPsc(NUMBER, { name: 'Acme Holdings Ltd', kind: 'corporate-entity' })
    })
    expect(types(notified['filings'])).toEqual(['PSC02'])
    expect(notified['persons-with-significant-control']).toMatchObject([
      {
        resource_kind: 'company-psc-corporate',
        resource_uri: `/company/${NUMBER}/persons-with-significant-control/corporate-entity/${id}`,
        data: { kind: 'corporate-entity-person-with-significant-control', name: 'Acme Holdings Ltd' },
      },
    ])
    changes.ceasePsc(NUMBER, id)
    expect((await get(`/company/${NUMBER}/persons-with-significant-control`)).body).toMatchObject({
      total_results: 1,
      active_count: 0,
      ceased_count: 1,
    })
  })

  it('a company states that it knows no owner, withdraws that, and is exempt', async () => {
    const { changes } = house
    let id = ''
    const streams = ['persons-with-significant-control-statements', 'company-exemptions'] as const
    const stated = await eventsOf([...streams], () => {
      id = changes.statePsc(NUMBER, 'psc-exists-but-not-identified')
      changes.withdrawStatement(NUMBER, id)
      changes.exempt(NUMBER, 'psc-exempt-as-trading-on-uk-regulated-market', { from: '2026-01-05' })
    })
    const statement = {
      resource_kind: 'persons-with-significant-control-statement',
      resource_uri: `/company/${NUMBER}/persons-with-significant-control-statements/${id}`,
      resource_id: id,
    }
    expect(stated[streams[0]]).toMatchObject([
      { ...statement, data: { statement: 'psc-exists-but-not-identified' } },
      { ...statement, data: { ceased_on: '2026-11-02' } },
    ])
    expect(stated[streams[1]]).toMatchObject([
      {
        resource_kind: 'company-exemptions',
        // The one address of the streams without a slash before it.
        resource_uri: `company/${NUMBER}/exemptions`,
        resource_id: NUMBER,
        data: {
          exemptions: { psc_exempt_as_trading_on_uk_regulated_market: { items: [{ exempt_from: '2026-01-05' }] } },
        },
      },
    ])
    expect((await get(`/company/${NUMBER}/persons-with-significant-control`)).body.total_results).toBe(0)
  })
})
