import { afterEach, beforeEach, expect, it } from 'vitest'
import { SIMULATED_REST_KEY, SIMULATED_STREAM_KEY, SimulatedCompaniesHouse, type StreamName } from './index.ts'

const NUMBER = '07687209'
const clock = { now: () => new Date('2026-11-02T10:00:00Z') }
let house: SimulatedCompaniesHouse
let urls: { restUrl: string; streamUrl: string }

beforeEach(async () => {
  const company = { number: NUMBER, name: 'ACME LTD', incorporatedOn: '2024-08-12' }
  house = SimulatedCompaniesHouse.fromCompanies([company], { clock, imageDelayMs: null })
  urls = await house.listen()
})

afterEach(() => house.close())

// oxlint-disable-next-line typescript/no-explicit-any -- the tests read bodies freely
type Json = any

async function get(path: string): Promise<Json> {
  const headers = { authorization: `Basic ${btoa(`${SIMULATED_REST_KEY}:`)}` }
  return (await fetch(urls.restUrl + path, { headers })).json()
}

/** The events that a change appended, by stream. */
async function eventsOf(streams: StreamName[], change: () => void): Promise<Record<string, Json[]>> {
  const before = new Map(streams.map((stream) => [stream, house.headOf(stream)]))
  change()
  const events: Record<string, Json[]> = {}
  for (const stream of streams) {
    const from = (before.get(stream) ?? 0) + 1
    const count = house.headOf(stream) - from + 1
    events[stream] = count === 0 ? [] : await readLines(`${urls.streamUrl}/${stream}?timepoint=${from}`, count)
  }
  return events
}

async function readLines(url: string, count: number): Promise<Json[]> {
  const headers = { authorization: `Basic ${btoa(`${SIMULATED_STREAM_KEY}:`)}` }
  const response = await fetch(url, { headers })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString('utf8')
    if (text.split('\n').length > count) break
  }
  return text
    .split('\n')
    .slice(0, count)
    .map((line) => JSON.parse(line))
}

const types = (events: Json[] | undefined) => events?.map(({ data }) => data.type)

it('a director is appointed and resigns: a filing, an officer and a profile event each', async () => {
  const { changes } = house
  let id = ''
  const appointed = await eventsOf(['filings', 'officers', 'companies'], () => {
    id = changes.appointOfficer(NUMBER, { name: 'KERSHAW, Niamh' })
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
  expect(await get(`/company/${NUMBER}/charges`)).toMatchObject({ total_count: 1, satisfied_count: 1 })
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
  expect((await get(`/company/${NUMBER}/insolvency`)).cases[0].dates).toEqual([
    { type: 'wound-up-on', date: '2026-11-02' },
  ])
  expect(await get(`/company/${NUMBER}`)).toMatchObject({ company_status: 'liquidation', has_been_liquidated: true })
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
  expect(await get(`/company/${NUMBER}`)).toMatchObject({
    company_name: 'ACME GROUP LTD',
    previous_company_names: [{ name: 'ACME LTD', effective_from: '2024-08-12', ceased_on: '2026-11-02' }],
    registered_office_address: { address_line_1: '2 Low Road', care_of: 'A Smith' },
    sic_codes: ['70229'],
    accounts: {
      last_accounts: { type: 'micro-entity', made_up_to: '2025-08-31' },
      next_accounts: { period_start_on: '2025-09-01', period_end_on: '2026-08-31', due_on: '2027-05-31' },
    },
    confirmation_statement: { last_made_up_to: '2026-11-02', next_due: '2027-11-16' },
  })
  const { items } = await get(`/company/${NUMBER}/filing-history`)
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
  expect(await get(`/company/${NUMBER}/persons-with-significant-control`)).toMatchObject({
    total_results: 1,
    active_count: 0,
    ceased_count: 1,
  })
})
