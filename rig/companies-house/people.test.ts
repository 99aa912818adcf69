/** The simulated resources about people have the shapes of the official ones. */
import { expect, it } from 'vitest'
import { SIMULATED_REST_KEY } from './index.ts'
import { authorization, house, NUMBER, openHouse, urls } from './opened-house.ts'

const OFFICER = 'officer'.padEnd(27, '0')
const officer = (number: string, facts: object = {}) => ({
  name: 'SMITH, Jo Ann',
  officer_role: 'director',
  appointed_on: '2020-01-02',
  date_of_birth: { month: 4, year: 1970 },
  links: {
    self: `/company/${number}/appointments/a${number}`,
    officer: { appointments: `/officers/${OFFICER}/appointments` },
  },
  ...facts,
})

async function open() {
  const others = Array.from({ length: 60 }, (_, index) => {
    const number = `0200${String(index).padStart(4, '0')}`
    return { number, name: `OTHER ${index} LTD`, officers: [officer(number, { resigned_on: '2024-01-01' })] }
  })
  await openHouse([{ number: NUMBER, name: 'ACME WIDGETS LTD', officers: [officer(NUMBER)] }, ...others], {})
  return async (path: string) => {
    const response = await fetch(urls.restUrl + path, { headers: authorization(SIMULATED_REST_KEY) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
}

it('lists an officer’s appointments, at most 50 on a page, those in office first and without their ids', async () => {
  const get = await open()
  const { body } = await get(`/officers/${OFFICER}/appointments?items_per_page=500`)
  expect(body).toMatchObject({
    kind: 'personal-appointment',
    name: 'Jo Ann SMITH',
    date_of_birth: { month: 4, year: 1970 },
    is_corporate_officer: false,
    items_per_page: 50,
    start_index: 0,
    total_results: 61,
    active_count: 1,
    resigned_count: 60,
  })
  expect(body.items).toHaveLength(50)
  expect(body.items[0]).toMatchObject({
    appointed_to: { company_name: 'ACME WIDGETS LTD', company_number: NUMBER, company_status: 'active' },
    name_elements: { forename: 'Jo', other_forenames: 'Ann', surname: 'SMITH' },
    links: { company: `/company/${NUMBER}` },
  })
  const last = await get(`/officers/${OFFICER}/appointments?items_per_page=50&start_index=50`)
  expect(last.body.items).toHaveLength(11)
  expect(await get(`/officers/${'x'.repeat(27)}/appointments`)).toEqual({ status: 404, body: null })
})

it('finds disqualified people by words of their names, with a link to the record', async () => {
  const get = await open()
  const id = house.changes.disqualify({ forename: 'Jo', surname: 'SMITH', date_of_birth: '1970-04-12' })
  house.changes.disqualify({ forename: 'Sam', surname: 'SMITH', date_of_birth: '1980-01-01' })
  const { body } = await get('/search/disqualified-officers?q=jo+smith')
  expect(body).toMatchObject({ kind: 'search#disqualified-officers', total_results: 2, page_number: 1 })
  expect(body.items[0]).toMatchObject({
    kind: 'searchresults#disqualified-officer',
    title: 'Jo SMITH',
    date_of_birth: '1970-04-12',
    links: { self: `/disqualified-officers/natural/${id}` },
  })
  const record = await get(`/disqualified-officers/natural/${id}`)
  expect(record.body).toMatchObject({
    kind: 'natural-disqualification',
    surname: 'SMITH',
    disqualifications: [{ disqualification_type: 'undertaking', reason: { section: '7' } }],
  })
  expect((await get('/disqualified-officers/natural/none')).status).toBe(404)
  expect((await get('/search/disqualified-officers?q=smith&start_index=1000')).status).toBe(416)
})
