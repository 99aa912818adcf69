/** The daily sweep for people who did not verify their identity in time. */
import { beforeEach, expect, test } from 'vitest'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { listLateOfficers } from '../src/register/index.ts'
import { recordQueuedChanges, sweepIdentity, sweepIdentityJob } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { countScans } from './setup/scans.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
const sweep = () => it.runJob(sweepIdentityJob)
const today = () => toLondonDate(it.clock.now())
const DAY = 86_400

/** The days that are quiet come once; the tests begin after them, whenever they run. */
const LOUD_FROM = '2026-12-20'
/** Tests that sweep later days find no one of those before. */
beforeEach(async () => {
  const ahead = Date.parse(`${LOUD_FROM}T12:00:00Z`) - it.clock.now().getTime()
  if (ahead > 0) it.clock.advance(ahead / 1_000)
  await it.app.db.query('delete from company_item')
  await sweep()
})

let count = 0
interface Added {
  status?: string
  /** Whether all its officers are known; they are not when only streams sent some. */
  isWhole?: boolean
}

/** Adds a company with a director for each due day. */
async function addCompany(dueDays: readonly string[], { status = 'active', isWhole = true }: Added = {}) {
  count += 1
  const number = String(2_000_000 + count).padStart(8, '0')
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, incorporated_on, source, changed_at)
     values ($1, $2, $2, $3, 'ltd', '2010-05-04', 'snapshot', now())`,
    [number, `COMPANY ${count} LIMITED`, status],
  )
  if (isWhole) {
    await it.app.db.query(`insert into company_part (company_number, kind, fetched_at) values ($1, 'officer', now())`, [
      number,
    ])
  }
  for (const [index, dueOn] of dueDays.entries()) await setDirector(number, index, { [DUE]: dueOn })
  return number
}

const DUE = 'appointment_verification_statement_due_on'

async function setDirector(number: string, index: number, identity: object, facts: object = {}): Promise<void> {
  const officer = {
    name: `SMITH, Jane ${index}`,
    officer_role: 'director',
    identity_verification_details: identity,
    ...facts,
  }
  await it.app.db.query(
    `insert into company_item (company_number, kind, item_id, data, changed_at) values ($1, 'officer', $2, $3, now())
     on conflict (company_number, kind, item_id) do update set data = excluded.data`,
    [number, `a${index}`, officer],
  )
}

async function addOwner(number: string, identity: object, isCeased = false): Promise<void> {
  await it.app.db.query(
    `insert into psc (company_number, psc_id, kind, name, is_ceased, identity, changed_at)
     values ($1, 'psc1', 'individual-person-with-significant-control', 'Jane Smith', $2, $3, now())`,
    [number, isCeased, identity],
  )
}

async function listTypes(number: string): Promise<string[]> {
  const { body } = await it.call('GET', `/v1/companies/${number}/signals?limit=100`, { key: account.key })
  return body.data.map(({ signal_type }: { signal_type: string }) => signal_type).sort()
}

const ONE = 'director_identity_overdue'
const ALL = 'all_directors_overdue'

test('a day to verify that passes is reported once, also for days without a sweep; what passed before is not', async () => {
  const [yesterday, day, tomorrow] = [addDaysToDate(today(), -1), today(), addDaysToDate(today(), 1)]
  const before = await addCompany([yesterday])
  const only = await addCompany([day])
  const one = await addCompany([day, addDaysToDate(day, 60)])
  const inPart = await addCompany([day], { isWhole: false })
  const later = await addCompany([addDaysToDate(day, 2)])
  const lastOfTwo = await addCompany([day, tomorrow])
  const dissolved = await addCompany([day], { status: 'dissolved' })
  const verified = await addCompany([])
  await setDirector(verified, 0, { [DUE]: day, appointment_verification_start_on: day })
  const left = await addCompany([])
  await setDirector(left, 0, { [DUE]: day }, { resigned_on: day })

  await sweep()
  for (const number of [before, only]) expect(await listTypes(number)).toEqual([])

  it.clock.advance(DAY)
  await sweep()
  await sweep()
  expect(await listTypes(only)).toEqual([ALL, ONE])
  expect(await listTypes(one)).toEqual([ONE])
  expect(await listTypes(inPart)).toEqual([ONE])
  expect(await listTypes(lastOfTwo)).toEqual([ONE])
  for (const number of [before, later, dissolved, verified, left]) expect(await listTypes(number)).toEqual([])
  const { body } = await it.call('GET', `/v1/companies/${one}/signals`, { key: account.key })
  expect(body.data[0]).toMatchObject({
    severity: 'notice',
    occurred_on: tomorrow,
    changes: [{ field: ONE, from: false, to: true }],
    source: { kind: 'sweep', reference: day },
  })
  expect(body.data[0].summary).toMatch(
    /^Jane 0 SMITH, a director of COMPANY \d+ LIMITED, has not verified their identity, which was due on \d+ \w+ \d{4}\.$/,
  )

  it.clock.advance(5 * DAY)
  await Promise.all([sweep(), sweep(), sweep()])
  expect(await listTypes(later)).toEqual([ALL, ONE])
  expect(await listTypes(lastOfTwo)).toEqual([ALL, ONE, ONE])
  expect(await listTypes(only)).toEqual([ALL, ONE])
  expect(await listTypes(before)).toEqual([])
})

test('who verifies late, but before the sweep of their day, is not reported', async () => {
  const day = today()
  const number = await addCompany([day])
  it.clock.advance(3 * DAY)
  await setDirector(number, 0, { [DUE]: day, appointment_verification_start_on: addDaysToDate(day, 2) })
  await sweep()
  expect(await listTypes(number)).toEqual([])
})

async function addMany(companies: number, dueOn: string, prefix: string): Promise<void> {
  await it.app.db.query(
    `with added as (
       insert into company (number, name, name_key, status, type, source, changed_at)
       select $3 || lpad(n::text, 6, '0'), $3, $3, 'active', 'ltd', 'snapshot', now() from generate_series(1, $1) n
       returning number
     ), whole as (
       insert into company_part (company_number, kind, fetched_at) select number, 'officer', now() from added
     )
     insert into company_item (company_number, kind, item_id, data, changed_at)
     select number, 'officer', 'a' || n, jsonb_build_object('name', 'SMITH, Jane', 'officer_role', 'director',
       'identity_verification_details', jsonb_build_object('${DUE}', $2::text)), now()
     from added cross join generate_series(1, 2) n`,
    [companies, dueOn, prefix],
  )
}

const countSignals = async (prefix: string) =>
  it.app.db.query<{ signal_type: string; signals: number; companies: number }>(
    `select signal_type, count(*) as signals, count(distinct company_number) as companies from signal
     where company_name = $1 group by signal_type order by signal_type`,
    [prefix],
  )
const EACH_ONCE = [
  { signal_type: ALL, signals: 1_200, companies: 1_200 },
  { signal_type: ONE, signals: 2_400, companies: 1_200 },
]

test('a sweep takes more companies than fit into one batch, each once', async () => {
  await addMany(1_200, today(), 'SC')
  it.clock.advance(DAY)
  await sweep()
  await sweep()
  expect(await countSignals('SC')).toEqual(EACH_ONCE)
})

test('concurrent sweeps report each once', async () => {
  await addMany(1_200, today(), 'NI')
  it.clock.advance(DAY)
  await Promise.all([sweep(), sweep(), sweep()])
  expect(await countSignals('NI')).toEqual(EACH_ONCE)
})

test('a sweep that is cut off between batches is completed by the next', async () => {
  await addMany(1_200, today(), 'OC')
  it.clock.advance(DAY)
  let batches = 0
  const db = new Proxy(it.app.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return (work: never) => {
        batches += 1
        if (batches === 2) throw new Error('killed')
        return target.transaction(work)
      }
    },
  })
  await expect(sweepIdentity({ ...it.app, db })).rejects.toThrow('killed')
  expect(await countSignals('OC')).toEqual([
    { signal_type: ALL, signals: 500, companies: 500 },
    { signal_type: ONE, signals: 1_000, companies: 500 },
  ])
  await sweep()
  expect(await countSignals('OC')).toEqual(EACH_ONCE)
})

test('in the quiet month nothing is reported; who is still late after it, is', async () => {
  const firstQuiet = Date.parse('2026-11-18T12:00:00Z') - it.clock.now().getTime()
  const wasAt = it.clock.now()
  it.clock.advance(firstQuiet / 1_000)
  await it.app.db.query(`update signal_sweep set swept_on = '2026-11-18' where name = 'identity'`)
  const number = await addCompany(['2026-11-20'])
  const verifiesLater = await addCompany(['2026-11-20'])
  it.clock.advance(30 * DAY)
  expect(today()).toBe('2026-12-18')
  await sweep()
  await setDirector(verifiesLater, 0, { [DUE]: '2026-11-20', appointment_verification_start_on: '2026-12-18' })
  expect(await listTypes(number)).toEqual([])
  it.clock.advance(DAY)
  await sweep()
  expect(await listTypes(number)).toEqual([ALL, ONE])
  expect(await listTypes(verifiesLater)).toEqual([])
  it.clock.advance((wasAt.getTime() - it.clock.now().getTime()) / 1_000)
})

/** Runs the work as if it were noon of a day before those of the tests, and comes back. */
async function onDay(day: string, work: () => Promise<void>): Promise<void> {
  const wasAt = it.clock.now().getTime()
  it.clock.advance((Date.parse(`${day}T12:00:00Z`) - wasAt) / 1_000)
  await work()
  it.clock.advance((wasAt - it.clock.now().getTime()) / 1_000)
}

test('an installation that starts in the quiet month reports after it, once, everyone of the transition who is still late', async () => {
  await onDay('2026-11-28', async () => {
    await it.app.db.query(`delete from signal_sweep where name = 'identity'`)
    const late = [await addCompany(['2025-11-18']), await addCompany(['2026-11-17']), await addCompany(['2026-11-20'])]
    const verified = await addCompany(['2026-03-04'])
    const owned = await addCompany([])
    await addOwner(owned, { [DUE]: '2026-06-14' })
    await sweep()
    await setDirector(verified, 0, { [DUE]: '2026-03-04', appointment_verification_start_on: '2026-12-10' })
    it.clock.advance(20 * DAY)
    expect(today()).toBe('2026-12-18')
    await sweep()
    for (const number of [...late, owned]) expect(await listTypes(number)).toEqual([])

    it.clock.advance(DAY)
    await Promise.all([sweep(), sweep()])
    await sweep()
    for (const number of late) expect(await listTypes(number)).toEqual([ALL, ONE])
    expect(await listTypes(owned)).toEqual(['psc_identity_overdue'])
    expect(await listTypes(verified)).toEqual([])
  })
})

test('an installation that swept before the quiet month reports after it who was late before its first day, and no one twice', async () => {
  await onDay('2026-10-10', async () => {
    await it.app.db.query(`update signal_sweep set swept_on = '2026-10-10' where name = 'identity'`)
    const reported = await addCompany(['2026-10-10'])
    it.clock.advance(DAY)
    await sweep()
    expect(await listTypes(reported)).toEqual([ALL, ONE])
    it.clock.advance(40 * DAY)
    await sweep()
    const lateBefore = await addCompany(['2026-10-09'])
    it.clock.advance(29 * DAY)
    expect(today()).toBe('2026-12-19')
    await sweep()
    for (const number of [reported, lateBefore]) expect(await listTypes(number)).toEqual([ALL, ONE])
  })
})

test('an installation that starts after the quiet month reports no one who was late before', async () => {
  await it.app.db.query(`delete from signal_sweep where name = 'identity'`)
  const before = await addCompany(['2026-11-17', '2026-12-18'])
  await sweep()
  it.clock.advance(DAY)
  await sweep()
  expect(await listTypes(before)).toEqual([])
})

test('when the last director who was not late leaves, all who stay are reported as late, once', async () => {
  const dueOn = today()
  const [verified, notDue, secondOnTime, inPart, alsoLate] = [
    await addCompany([dueOn]),
    await addCompany([dueOn, addDaysToDate(dueOn, 60)]),
    await addCompany([dueOn]),
    await addCompany([dueOn], { isWhole: false }),
    await addCompany([dueOn, dueOn]),
  ]
  const ON_TIME = { appointment_verification_start_on: dueOn }
  for (const number of [verified, secondOnTime, inPart]) await setDirector(number, 1, ON_TIME)
  await setDirector(secondOnTime, 2, ON_TIME)
  it.clock.advance(2 * DAY)
  await sweep()
  for (const number of [verified, notDue, secondOnTime]) expect(await listTypes(number)).toEqual([ONE])
  expect(await listTypes(alsoLate)).toEqual([ALL, ONE, ONE])

  const leaves = async (number: string, identity: object) => {
    const facts = { officer_role: 'director', identity_verification_details: identity }
    const left = { resigned_on: addDaysToDate(today(), -1) }
    await setDirector(number, 1, identity, left)
    await it.app.db.query(
      `insert into register_change (company_number, kind, before, after, source, reference, occurred_at)
       values ($1, 'officer', $2, $3, 'stream', 'officers:1', $4)`,
      [number, facts, { ...facts, ...left }, it.clock.now()],
    )
  }
  for (const number of [verified, secondOnTime, inPart]) await leaves(number, ON_TIME)
  await leaves(notDue, { [DUE]: addDaysToDate(dueOn, 60) })
  await leaves(alsoLate, { [DUE]: dueOn })
  await recordQueuedChanges(it.app)
  await leaves(verified, ON_TIME)
  await recordQueuedChanges(it.app)
  await sweep()
  for (const number of [verified, notDue]) expect(await listTypes(number)).toEqual([ALL, ONE])
  for (const number of [secondOnTime, inPart]) expect(await listTypes(number)).toEqual([ONE])
  expect(await listTypes(alsoLate)).toEqual([ALL, ONE, ONE])
})

test('owners who are late are swept too; those who have ceased or verified are not', async () => {
  const dueOn = today()
  const [late, ceased, verified, gone] = [
    await addCompany([]),
    await addCompany([]),
    await addCompany([]),
    await addCompany([], { status: 'dissolved' }),
  ]
  await addOwner(late, { [DUE]: dueOn })
  await addOwner(ceased, { [DUE]: dueOn }, true)
  await addOwner(verified, { [DUE]: dueOn, appointment_verification_start_on: dueOn })
  await addOwner(gone, { [DUE]: dueOn })
  it.clock.advance(DAY)
  await Promise.all([sweep(), sweep()])
  await sweep()
  expect(await listTypes(late)).toEqual(['psc_identity_overdue'])
  for (const number of [ceased, verified, gone]) expect(await listTypes(number)).toEqual([])
})

test('a day is read by its index, not by a scan of all officers', async () => {
  await addMany(20_000, '2030-01-01', 'XX')
  await it.app.db.query('analyze company_item')
  const page = { dueOn: '2030-01-01', today: '2030-01-02', after: '', limit: 500 }
  const scans = await countScans(it.app.db, 'company_item', async (tx) =>
    expect(await listLateOfficers(tx, page)).toHaveLength(500),
  )
  expect(scans).toBe(0)
})
