/** People whose record comes, or changes, after the sweep has done the day by which they had to verify. */
import { beforeAll, expect, test } from 'vitest'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { recordQueuedChanges, sweepIdentityJob } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
const sweep = () => it.runJob(sweepIdentityJob)
const today = () => toLondonDate(it.clock.now())
const daysAgo = (days: number) => addDaysToDate(today(), -days)
const DAY = 86_400
const DUE = 'appointment_verification_statement_due_on'
const START = 'appointment_verification_start_on'
const ONE = 'director_identity_overdue'
const ALL = 'all_directors_overdue'
const OWNER = 'psc_identity_overdue'

async function moveTo(day: string): Promise<void> {
  it.clock.advance((Date.parse(`${day}T12:00:00Z`) - it.clock.now().getTime()) / 1_000)
}

beforeAll(async () => {
  await moveTo('2027-03-10')
  await sweep()
})

let count = 0
/** Adds a company; those whose parts are known have been read whole before. */
async function addCompany({ status = 'active', areKnown = true } = {}): Promise<string> {
  count += 1
  const number = String(3_000_000 + count).padStart(8, '0')
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, incorporated_on, source, changed_at)
     values ($1, $2, $2, $3, 'ltd', '2010-05-04', 'snapshot', now())`,
    [number, `COMPANY ${count} LIMITED`, status],
  )
  if (areKnown) {
    await it.app.db.query(
      `insert into company_part (company_number, kind, fetched_at) values ($1, 'officer', $2), ($1, 'owner', $2)`,
      [number, new Date(it.clock.now().getTime() - DAY * 1_000)],
    )
  }
  return number
}

type Verification = Record<string, string>
const KINDS = {
  officer: { name: 'SMITH, Jane', officer_role: 'director', folder: 'appointments' },
  psc: {
    name: 'Jane Smith',
    kind: 'individual-person-with-significant-control',
    folder: 'persons-with-significant-control',
  },
}

/** Stores an officer, or an owner, and queues the change as a stream does. */
async function change(
  number: string,
  kind: 'officer' | 'psc',
  before: Verification | null,
  after: Verification,
  facts: object = {},
) {
  const { folder, ...person } = KINDS[kind]
  const toRecord = (identity: Verification) => ({
    ...person,
    identity_verification_details: identity,
    links: { self: `/company/${number}/${folder}/someone` },
  })
  const record = { ...toRecord(after), ...facts }
  if (kind === 'officer') {
    await it.app.db.query(
      `insert into company_item (company_number, kind, item_id, data, changed_at) values ($1, 'officer', 'someone', $2, now())
       on conflict (company_number, kind, item_id) do update set data = excluded.data`,
      [number, record],
    )
  }
  await it.app.db.query(
    `insert into register_change (company_number, kind, before, after, source, reference, occurred_at)
     values ($1, $2, $3, $4, 'stream', 'officers 1', $5)`,
    [number, kind, before && toRecord(before), record, it.clock.now()],
  )
}

/** Returns the types of the company's signals that are about identity. */
async function listTypes(number: string): Promise<string[]> {
  const { body } = await it.call('GET', `/v1/companies/${number}/signals?limit=100`, { key: account.key })
  const types = body.data.map(({ signal_type }: { signal_type: string }) => signal_type)
  return types.filter((type: string) => [ONE, ALL, OWNER].includes(type)).sort()
}

test('a director and an owner who arrive when their day was swept are reported, once', async () => {
  const [director, owner] = [await addCompany(), await addCompany()]
  const due = { [DUE]: daysAgo(20) }
  await change(director, 'officer', null, due)
  await change(owner, 'psc', null, due)
  await recordQueuedChanges(it.app)
  expect(await listTypes(director)).toEqual([ALL, ONE])
  expect(await listTypes(owner)).toEqual([OWNER])

  await change(director, 'officer', due, { ...due, [START]: daysAgo(1) })
  await change(director, 'officer', { ...due, [START]: daysAgo(1) }, due)
  await change(owner, 'psc', null, due)
  await recordQueuedChanges(it.app)
  await sweep()
  expect(await listTypes(director)).toEqual([ALL, ONE])
  expect(await listTypes(owner)).toEqual([OWNER])
  const { body } = await it.call('GET', `/v1/companies/${owner}/signals?limit=100`, { key: account.key })
  expect(body.data.find(({ signal_type: type }: { signal_type: string }) => type === OWNER)).toMatchObject({
    occurred_on: daysAgo(19),
    source: { kind: 'stream', reference: 'officers 1' },
  })
})

test('someone who arrives on the day that is swept next is reported, though the sweep is past the company', async () => {
  const director = await addCompany()
  await change(director, 'officer', null, { [DUE]: daysAgo(1) })
  await it.app.db.query(`update signal_sweep set swept_on = $1 where name = 'identity'`, [daysAgo(1)])
  await recordQueuedChanges(it.app)
  expect(await listTypes(director)).toEqual([ALL, ONE])
  await sweep()
  expect(await listTypes(director)).toEqual([ALL, ONE])
})

test('a day that is corrected to one that has passed is reported', async () => {
  const [director, owner] = [await addCompany(), await addCompany()]
  const [was, is] = [{ [DUE]: addDaysToDate(today(), 30) }, { [DUE]: daysAgo(5) }]
  await change(director, 'officer', was, is)
  await change(owner, 'psc', was, is)
  await recordQueuedChanges(it.app)
  expect(await listTypes(director)).toEqual([ALL, ONE])
  expect(await listTypes(owner)).toEqual([OWNER])
})

test.each([['officer' as const], ['psc' as const]])('what is no news of a late %s is not reported', async (kind) => {
  const late = { [DUE]: daysAgo(400) }
  const readFirst = await addCompany({ areKnown: false })
  await change(readFirst, kind, null, late)
  const lateBefore = await addCompany()
  await change(lateBefore, kind, { [DUE]: daysAgo(410) }, late)
  const dissolved = await addCompany({ status: 'dissolved' })
  await change(dissolved, kind, null, late)
  const left = await addCompany()
  await change(left, kind, null, late, kind === 'officer' ? { resigned_on: daysAgo(1) } : { ceased_on: daysAgo(1) })
  const verifiedAtOnce = await addCompany()
  await change(verifiedAtOnce, kind, null, late)
  await change(verifiedAtOnce, kind, late, { ...late, [START]: today() })
  const notSwept = await addCompany()
  await change(notSwept, kind, null, { [DUE]: today() })
  await recordQueuedChanges(it.app)
  for (const number of [readFirst, lateBefore, dissolved, left, verifiedAtOnce, notSwept]) {
    expect(await listTypes(number)).toEqual([])
  }
})

test('someone who becomes late and changes again in the same batch is reported', async () => {
  const number = await addCompany()
  const late = { [DUE]: daysAgo(3) }
  await change(number, 'officer', { ...late, [START]: daysAgo(4) }, late)
  await change(number, 'officer', late, late, { occupation: 'Baker' })
  await recordQueuedChanges(it.app)
  expect(await listTypes(number)).toEqual([ALL, ONE])
})

test('in the quiet month they wait for its end, also the company of which the last who was on time leaves', async () => {
  await moveTo('2026-12-01')
  await it.app.db.query(`update signal_sweep set swept_on = '2026-11-18' where name = 'identity'`)
  await sweep()
  const [arrived, left] = [await addCompany(), await addCompany()]
  const late = { [DUE]: '2026-08-14' }
  await change(arrived, 'officer', null, late)
  await it.app.db.query(
    `insert into company_item (company_number, kind, item_id, data, changed_at) values ($1, 'officer', 'stays', $2, now())`,
    [left, { name: 'JONES, Ann', officer_role: 'director', identity_verification_details: late }],
  )
  await change(left, 'officer', { [START]: '2026-05-01' }, { [START]: '2026-05-01' }, { resigned_on: '2026-11-30' })
  await recordQueuedChanges(it.app)
  for (const number of [arrived, left]) expect(await listTypes(number)).toEqual([])
  await moveTo('2026-12-19')
  await recordQueuedChanges(it.app)
  await sweep()
  for (const number of [arrived, left]) expect(await listTypes(number)).toEqual([ALL, ONE])
})
