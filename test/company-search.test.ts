import { beforeAll, expect, test } from 'vitest'
import { toNameKey } from '../src/register/index.ts'
import { rebuildSearchIndex, updateSearchIndex } from '../src/register/search/search-index.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
beforeAll(async () => {
  await addCompanies(COMPANIES)
  await addCompanies(CROWD)
  await rebuildSearchIndex(it.app.db)
})

interface Given {
  number: string
  name: string
  previous?: string[]
  status?: string
  postcode?: string
  accounts?: string | null
  incorporated?: string
}

const COMPANIES: Given[] = [
  { number: '00000001', name: 'MERIDIAN WIDGETS LIMITED', postcode: 'EC1V 9LH', incorporated: '2001-02-03' },
  { number: '00000002', name: 'MERIDIAN WIDGETS HOLDINGS LIMITED', postcode: 'EC1V 9LH', incorporated: '2002-02-03' },
  { number: '00000003', name: 'PROSSER & VAUGHAN LLP', postcode: 'CF10 1AA', accounts: 'group' },
  {
    number: '00000004',
    name: 'KESTREL AVIATION PLC',
    previous: ['SPARROWHAWK GLIDERS LIMITED'],
    status: 'liquidation',
  },
  { number: '00000005', name: "O'HALLORAN'S BAKERY LTD", postcode: 'M1 1AE', accounts: 'micro-entity' },
  { number: '00000006', name: 'THE OLD FORGE COMPANY LIMITED', postcode: 'M11 1AE', accounts: 'dormant' },
  { number: '00000007', name: 'BLUEBERRY HILL CATERING LIMITED', postcode: 'M1 1AF', incorporated: '2020-06-30' },
  { number: '00000008', name: 'ZEPHYR CAFÉ LIMITED', accounts: null, incorporated: '2024-01-01' },
]

/** Many that share a postcode and a word. */
const CROWD: Given[] = Array.from({ length: 75 }, (_, index) => ({
  number: `1000${String(index).padStart(4, '0')}`,
  name: `LANTERN ${String.fromCharCode(65 + (index % 26))}${index} VENTURES LIMITED`,
  postcode: 'LS9 8ZZ',
  incorporated: '1999-12-31',
  accounts: index % 2 === 0 ? 'dormant' : 'full',
}))

async function addCompanies(companies: readonly Given[]): Promise<void> {
  const rows = companies.map((company) => ({
    number: company.number,
    name: company.name,
    name_key: toNameKey(company.name),
    previous_names: company.previous?.map((name) => ({ name, ceased_on: '2015-05-05' })) ?? null,
    previous_name_keys: company.previous?.map(toNameKey) ?? null,
    status: company.status ?? 'active',
    postcode: company.postcode ?? null,
    accounts_type: company.accounts ?? null,
    incorporated_on: company.incorporated ?? '2010-10-10',
  }))
  await it.app.db.query(
    `insert into company (number, name, name_key, previous_names, previous_name_keys, status, type, postcode,
       accounts_type, incorporated_on, address_line_1, address_town, source, changed_at)
     select number, name, name_key, previous_names, previous_name_keys, status, 'ltd', postcode, accounts_type,
       incorporated_on, '1 High Street', 'London', 'snapshot', now()
     from jsonb_to_recordset($1::jsonb) given (number text, name text, name_key text, previous_names jsonb,
       previous_name_keys text[], status text, postcode text, accounts_type text, incorporated_on date)
     on conflict (number) do update set name = excluded.name, name_key = excluded.name_key`,
    [JSON.stringify(rows)],
  )
}

interface Candidate {
  company_number: string
  score: number
  matched_on: string
}

async function search(query: Record<string, string>): Promise<Candidate[]> {
  const answer = await it.call('GET', `/v1/companies/search?${new URLSearchParams(query).toString()}`, {
    key: account.key,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

const numbers = async (query: Record<string, string>) => (await search(query)).map((one) => one.company_number)

test.each([
  ['the name itself', 'MERIDIAN WIDGETS LIMITED', '00000001'],
  ['without its ending', 'meridian widgets', '00000001'],
  ['with another ending', 'Meridian Widgets Ltd.', '00000001'],
  ['with a letter missing', 'meridian widgts', '00000001'],
  ['with two letters swapped', 'merdiian widgets', '00000001'],
  ['with a letter too many', 'meridian widggets', '00000001'],
  ['with a wrong letter', 'meredian widgets', '00000001'],
  ['in another order', 'widgets meridian', '00000001'],
  ['with "and" for the ampersand', 'Prosser and Vaughan', '00000003'],
  ['with the ampersand', 'PROSSER & VAUGHAN', '00000003'],
  ['by a previous name', 'Sparrowhawk Gliders', '00000004'],
  ['by a misspelt previous name', 'Sparowhawk Gliders', '00000004'],
  ['without its apostrophes', 'ohallorans bakery', '00000005'],
  ['without THE', 'old forge company', '00000006'],
  ['with CO for COMPANY', 'The Old Forge Co', '00000006'],
  ['in two words instead of one', 'blue berry hill catering', '00000007'],
  ['without its accent', 'zephyr cafe', '00000008'],
  ['by part of it', 'blueberry catering', '00000007'],
])('a company is found first by its name %s', async (_how, typed, number) => {
  expect((await numbers({ name: typed }))[0]).toBe(number)
})

test('a candidate says what it is, how near it is and what it was found by', async () => {
  const [kestrel] = await search({ name: 'sparrowhawk gliders ltd' })
  expect(kestrel).toMatchObject({
    company_number: '00000004',
    company_name: 'KESTREL AVIATION PLC',
    company_status: 'liquidation',
    company_type: 'ltd',
    incorporated_on: '2010-10-10',
    dissolved_on: null,
    registered_address: '1 High Street, London',
    registered_postcode: null,
    previous_names: [{ name: 'SPARROWHAWK GLIDERS LIMITED', ceased_on: '2015-05-05' }],
    matched_on: 'previous_name',
  })
  const [exact, longer] = await search({ name: 'meridian widgets' })
  expect(exact).toMatchObject({ score: 1, matched_on: 'name' })
  expect(longer?.score).toBeLessThan(1)
  expect(longer?.score).toBeGreaterThan(0.5)
})

test('a postcode matches whole or by its outward part, however it is written', async () => {
  expect(await numbers({ postcode: 'm1 1ae' })).toEqual(['00000005'])
  expect(await numbers({ postcode: 'M11AE' })).toEqual(['00000005'])
  expect(await numbers({ postcode: 'M1' })).toEqual(['00000007', '00000005'])
  expect(await numbers({ postcode: 'EC1V' })).toHaveLength(2)
  expect(await numbers({ postcode: 'EC1V 9LH' })).toHaveLength(2)
  expect(await numbers({ postcode: 'ZZ9' })).toEqual([])
  expect((await search({ postcode: 'M1 1AE' }))[0]).toMatchObject({ score: 1, matched_on: 'postcode' })
})

test('status, kind of accounts and dates filter, alone and together', async () => {
  expect(await numbers({ company_status: 'liquidation' })).toEqual(['00000004'])
  expect(await numbers({ accounts_type: 'Micro Entity' })).toEqual(['00000005'])
  expect(await numbers({ incorporated_from: '2020-06-30', incorporated_to: '2024-01-01' })).toEqual([
    '00000007',
    '00000008',
  ])
  expect(await numbers({ incorporated_from: '2020-07-01' })).toEqual(['00000008'])
  expect(await numbers({ incorporated_to: '2001-02-02', accounts_type: 'group' })).toEqual([])
  expect(await numbers({ postcode: 'M1', accounts_type: 'micro-entity', company_status: 'active' })).toEqual([
    '00000005',
  ])
  expect(await numbers({ name: 'meridian widgets', incorporated_from: '2002-01-01' })).toEqual(['00000002'])
  expect(await numbers({ name: 'meridian widgets', postcode: 'M1' })).toEqual([])
  expect(await numbers({ name: 'kestrel aviaton', company_status: 'liquidation' })).toEqual(['00000004'])
  expect(await numbers({ name: 'kestrel aviaton', company_status: 'active' })).toEqual([])
})

test.each([
  ['a name', { name: 'lantern ventures' }],
  ['a postcode', { postcode: 'LS9' }],
  ['a date', { incorporated_to: '1999-12-31' }],
  ['a status', { company_status: 'active' }],
])('pages of %s follow each other without a gap or a repeat', async (_what, query: Record<string, string>) => {
  const seen: string[] = []
  let more = true
  for (let page = 1; more; page += 1) {
    const path = `/v1/companies/search?${new URLSearchParams({ ...query, page: String(page) }).toString()}`
    const { body } = await it.call('GET', path, { key: account.key })
    expect(body).toMatchObject({ page, limit: 20 })
    seen.push(...body.data.map((one: Candidate) => one.company_number))
    more = body.has_more
  }
  expect(new Set(seen).size).toBe(seen.length)
  const crowd = seen.filter((number) => number.startsWith('1000'))
  expect(crowd).toHaveLength(CROWD.length)
})

test('what changed is found as it now is, and no longer as it was', async () => {
  await addCompanies([{ number: '20000001', name: 'QUIXOTIC WINDMILLS LIMITED', postcode: 'TR1 1AA' }])
  await it.app.db.transaction((tx) => updateSearchIndex(tx, ['20000001']))
  expect(await numbers({ name: 'quixotic windmils' })).toEqual(['20000001'])
  expect(await numbers({ postcode: 'TR1' })).toEqual(['20000001'])

  await addCompanies([{ number: '20000001', name: 'SANCHO TURBINES LIMITED' }])
  await it.app.db.transaction((tx) => updateSearchIndex(tx, ['20000001', '20000001']))
  expect(await numbers({ name: 'sancho turbines' })).toEqual(['20000001'])
  expect(await numbers({ name: 'quixotic windmills' })).toEqual([])

  await it.app.db.transaction(async (tx) => {
    await tx.query('delete from company where number = $1', ['20000001'])
    await updateSearchIndex(tx, ['20000001'])
  })
  expect(await numbers({ name: 'sancho turbines' })).toEqual([])
})

test('a rebuild keeps what changes while it runs', async () => {
  const changes: Promise<void>[] = []
  const addFerries = async () => {
    await addCompanies([{ number: '20000002', name: 'MIDSTREAM FERRIES LIMITED' }])
    await it.app.db.transaction((tx) => updateSearchIndex(tx, ['20000002']))
  }
  await rebuildSearchIndex(it.app.db, { onStep: (step) => void (step === 'words' && changes.push(addFerries())) })
  await Promise.all(changes)
  expect(await numbers({ name: 'midstream ferries' })).toEqual(['20000002'])
})

test.each([
  ['LIMITED'],
  ['THE'],
  ['A'],
  ['&'],
  ['🎉'],
  ["'; drop table company; --"],
  ['x'.repeat(160)],
  ['lantern '.repeat(24).trim()],
])('odd input "%s" is answered', async (typed) => {
  await search({ name: typed })
})

test.each([
  ['no criterion at all', ''],
  ['only empty criteria', 'name=&postcode=%20'],
  ['only a page', 'page=2'],
  ['a date that is none', 'incorporated_from=2024-02-30'],
  ['a date in another form', 'incorporated_to=01/02/2024'],
  ['dates the wrong way round', 'incorporated_from=2024-02-02&incorporated_to=2024-02-01'],
  ['page 0', 'name=lantern&page=0'],
  ['page 51', 'name=lantern&page=51'],
  ['half a page', 'name=lantern&page=1.5'],
  ['a page that is no number', 'name=lantern&page=two'],
  ['a criterion given twice', 'name=lantern&name=meridian'],
  ['a name without end', `name=${'x'.repeat(201)}`],
])('%s is refused with 400', async (_what, query) => {
  const answer = await it.call('GET', `/v1/companies/search?${query}`, { key: account.key })
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('invalid_request')
})

test('a session is as good as a key, and neither is 401', async () => {
  const path = '/v1/companies/search?name=meridian'
  expect((await it.call('GET', path, { token: account.token })).status).toBe(200)
  expect((await it.call('GET', path)).status).toBe(401)
  expect((await it.call('GET', path, { key: 'np_live_wrong' })).status).toBe(401)
})

test('names that start with what was typed come before names that only contain it', async () => {
  await addCompanies([
    { number: '30000001', name: 'DISPUTE HARBOUR LIMITED' },
    { number: '30000002', name: 'HARBOUR LANTERN BOOKS LIMITED' },
  ])
  await it.app.db.transaction((tx) => updateSearchIndex(tx, ['30000001', '30000002']))
  const found = await it.call('GET', '/v1/companies/search?name=harbour', { key: account.key })
  expect(found.body.data.map((company: { company_name: string }) => company.company_name)).toEqual([
    'HARBOUR LANTERN BOOKS LIMITED',
    'DISPUTE HARBOUR LIMITED',
  ])
})

test('a company number typed as a name finds that company first', async () => {
  const [first] = (await it.call('GET', '/v1/companies/search?name=10000007', { key: account.key })).body.data
  expect([first.company_number, first.matched_on, first.score]).toEqual(['10000007', 'company_number', 1])
  const elsewhere = await it.call('GET', '/v1/companies/search?name=10000007&postcode=M1', { key: account.key })
  expect(elsewhere.body.data).toEqual([])
})

test.each(['company_status', 'accounts_type'])('an unknown %s is refused with those there are', async (member) => {
  const reply = await it.call('GET', `/v1/companies/search?name=meridian&${member}=neither`, { key: account.key })
  expect([reply.status, reply.body.errors[0].field]).toEqual([400, member])
  expect(reply.body.errors[0].message).toMatch(/^must be one of .*(liquidation|micro-entity)/)
})
