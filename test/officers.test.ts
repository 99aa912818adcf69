/** `GET /v1/officers/{officer_id}` and `/disqualifications`: what a customer learns of one officer, and what is never guessed. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type NewCompany,
  SIMULATED_REST_KEY,
  SIMULATED_STREAM_KEY,
  SimulatedCompaniesHouse,
} from '../rig/companies-house/index.ts'
import { RestBudget } from '../src/register/details/rest-budget.ts'
import { readOfficer, startFollowing } from '../src/register/index.ts'
import { ago, director } from './setup/acorn.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

/** An id as the register makes them. */
const idOf = (name: string) => name.padEnd(27, '0')
const BORN = { month: 4, year: 1970 }

const appointed = (number: string, appointment: string, officer: string, facts: object = {}) =>
  director(number, appointment, {
    date_of_birth: BORN,
    nationality: 'Ruritanian',
    country_of_residence: 'Zenda',
    ...facts,
    links: {
      self: `/company/${number}/appointments/${appointment}`,
      officer: { appointments: `/officers/${idOf(officer)}/appointments` },
    },
  })

const SMITH = { name: 'SMITH, Robert John' }
const acorn: NewCompany = {
  number: '01234567',
  name: 'ACORN LIMITED',
  officers: [
    appointed('01234567', 'a1', 'robert', SMITH),
    appointed('01234567', 'a2', 'ann', { name: 'O’NEIL-WARD, Anne-Marie', date_of_birth: { month: 7, year: 1985 } }),
    appointed('01234567', 'a3', 'scribe', {
      name: 'PLAIN, Sam',
      officer_role: 'secretary',
      date_of_birth: undefined,
    }),
    appointed('01234567', 'a4', 'firm', {
      name: 'NOMINEES LIMITED',
      officer_role: 'corporate-director',
      date_of_birth: undefined,
    }),
    appointed('01234567', 'a8', 'rowan', { name: 'LASTLY, Rowan' }),
    appointed('01234567', 'a9', 'quinn', { name: 'LASTLY, Quinn' }),
    appointed('01234567', 'a10', 'morgan', { name: 'PIKE, Morgan' }),
    appointed('01234567', 'a7', 'leaver', { name: 'LEAVER, Lee', resigned_on: ago(-30) }),
    director('01234567', 'a5', { name: 'WITHOUT, Link' }),
    director('01234567', 'a6', {
      name: 'ODD, Link',
      links: {
        self: '/company/01234567/appointments/a6',
        officer: { appointments: '/officers/..%2f..%2fcompany/appointments' },
      },
    }),
  ],
}
const gone: NewCompany = {
  number: '02000000',
  name: 'GONE LIMITED',
  status: 'Dissolved',
  officers: [appointed('02000000', 'b1', 'robert', { ...SMITH, resigned_on: ago(30), appointed_on: '2011-01-02' })],
}
const many: NewCompany[] = Array.from({ length: 230 }, (_, index) => {
  const number = `03000${String(index).padStart(3, '0')}`
  return {
    number,
    name: `MANY ${index} LIMITED`,
    officers: [appointed(number, `m${index}`, 'agent', { name: 'AGENT, Al' })],
  }
})
const crowd: NewCompany = {
  number: '04000000',
  name: 'CROWD LIMITED',
  officers: [appointed('04000000', 'c1', 'common', { name: 'COMMON, Chris', date_of_birth: { month: 1, year: 1960 } })],
}

const house = SimulatedCompaniesHouse.fromCompanies([acorn, gone, ...many, crowd], {
  imageDelayMs: null,
  stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 },
})
const it = useTestService({ house, houseKeys: { restKey: SIMULATED_REST_KEY, streamKeys: [SIMULATED_STREAM_KEY] } })
const reader = prepare(() => it.openAccount())
beforeEach(() => {
  house.faults.clear()
  // What an earlier test spent of the budget leaves the window.
  it.clock.advance(400)
})

const read = (officer: string, key = reader.key) => it.call('GET', `/v1/officers/${idOf(officer)}`, { key })
const check = (officer: string, key = reader.key) =>
  it.call('GET', `/v1/officers/${idOf(officer)}/disqualifications`, { key })
const requests = () => house.stats.rest.total

describe('appointments', () => {
  test('the profile of a company leads to the other appointments of its officers', async () => {
    const { body: company } = await it.call('GET', '/v1/companies/01234567', { key: reader.key })
    const ids = Object.fromEntries(
      (company.officers as Array<{ name: string; officer_id: string | null }>).map((each) => [
        each.name,
        each.officer_id,
      ]),
    )
    // An id that could lead elsewhere is none.
    expect(ids).toMatchObject({ 'SMITH, Robert John': idOf('robert'), 'WITHOUT, Link': null, 'ODD, Link': null })
    const { status, body } = await read('robert')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      officer_id: idOf('robert'),
      name: 'Robert John SMITH',
      date_of_birth: BORN,
      is_company: false,
      identity_note: expect.stringContaining('Possibly several people'),
      appointments: [
        {
          company_number: '01234567',
          company_name: 'ACORN LIMITED',
          company_status_text: 'Active',
          role_text: 'Director',
          appointed_on: '2020-01-02',
          resigned_on: null,
        },
        { company_number: '02000000', company_status_text: 'Dissolved', resigned_on: ago(30) },
      ],
      appointments_total: 2,
      as_of: expect.any(String),
      missing: [],
    })
    expect(JSON.stringify(body)).not.toMatch(/Ruritanian|Zenda/)
  })

  test('of very many appointments the first 200 are listed, and the response says how many there are', async () => {
    const before = requests()
    const { body } = await read('agent')
    expect(body.appointments).toHaveLength(200)
    expect(body).toMatchObject({ appointments_total: 230, missing: [] })
    expect(requests() - before).toBe(4)
  })

  test('an id that the register does not have is 404, and what cannot be one is refused before any request', async () => {
    expect(await read('nobody')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const before = requests()
    for (const id of ['x', '..%2f..%2fcompany%2f01234567', `${idOf('a')}?q=1`.replace('?', '%3F'), 'a'.repeat(41)]) {
      for (const path of ['', '/disqualifications']) {
        const { status, body } = await it.call('GET', `/v1/officers/${id}${path}`, { key: reader.key })
        expect([id, status, body.errors?.[0]?.field]).toEqual([id, 400, 'officer_id'])
      }
    }
    expect(requests()).toBe(before)
  })

  test('a page of HTML in between is tried again', async () => {
    house.faults.rest.set({ answerHtml: { next: 2 } })
    expect(await read('robert')).toMatchObject({ status: 200, body: { missing: [], appointments_total: 2 } })
  })

  test('when the register is down or busy, the response says so and when to come back', async () => {
    house.faults.rest.set({ answer503: { next: 1_000 } })
    expect(await read('robert')).toMatchObject({
      status: 200,
      body: {
        name: null,
        appointments: null,
        appointments_total: null,
        as_of: null,
        missing: [{ part: 'appointments', reason: 'register_unavailable', retry_at: null }],
      },
    })
    house.faults.clear()
    house.faults.rest.set({ answer429: { next: 1 } })
    const { body } = await read('robert')
    expect(body.missing).toEqual([{ part: 'appointments', reason: 'budget_spent', retry_at: expect.any(String) }])
    expect(Date.parse(body.missing[0].retry_at)).toBeGreaterThan(it.clock.now().getTime())
    const before = requests()
    expect((await check('robert')).body).toMatchObject({ result: 'not_checked', not_checked_reason: 'budget_spent' })
    expect(requests()).toBe(before)
  })

  test('readers of the same officer at the same time share one fetch, and nothing about the officer is stored', async () => {
    const before = requests()
    const asking = { priority: 'user', maxWaitMs: 8_000, accountId: null } as const
    const replies = await Promise.all(Array.from({ length: 5 }, () => readOfficer(it.app, idOf('ann'), asking)))
    expect(replies.map(({ total }) => total)).toEqual([1, 1, 1, 1, 1])
    expect(requests() - before).toBe(1)
    await read('common')
    const stored = await it.app.db.query(`select from company_item where data::text like '%COMMON, Chris%'`)
    expect(stored).toEqual([])
  })

  test('an account cannot use up the requests of all others', async () => {
    const greedy = await it.openAccount()
    const all = { priority: 'user', count: 120, maxWaitMs: 0, accountId: greedy.id } as const
    expect(await new RestBudget(it.app).take(all)).toMatchObject({ kind: 'granted', count: 120 })
    await it.app.db.query('update register_rest_budget set granted[65] = 300')
    expect((await read('robert', greedy.key)).body.missing).toMatchObject([{ reason: 'budget_spent' }])
    await using agent = await connect(it, { 'x-api-key': greedy.key })
    const { text, structured } = await agent.ask('get_officer', { officer_id: idOf('robert') })
    expect(structured.missing).toBe('budget_spent')
    expect(text).toContain('not available now: we have reached the register’s request limit')
    expect(text).not.toContain('budget_spent')
    expect((await read('robert')).body.missing).toEqual([])
  })

  test('the id stays known when the stream sends the officer again without it', async () => {
    const readOfficers = async () => (await it.call('GET', '/v1/companies/02000000', { key: reader.key })).body.officers
    expect((await readOfficers())[0].officer_id).toBe(idOf('robert'))
    const follower = startFollowing(it.app)
    try {
      const isFollowed = async () => (await it.call('GET', '/v1/status')).body.register.streams
      await expect
        .poll(async () =>
          (await isFollowed()).every(({ lag_seconds: lag }: { lag_seconds: number | null }) => lag !== null),
        )
        .toBe(true)
      house.changes.resignOfficer('02000000', 'b1', ago(1))
      await expect.poll(async () => (await readOfficers())[0].resigned_on).toBe(ago(1))
      expect((await readOfficers())[0].officer_id).toBe(idOf('robert'))
    } finally {
      await follower.close()
    }
  })
})

describe('disqualifications', () => {
  test('someone of the same name and birth month is found, with the orders, their days and why', async () => {
    house.changes.disqualify({
      forename: 'Robert',
      other_forenames: 'John',
      surname: 'SMITH',
      date_of_birth: '1970-04-12',
      nationality: 'Ruritanian',
      orders: [
        {
          disqualified_from: '2001-01-02',
          disqualified_until: '2006-01-01',
          disqualification_type: 'court-order',
          court_name: 'Leeds',
        },
        { disqualified_until: '9999-12-31', disqualification_type: 'sanction' },
      ],
    })
    const { status, body, text } = await check('robert')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      result: 'found',
      result_text: expect.stringContaining('with an order in force'),
      not_checked_reason: null,
      orders: [
        {
          name: 'Robert John SMITH',
          state: 'in_force',
          disqualified_from: '2024-03-01',
          disqualified_until: null,
          type_text: 'Sanction',
          reason_text: 'Disqualification order or undertaking; and reporting provisions',
          act_text: 'Company Directors Disqualification Act 1986, section 7',
          company_names: ['COLLAPSED TRADING LIMITED'],
          register_url: expect.stringMatching(
            /^https:\/\/find-and-update\S+\/disqualified-officers\/natural\/[\w-]{27}$/,
          ),
        },
        { state: 'expired', disqualified_until: '2006-01-01', type_text: 'Court order', court_name: 'Leeds' },
      ],
    })
    // The register has the day of birth and the nationality; neither is shown.
    expect(text).not.toMatch(/1970-04-12|Ruritanian/)
  })

  test('a namesake of another birth month or name is no finding', async () => {
    house.changes.disqualify({ forename: 'Anne', surname: 'O’NEIL-WARD', date_of_birth: '1985-07-03' })
    house.changes.disqualify({ forename: 'Anne-Marie', surname: 'O’NEIL-WARD', date_of_birth: '1985-08-03' })
    house.changes.disqualify({ forename: 'Marie-Anne', surname: 'O’NEIL-WARD', date_of_birth: '1985-07-03' })
    const { body } = await check('ann')
    // The register is asked for the name as it is written.
    const searches = house.stats.rest.requests.filter(({ path }) => path.startsWith('/search/'))
    expect(new URL(searches.at(-1)?.path ?? '', 'http://x').searchParams.get('q')).toBe('Anne-Marie O’NEIL-WARD')
    // "Anne" alone may be Anne-Marie: possible, and only that one.
    expect(body).toMatchObject({ result: 'possible', orders: [{ name: 'Anne O’NEIL-WARD' }] })
    expect(body.result_text).toContain('leaves out further forenames')
  })

  test('without a published birth month nothing is checked, and a company is no person', async () => {
    house.changes.disqualify({ forename: 'Sam', surname: 'PLAIN', date_of_birth: '1970-04-12' })
    const before = requests()
    expect((await check('scribe')).body).toMatchObject({
      result: 'not_checked',
      not_checked_reason: 'no_birth_date',
      result_text: expect.stringContaining('never check by name alone'),
      orders: [],
      as_of: null,
    })
    expect((await check('firm')).body).toMatchObject({ result: 'not_checked', not_checked_reason: 'not_a_person' })
    // The officer itself, and no search.
    expect(requests() - before).toBe(2)
  })

  test('nobody of this name is no finding, and unknown officers are 404', async () => {
    expect((await check('agent')).body).toMatchObject({ result: 'none_found', orders: [], as_of: expect.any(String) })
    expect(await check('nobody')).toMatchObject({ status: 404 })
  })

  test('a register that fails after the first request is not taken for a clean record', async () => {
    house.faults.rest.set({ answer502: { next: 1_000, after: 1 } })
    const { body } = await check('agent')
    expect(body).toMatchObject({ name: 'Al AGENT', result: 'not_checked', not_checked_reason: 'register_unavailable' })
    expect(body.result_text).toContain('the register does not respond')
  })

  test('someone whom the search ranks behind a page of others is found all the same', async () => {
    for (let index = 0; index < 150; index += 1)
      house.changes.disqualify({ forename: 'Rowan', surname: `OTHER${index}`, date_of_birth: '1970-04-12' })
    const wanted = { forename: 'Rowan', surname: 'LASTLY', date_of_birth: '1970-04-12' }
    house.changes.disqualify({ ...wanted, inSearch: { isLast: true } })
    expect((await check('rowan')).body).toMatchObject({ result: 'found', orders: [{ name: 'Rowan LASTLY' }] })
  })

  test('a search that finds more people than we read, none of this name, is not taken for a clean record', async () => {
    for (let index = 0; index < 520; index += 1)
      house.changes.disqualify({ forename: 'Quinn', surname: `OTHER${index}`, date_of_birth: '1970-04-12' })
    const wanted = { forename: 'Quinn', surname: 'LASTLY', date_of_birth: '1970-04-12' }
    house.changes.disqualify({ ...wanted, inSearch: { isLast: true } })
    const before = requests()
    const { body } = await check('quinn')
    expect(body).toMatchObject({ result: 'not_checked', not_checked_reason: 'too_many_results', orders: [] })
    expect(body.result_text).toContain('more people for this name than we read')
    expect(requests() - before).toBe(2)
  })

  test.each([
    ['with another name in brackets', 'Morgan Pike (formerly Jones)'],
    ['with a comma in brackets', 'Morgan PIKE (AKA Jones, Jack)'],
    ['in capitals with the surname first', 'PIKE MORGAN'],
    ['with a letter for the forename', 'M Pike'],
    ['without a forename', 'Mr PIKE'],
    ['of signs alone', '***'],
    ['that is missing', null],
  ])('a title %s does not hide a disqualified person', async (_name, title) => {
    const id = house.changes.disqualify({
      forename: 'Morgan',
      surname: 'PIKE',
      date_of_birth: '1970-04-12',
      inSearch: { title },
    })
    const { body } = await check('morgan')
    expect(body).toMatchObject({ result: 'found', orders: [{ register_url: expect.stringContaining(id) }] })
    house.changes.requalify(id)
  })

  test('a result that leads to no record is not taken for a clean record', async () => {
    const id = house.changes.disqualify({
      forename: 'Morgan',
      surname: 'PIKE',
      date_of_birth: '1970-04-12',
      inSearch: { link: '/somewhere/else' },
    })
    expect((await check('morgan')).body).toMatchObject({
      result: 'not_checked',
      not_checked_reason: 'unreadable_result',
      result_text: expect.stringContaining('we cannot read it'),
    })
    house.changes.requalify(id)
    expect((await check('morgan')).body).toMatchObject({ result: 'none_found' })
  })

  test('so many namesakes that not all can be read are said, and not taken for none', async () => {
    for (let index = 0; index < 520; index += 1) {
      house.changes.disqualify({ forename: 'Chris', surname: 'COMMON', date_of_birth: `19${50 + (index % 9)}-01-02` })
    }
    const before = requests()
    expect((await check('common')).body).toMatchObject({
      result: 'not_checked',
      not_checked_reason: 'too_many_results',
    })
    expect(requests() - before).toBe(6)
  })

  test('names of people stay out of the log', () => {
    expect(it.logText()).toContain('register.rest_failed')
    expect(it.logText()).not.toMatch(/AGENT|COMMON|SMITH/)
  })
})

describe('a test key', () => {
  test.each([
    ['NONE-FOUND-001', 'none_found'],
    ['FOUND-00000001', 'found'],
    ['POSSIBLE-00001', 'possible'],
    ['UNCHECKED-0001', 'not_checked'],
  ])('reads the test officer %s, which is %s', async (name, result) => {
    const before = requests()
    const id = `TEST-OFFICER-${name}`
    const { body } = await read(id, reader.testKey)
    expect(body).toMatchObject({ officer_id: id, appointments: [{ company_number: 'TS000001' }] })
    expect((await check(id, reader.testKey)).body).toMatchObject({ result })
    expect(requests()).toBe(before)
  })

  test('sees no officer of the real register', async () => {
    const before = requests()
    expect(await read('robert', reader.testKey)).toMatchObject({ status: 404 })
    expect(await check('robert', reader.testKey)).toMatchObject({ status: 404 })
    expect(requests()).toBe(before)
  })
})

test('an agent reads the appointments, and checks for disqualifications when asked to', async () => {
  await using agent = await connect(it, { 'x-api-key': reader.key })
  const profile = await agent.ask('get_company', { company_number: '01234567' })
  expect(profile.structured).toMatchObject({
    officers: expect.arrayContaining([expect.objectContaining({ officer_id: idOf('robert') })]),
  })
  const plain = await agent.ask('get_officer', { officer_id: idOf('agent') })
  expect(plain.structured).toMatchObject({ appointments_total: 230, disqualification: null })
  expect(plain.text).toContain('Possibly several people')
  const checked = await agent.ask('get_officer', { officer_id: idOf('robert'), check_disqualification: true })
  expect(checked.structured).toMatchObject({ disqualification: { result: 'found' } })
  expect(checked.text).toContain('with an order in force')
  const wrong = await agent.ask('get_officer', { officer_id: '../../company' })
  expect(wrong.isError).toBe(true)
})

test('an agent reads that a director whose resignation lies ahead is in office', async () => {
  await using agent = await connect(it, { 'x-api-key': reader.key })
  const { text } = await agent.ask('get_officer', { officer_id: idOf('leaver') })
  expect(text).toContain('In office: Director of ACORN LIMITED (01234567).')
})

describe('when the operator has switched people features off', () => {
  const other = SimulatedCompaniesHouse.fromCompanies([acorn], { imageDelayMs: null })
  const off = useTestService({ house: other, peopleFeatures: false })
  const caller = prepare(() => off.openAccount())

  test('the endpoints are 404 with the reason, profiles lead nowhere, and agents have no tool', async () => {
    const before = other.stats.rest.total
    for (const path of ['', '/disqualifications']) {
      const { status, body } = await off.call('GET', `/v1/officers/${idOf('robert')}${path}`, { key: caller.key })
      expect([status, body.detail]).toEqual([404, expect.stringContaining('switched off')])
    }
    expect(other.stats.rest.total).toBe(before)
    const { body } = await off.call('GET', '/v1/companies/01234567', { key: caller.key })
    expect(body.officers).toHaveLength(acorn.officers?.length ?? 0)
    expect(body.officers.every(({ officer_id: id }: { officer_id: string | null }) => id === null)).toBe(true)
    await using agent = await connect(off, { 'x-api-key': caller.key })
    expect((await agent.client.listTools()).tools.map(({ name }) => name)).not.toContain('get_officer')
    const profile = await agent.ask('get_company', { company_number: '01234567' })
    expect(profile.text).not.toContain(idOf('robert'))
  })
})

test('a person who objected has no page and no check, whatever id the register gives', async () => {
  const path = `/v1/officers/${idOf('ann')}`
  expect((await it.call('GET', path, { key: reader.key })).status).toBe(200)
  const done = await it.run(
    'person',
    'withhold',
    'O’Neil-Ward, Anne-Marie',
    '--born',
    '1985-07',
    '--reference',
    'DSR-1',
  )
  expect(done.code).toBe(0)
  for (const asked of [path, `${path}/disqualifications`]) {
    const refused = await it.call('GET', asked, { key: reader.key })
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
    expect(refused.text).not.toMatch(/Neil/)
  }
  const { body } = await it.call('GET', '/v1/companies/01234567', { key: reader.key })
  expect(JSON.stringify(body.officers)).not.toMatch(/NEIL/)
})
