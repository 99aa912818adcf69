/** `GET /v1/companies/{company_number}`: what a customer reads about one company, and what happens when the register is short of answers. */
import { beforeEach, expect, test } from 'vitest'
import { type NewCompany, SIMULATED_REST_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { ACORN, ago, director } from './setup/acorn.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const FULL: NewCompany = {
  ...ACORN,
  officers: [
    director('01234567', 'gone', { resigned_on: ago(10), nationality: 'British' }),
    director('01234567', 'here', { date_of_birth: { month: 4, year: 1970 } }),
    director('01234567', 'scribe', { officer_role: 'secretary', resigned_on: ago(3) }),
  ],
}

/** Companies that each test uses up: what was fetched once is not fetched again. */
const plain = Array.from({ length: 9 }, (_, index) => ({ number: `0200000${index}`, name: `PLAIN ${index} LIMITED` }))
const changing: NewCompany = {
  number: '05000000',
  name: 'CHANGING LIMITED',
  officers: ['same', 'older', 'newer'].map((id) => director('05000000', id, { occupation: 'of REST' })),
}
const LATE = { appointment_verification_statement_due_on: '2026-01-31' }
const unverified: NewCompany = {
  number: '05000002',
  name: 'UNVERIFIED LIMITED',
  officers: [
    director('05000002', 'late', { identity_verification_details: LATE }),
    director('05000002', 'done', {
      identity_verification_details: { appointment_verification_start_on: '2025-12-01', preferred_name: 'Robin' },
    }),
    director('05000002', 'silent', {}),
    director('05000002', 'left', { identity_verification_details: LATE, resigned_on: ago(10) }),
  ],
}
const parent: NewCompany = { number: '00012345', name: 'ACORN HOLDINGS LIMITED' }
const corporateOwner = (id: string, name: string, identification: Record<string, string>) => ({
  kind: 'corporate-entity-person-with-significant-control',
  name,
  identification: { legal_form: 'Limited Company', legal_authority: 'Companies Act', ...identification },
  natures_of_control: ['ownership-of-shares-75-to-100-percent', 'voting-rights-75-to-100-percent'],
  notified_on: '2020-01-02',
  etag: '1',
  links: { self: `/company/05000001/persons-with-significant-control/corporate-entity/${id}` },
})
const owned: NewCompany = {
  number: '05000001',
  name: 'OWNED LIMITED',
  pscs: [
    corporateOwner('right', 'Acorn Holdings Ltd', { registration_number: '12345', country_registered: 'England' }),
    corporateOwner('jersey', 'Acorn Holdings Limited', { registration_number: '12345', country_registered: 'Jersey' }),
    corporateOwner('another', 'Walnut Holdings Ltd', {
      registration_number: '00012345',
      country_registered: 'England',
    }),
    corporateOwner('itself', 'Owned Limited', { registration_number: '05000001', country_registered: 'England' }),
  ],
}
const marked: NewCompany = {
  number: '05000003',
  name: 'MARKED LIMITED',
  remarks: { isOfficeInDispute: true },
  pscs: [
    {
      kind: 'individual-beneficial-owner',
      name: 'Max Marked',
      natures_of_control: ['ownership-of-shares-75-to-100-percent'],
      notified_on: '2020-01-02',
      is_sanctioned: true,
      identity_verification_details: LATE,
      etag: '1',
      links: { self: '/company/05000003/persons-with-significant-control/individual-beneficial-owner/marked' },
    },
  ],
}
const crowd: NewCompany = {
  number: '03000000',
  name: 'CROWD LIMITED',
  officers: Array.from({ length: 620 }, (_, index) => director('03000000', `crowd${index}`, {})),
}

const house = SimulatedCompaniesHouse.fromCompanies(
  [FULL, ...plain, changing, parent, owned, unverified, marked, crowd],
  {
    imageDelayMs: null,
  },
)
const it = useTestService({
  house,
})
const reader = prepare(() => it.openAccount())
beforeEach(async () => {
  house.faults.clear()
  // What an earlier test spent of the budget leaves the window.
  it.clock.advance(400)
})

const read = (number: string) => it.call('GET', `/v1/companies/${number}`, { key: reader.key })
const requestsFor = (number: string) => house.stats.rest.requests.filter(({ path }) => path.includes(number)).length

test('a director who is late to verify their identity is marked, and the preferred name is neither stored nor shown', async () => {
  const { body } = await read(unverified.number)
  const states = (body.officers as Array<{ name: string; identity: { state: string } | null }>).map(
    ({ name, identity }) => [name, identity?.state ?? null],
  )
  expect(Object.fromEntries(states)).toEqual({
    'OFFICER, late': 'overdue',
    'OFFICER, done': 'verified',
    'OFFICER, silent': null,
    'OFFICER, left': null,
  })
  expect(body.warnings).toContainEqual({
    code: 'director_identity_overdue',
    severity: 'medium',
    text: '1 of 3 directors is late to verify their identity.',
  })
  expect(JSON.stringify(body)).not.toContain('Robin')
  const stored = await it.app.db.query(`select from company_item where data::text like '%Robin%'`)
  expect(stored).toEqual([])
})

test('a company opens with its owner’s sanctions and lateness and its disputed office, which its first reading says', async () => {
  const { body } = await read(marked.number)
  expect(body.warnings.map(({ code, severity }: { code: string; severity: string }) => [code, severity])).toEqual([
    ['owner_sanctioned', 'high'],
    ['office_in_dispute', 'medium'],
    ['psc_identity_overdue', 'low'],
  ])
  expect(body.pscs).toMatchObject([{ name: 'Max Marked', is_sanctioned: true }])
  await using agent = await connect(it, { 'x-api-key': reader.key })
  const { text, structured } = await agent.ask('get_company', { company_number: marked.number })
  expect(text).toContain('Warnings: The register marks an owner of the company as sanctioned.')
  expect(structured['owners']).toMatchObject([{ name: 'Max Marked', is_sanctioned: true }])
})

test('an owner is linked to its own company when number and name agree, never by a foreign number or another name', async () => {
  await read(parent.number)
  const { body } = await read(owned.number)
  const owners = body.pscs as Array<{
    name: string
    country_registered: string
    control: string
    owner_company: object | null
  }>
  expect(owners.map(({ control }) => control)).toEqual(['parent', 'parent', 'parent', 'parent'])
  const linked = owners.filter(({ owner_company: company }) => company !== null)
  expect(linked).toEqual([
    expect.objectContaining({
      name: 'Acorn Holdings Ltd',
      country_registered: 'England',
      registration_number: '12345',
      owner_company: {
        company_number: '00012345',
        company_name: 'ACORN HOLDINGS LIMITED',
        company_status: 'active',
        company_status_detail: null,
        company_status_text: 'Active',
      },
    }),
  ])
})

test('a company we never saw is looked up and told whole', async () => {
  const { status, body } = await read('1234567')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    company_number: '01234567',
    company_name: 'ACORN LIMITED',
    company_status: 'active',
    company_type: 'ltd',
    registered_postcode: 'LS1 4AP',
    sic_codes: ['62012'],
    previous_names: [{ name: 'OAK LIMITED', ceased_on: '2021-05-06' }],
    officers: [
      { name: 'OFFICER, here', resigned_on: null, date_of_birth: { month: 4, year: 1970 } },
      { name: 'OFFICER, scribe', role: 'secretary' },
      { name: 'OFFICER, gone', resigned_on: ago(10), nationality: 'British' },
    ],
    insolvency: {
      status: [],
      status_text: [],
      cases: [
        {
          type: 'corporate-voluntary-arrangement',
          number: '1',
          practitioners: [{ role: 'practitioner', role_text: 'Practitioner' }],
        },
      ],
    },
    pscs: [
      {
        name: 'Jo Smith',
        natures_of_control: ['ownership-of-shares-75-to-100-percent'],
        control: 'parent',
        control_text: 'More than half of the shares or votes, or the right to appoint the board',
      },
    ],
    totals: { officers: 3, charges: 3, insolvency: 1, pscs: 1 },
    missing: [],
  })
  expect(body.charges).toHaveLength(3)
  expect(body.filings.length).toBeGreaterThan(0)
  expect(body.facts).toMatchObject({
    accounts_type: 'micro-entity',
    accounts_type_text: 'Micro Entity',
    accounts_overdue: true,
    has_insolvency_history: true,
    current_insolvency_status: null,
    current_insolvency_status_text: null,
    has_active_charges: true,
    recent_director_resignation: true,
    last_director_change_date: ago(10),
    recent_resignations: [
      {
        name: 'OFFICER, gone',
        role: 'director',
        role_text: 'Director',
        resigned_on: ago(10),
        appointed_on: '2020-01-02',
      },
    ],
  })
  expect(Object.values(body.as_of).every((at) => typeof at === 'string')).toBe(true)
})

test('a charge says what it is over and which debt it secures, to people, programs and agents', async () => {
  const { body } = await read('01234567')
  expect(body.charges).toMatchObject([
    {
      particulars: { flags_text: ['Contains fixed charge', 'Chargor acting as a bare trustee for the property'] },
      secured_details: null,
    },
    {
      particulars: { type_text: 'Short particulars', flags: expect.arrayContaining(['floating_charge_covers_all']) },
      secured_details: { type_text: 'Amount secured', description: expect.stringContaining('All monies') },
    },
    { particulars: { type_text: 'Brief description', description: expect.stringContaining('4 Weir Lane') } },
  ])
  await using agent = await connect(it, { 'x-api-key': reader.key })
  const { text, structured } = await agent.ask('get_company', { company_number: '01234567' })
  expect(structured['charges']).toMatchObject([
    { particulars_text: ['Contains fixed charge', 'Chargor acting as a bare trustee for the property'] },
    { secured_text: expect.stringContaining('All monies') },
    { particulars_text: expect.arrayContaining([expect.stringContaining('4 Weir Lane')]) },
  ])
  expect(text).toContain('Newest charge (outstanding), to Lowmoor Bank PLC: Contains fixed charge; Chargor acting')
})

test('what was fetched once is read from our own tables, a session reads it too', async () => {
  await read('01234567')
  const before = house.stats.rest.total
  const again = await it.call('GET', '/v1/companies/01234567', { token: reader.token })
  expect([again.status, again.body.missing]).toEqual([200, []])
  expect(again.body.officers).toHaveLength(3)
  expect(house.stats.rest.total).toBe(before)
})

test('a number without a company is 404, and what cannot be a number is 400', async () => {
  expect(await read('99999999')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const nonsense = await read('ACME')
  expect(nonsense).toMatchObject({ status: 400, body: { errors: [{ field: 'company_number' }] } })
})

test('all pages of a long list are fetched', async () => {
  const { body } = await read('03000000')
  expect(body.officers).toHaveLength(620)
  expect(requestsFor('03000000/officers')).toBe(2)
})

test('readers of the same company at the same time share one fetch', async () => {
  const replies = await Promise.all(Array.from({ length: 6 }, () => read('02000000')))
  expect(replies.map(({ status, body }) => [status, body.missing.length])).toEqual(replies.map(() => [200, 0]))
  expect(requestsFor('02000000/officers')).toBe(1)
})

test('what a stream told after the question stays, what it told before gives way, and what is gone goes', async () => {
  const now = it.clock.now().getTime()
  const rows = [
    { id: 'older', timepoint: 7, at: new Date(now - 60_000) },
    { id: 'newer', timepoint: 9, at: new Date(now + 60_000) },
    { id: 'removed', timepoint: 5, at: new Date(now - 60_000) },
  ]
  for (const { id, timepoint, at } of rows) {
    await it.app.db.query(
      `insert into company_item (company_number, kind, item_id, data, timepoint, changed_at)
       values ('05000000', 'officer', $1, $2, $3, $4)`,
      [id, { name: id, occupation: 'of the stream' }, timepoint, at],
    )
  }
  await read('05000000')
  const stored = await it.app.db.query(
    `select item_id, data ->> 'occupation' as occupation, timepoint from company_item
     where company_number = '05000000' and kind = 'officer' order by item_id`,
  )
  expect(stored).toEqual([
    { item_id: 'newer', occupation: 'of the stream', timepoint: 9 },
    { item_id: 'older', occupation: 'of REST', timepoint: 7 },
    { item_id: 'same', occupation: 'of REST', timepoint: 0 },
  ])
})

test('when the register is down, a company we know is told with what is missing and why', async () => {
  // The profile is known from before; its parts are not.
  await read('02000001')
  await it.app.db.query(`delete from company_part where company_number = '02000001' and kind <> 'owner'`)
  house.faults.rest.set({ answer503: { next: 1_000 } })
  const { status, body } = await read('02000001')
  expect(status).toBe(200)
  expect(body.missing).toEqual(
    ['officers', 'charges', 'insolvency', 'filings'].map((part) => ({
      part,
      reason: 'register_unavailable',
      retry_at: null,
    })),
  )
  expect(body).toMatchObject({ company_name: 'PLAIN 1 LIMITED', officers: null, charges: null, pscs: [] })
  expect(body.as_of).toMatchObject({ company: expect.any(String), officers: null, pscs: expect.any(String) })
  expect(body.facts).toMatchObject({
    recent_director_resignation: null,
    has_insolvency_history: null,
    has_active_charges: null,
    recent_resignations: [],
  })
  house.faults.clear()
  expect((await read('02000001')).body.missing).toEqual([])
})

test('a company that cannot be looked up now is 503, not 404', async () => {
  house.faults.rest.set({ drop: { next: 1_000 } })
  expect(await read('02000002')).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } })
  house.faults.clear()
  expect((await read('02000002')).status).toBe(200)
})

test.each([
  ['a page of HTML', 'answerHtml'],
  ['half a document', 'halfBody'],
  ['a gateway’s error', 'answer502'],
] as const)('%s in between is tried again', async (_, fault) => {
  const number = { answerHtml: '02000003', halfBody: '02000004', answer502: '02000005' }[fault]
  house.faults.rest.set({ [fault]: { next: 2 } })
  expect(await read(number)).toMatchObject({ status: 200, body: { missing: [] } })
})

test('when the register says too many, everybody stops until it said to go on', async () => {
  await read('02000006')
  await it.app.db.query(`delete from company_part where company_number = '02000006'`)
  house.faults.rest.set({ answer429: { next: 1 } })
  const { status, body } = await read('02000006')
  expect(status).toBe(200)
  const stopped = body.missing.find(({ reason }: { reason: string }) => reason === 'budget_spent')
  expect(Date.parse(stopped.retry_at)).toBeGreaterThan(it.clock.now().getTime())
  const before = house.stats.rest.total
  expect(await read('02000007')).toMatchObject({ status: 503 })
  expect(house.stats.rest.total).toBe(before)
  it.clock.advance(310)
  expect((await read('02000007')).body.missing).toEqual([])
})

test('when the budget is spent, the answer says what is missing and when to come back', async () => {
  await read('02000008')
  await it.app.db.query(`delete from company_part where company_number = '02000008' and kind = 'officer'`)
  await it.app.db.query('update register_rest_budget set granted[65] = 570')
  const { status, body } = await read('02000008')
  expect(status).toBe(200)
  expect(body.missing).toEqual([{ part: 'officers', reason: 'budget_spent', retry_at: expect.any(String) }])
  expect(Date.parse(body.missing[0].retry_at)).toBeGreaterThan(it.clock.now().getTime())
  expect(body.as_of).toMatchObject({ officers: null, charges: expect.any(String) })
  it.clock.advance(330)
  expect((await read('02000008')).body.missing).toEqual([])
})

test('the register’s key stays out of the log', () => {
  expect(it.logText()).toContain('register.rest_failed')
  expect(it.logText()).not.toContain(SIMULATED_REST_KEY)
  expect(it.logText()).not.toContain(Buffer.from(`${SIMULATED_REST_KEY}:`).toString('base64'))
})
