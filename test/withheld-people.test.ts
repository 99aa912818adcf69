/** A person who objects is not shown, sent or stored again; a record that the register deletes takes its name along. */
import { expect, test } from 'vitest'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { removeNamesJob } from '../src/privacy/index.ts'
import { applyEvents } from '../src/register/follow/apply-events.ts'
import type { StreamEvent, StreamName } from '../src/register/follow/streams.ts'
import { addWithheld } from '../src/register/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { director } from './setup/acorn.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { QUICK_WEBHOOKS, subscribe } from './setup/webhooks.ts'

const RUN = { id: 'x', attempt: 1, signal: new AbortController().signal, finish: async () => undefined }
const BORN = { month: 6, year: 1975 }
const [NUMBER, OTHER, THIRD] = ['01111111', '02222222', '03333333']
const psc = (number: string, id: string, facts: object = {}) => ({
  kind: 'individual-person-with-significant-control',
  name: 'Dr Jane Anne Smith',
  date_of_birth: BORN,
  nationality: 'British',
  country_of_residence: 'England',
  natures_of_control: ['ownership-of-shares-75-to-100-percent'],
  notified_on: '2020-01-02',
  etag: '1',
  links: { self: `/company/${number}/persons-with-significant-control/individual/${id}` },
  ...facts,
})
const companies: NewCompany[] = [
  {
    number: NUMBER,
    name: 'FIRST LIMITED',
    incorporatedOn: '2010-01-01',
    officers: [
      director(NUMBER, 'a1', { name: 'SMITH, Jane Anne, Dr', date_of_birth: BORN, occupation: 'Painter' }),
      director(NUMBER, 'scribe', { name: 'SMITH, Jane Anne', officer_role: 'secretary' }),
      director(NUMBER, 'john', { name: 'BROWN, John', date_of_birth: BORN }),
    ],
    pscs: [psc(NUMBER, 'owner')],
  },
  {
    number: OTHER,
    name: 'SECOND LIMITED',
    incorporatedOn: '2010-01-01',
    officers: [director(OTHER, 'a2', { name: 'SMITH, Jane Anne' })],
  },
  {
    number: THIRD,
    name: 'THIRD LIMITED',
    incorporatedOn: '2010-01-01',
    officers: [director(THIRD, 'd1', { name: 'BLACK, Sam', date_of_birth: BORN })],
  },
]
const today = () => it.clock.now().toISOString().slice(0, 10)
const house = SimulatedCompaniesHouse.fromCompanies(companies, { imageDelayMs: null })
const it = useTestService({ house, webhooks: QUICK_WEBHOOKS })
const reader = prepare(() => it.openAccount())

const readProfile = async (number: string) =>
  (await it.call('GET', `/v1/companies/${number}`, { key: reader.key })).body
const namesOf = async (number: string) =>
  (await readProfile(number)).officers.map(({ name }: { name: string | null }) => name)

let timepoint = 100
async function stream(name: StreamName, number: string, id: string, data: object | null): Promise<void> {
  timepoint += 1
  const event: StreamEvent = {
    timepoint,
    publishedAt: it.clock.now(),
    companyNumber: number,
    resourceId: id,
    isDeletion: data === null,
    data: { ...data },
  }
  await it.app.db.transaction((tx) => applyEvents(tx, name, [event], it.clock.now()))
  await recordQueuedChanges(it.app)
}

/** Everything that is stored, as one text; jobs of the rig's own tables are left out. */
async function readDatabase(): Promise<string> {
  const tables = [
    'company_item',
    'psc',
    'register_change',
    'signal',
    'webhook_event',
    'withheld_person',
    'person_removal',
  ]
  const rows = await Promise.all(
    tables.map((table) => it.app.db.query(`select to_jsonb(t)::text as row from ${table} t`)),
  )
  return rows
    .flat()
    .map((row) => (row as { row: string }).row)
    .join('\n')
}

test('a person who objects is gone from profile, group, signals, kept webhook events and the tables', async () => {
  const { account, receiver } = await subscribe(it)
  await it.call('POST', '/v1/watchlist', { key: account.key, body: { company_number: NUMBER } })
  expect(await namesOf(NUMBER)).toContain('SMITH, Jane Anne, Dr')
  await it.settle()
  const left = director(NUMBER, 'a1', {
    name: 'SMITH, Jane Anne, Dr',
    date_of_birth: BORN,
    resigned_on: it.clock.now().toISOString().slice(0, 10),
  })
  await stream('officers', NUMBER, 'a1', left)
  await expect.poll(() => receiver.received.map(({ body }) => body).join()).toContain('Dr Jane Anne SMITH resigned')

  const done = await it.run(
    'person',
    'withhold',
    'Smith, Jane Anne',
    '--born',
    '1975-06',
    '--reference',
    'DSR-17',
    '--json',
  )
  expect(done).toMatchObject({ code: 0 })
  // The officer, the owner, and the secretary, of whom the register publishes no birth.
  expect(JSON.parse(done.stdout)).toMatchObject({ records_changed: expect.any(Number) })
  await it.run('person', 'withhold', 'Smith, Jane Anne', '--born', '1975-06', '--reference', 'DSR-17')

  const profile = await readProfile(NUMBER)
  expect(profile.officers.map(({ name }: { name: string | null }) => name)).toEqual(
    expect.arrayContaining([null, 'BROWN, John']),
  )
  expect(profile.pscs[0]).toMatchObject({ name: null, nationality: null, is_ceased: false })
  expect(JSON.stringify(profile)).not.toMatch(/Jane/i)
  const group = await it.call('GET', `/v1/companies/${NUMBER}/group`, { key: reader.key })
  expect(group.text).not.toMatch(/Jane/i)
  const signals = await it.call('GET', `/v1/companies/${NUMBER}/signals`, { key: account.key })
  expect(signals.text).toContain('A person whose name is withheld resigned as a director of FIRST LIMITED')
  expect(await readDatabase()).not.toMatch(/Jane/i)
  // Another person of the same name: the register says no month of birth, and no company is the same.
  expect(await namesOf(OTHER)).toEqual(['SMITH, Jane Anne'])
})

test('what the register sends again is withheld again: streams, REST and webhooks', async () => {
  const { account, receiver } = await subscribe(it)
  await it.call('POST', '/v1/watchlist', { key: account.key, body: { company_number: NUMBER } })
  await it.settle()
  const appointed = it.clock.now().toISOString().slice(0, 10)
  const again = director(NUMBER, 'a3', { name: 'SMITH, Jane Anne', date_of_birth: BORN, appointed_on: appointed })
  await stream('officers', NUMBER, 'a3', again)
  await stream(
    'persons-with-significant-control',
    NUMBER,
    'owner',
    psc(NUMBER, 'owner', { address: { locality: 'York' } }),
  )
  await stream('filings', NUMBER, 'filed', {
    transaction_id: 'filed',
    type: 'AP01',
    category: 'officers',
    description: 'appoint-person-director-company-with-name-date',
    description_values: { officer_name: 'Dr Jane Anne Smith', appointment_date: appointed },
    date: appointed,
  })
  await expect
    .poll(() => receiver.received.map(({ body }) => body).join())
    .toContain('appointed a person whose name is withheld as a director')
  await it.app.db.query('delete from company_part')
  const profile = await readProfile(NUMBER)
  expect(profile.filings.map(({ description_text: text }: { description_text: string }) => text).join()).toContain(
    'Appointment of a person whose name is withheld as a director',
  )
  expect(JSON.stringify(profile)).not.toMatch(/Jane/i)
  expect(receiver.received.map(({ body }) => body).join()).not.toMatch(/Jane/i)
  expect(await readDatabase()).not.toMatch(/Jane Anne.*01111111|01111111.*Jane Anne/i)
})

test('the operator lists people by number alone, and releases one', async () => {
  const listed = JSON.parse((await it.run('person', 'list', '--json')).stdout)
  expect(listed).toEqual([expect.objectContaining({ reference: 'DSR-17', companies: 1 })])
  expect((await it.run('person', 'release', 'wpn_none')).code).not.toBe(0)
  const wrong = await it.run('person', 'withhold', 'Smith, Jane', '--born', 'June', '--reference', 'x')
  expect([wrong.code, wrong.stderr]).toEqual([expect.any(Number), expect.stringContaining('YYYY-MM')])
  expect((await it.run('person', 'withhold', 'Smith, Jane', '--reference', 'x')).stderr).toContain('month of birth')
  expect((await it.run('person', 'release', listed[0].id)).code).toBe(0)
  it.clock.advance(400)
  expect(await namesOf(NUMBER)).toContain('SMITH, Jane Anne, Dr')
})

test('a record that the register deletes takes its name out of earlier signals and kept events', async () => {
  const { account, receiver } = await subscribe(it)
  await it.call('POST', '/v1/watchlist', { key: account.key, body: { company_number: OTHER } })
  await it.settle()
  const appointed = it.clock.now().toISOString().slice(0, 10)
  const officer = director(OTHER, 'a4', { name: 'GREEN, Mary', date_of_birth: BORN, appointed_on: appointed })
  await stream('officers', OTHER, 'a4', officer)
  await expect.poll(() => receiver.received.map(({ body }) => body).join()).toContain('Mary GREEN')
  await stream('officers', OTHER, 'a4', null)
  await removeNamesJob.run(it.app, {}, RUN)
  const signals = await it.call('GET', `/v1/companies/${OTHER}/signals`, { key: account.key })
  expect(signals.text).toContain('appointed a person whose record was removed as a director')
  expect(await readDatabase()).not.toMatch(/GREEN/)
})

test('a record that is corrected by deleting it leaves the name, while the company has the person in another record', async () => {
  const twin = (id: string) => director(OTHER, id, { name: 'WHITE, Ann', date_of_birth: BORN, appointed_on: today() })
  await stream('officers', OTHER, 'b1', twin('b1'))
  await stream('officers', OTHER, 'b2', twin('b2'))
  await stream('officers', OTHER, 'b1', null)
  await removeNamesJob.run(it.app, {}, RUN)
  const signals = await it.call('GET', `/v1/companies/${OTHER}/signals`, { key: reader.key })
  expect(signals.text).toContain('appointed Ann WHITE as a director')
})

test('a company that is read for the first time after the objection shows the name nowhere, not in its filings either', async () => {
  const withhold = ['person', 'withhold', 'BLACK, Sam', '--born', '1975-06', '--reference', 'DSR-18']
  expect((await it.run(...withhold)).code).toBe(0)
  for (const time of [1, 2]) {
    const profile = await readProfile(THIRD)
    expect([time, profile.filings.length > 1]).toEqual([time, true])
    expect(JSON.stringify(profile)).not.toMatch(/Black/i)
  }
  await removeNamesJob.run(it.app, {}, RUN)
  expect(await readDatabase()).not.toMatch(/Black/i)
})

test('a change that arrives between the objection and the removal from records says no name', async () => {
  const owner = psc(OTHER, 'c1', { name: 'Mr Kim Grey', address: { locality: 'York' }, notified_on: today() })
  await stream('persons-with-significant-control', OTHER, 'c1', owner)
  const request = { name: 'GREY, Kim', birth: BORN, companyNumber: null, reference: 'DSR-19' }
  await it.app.db.transaction((tx) => addWithheld(tx, request, it.clock.now()))
  const moved = {
    ...owner,
    address: { locality: 'Leeds' },
    natures_of_control: ['ownership-of-shares-25-to-50-percent'],
  }
  await stream('persons-with-significant-control', OTHER, 'c1', moved)
  await removeNamesJob.run(it.app, {}, RUN)
  const signals = await it.call('GET', `/v1/companies/${OTHER}/signals`, { key: reader.key })
  expect(signals.text).toContain('A person whose name is withheld became a person with significant control')
  expect(signals.text).not.toMatch(/York/)
  expect(await readDatabase()).not.toMatch(/Grey/i)
})
