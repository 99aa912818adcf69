/** The file of all persons with significant control: loaded once, compared after that, and never older than the stream. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { syntheticPscLines } from '../rig/synthetic-register/pscs.ts'
import { openDownload } from '../src/lib/web/download.ts'
import { applyEvents } from '../src/register/follow/apply-events.ts'
import { importPscs, openPscSnapshot, silentProgress, startFollowing } from '../src/register/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'

const NUMBERS = ['01111111', '02222222', '03333333']
const house = SimulatedCompaniesHouse.fromCompanies(
  NUMBERS.map((number) => ({ number, name: `COMPANY ${number} LIMITED`, incorporatedOn: '2010-01-01' })),
  { stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 }, imageDelayMs: null },
)
const it = useTestService({
  companies: NUMBERS.map((number) => ({ number, name: `COMPANY ${number} LIMITED`, postcode: 'HG4 1AA' })),
  house,
  houseKeys: { restKey: null, streamKeys: [SIMULATED_STREAM_KEY] },
})
const account = prepare(() => it.openAccount())
const folder = mkdtempSync(join(tmpdir(), 'nameplate-owners-'))
afterAll(async () => rmSync(folder, { recursive: true, force: true }))

const LINES = 3_000
let nextDay = 1

/** Writes the lines as two parts, as the register does. */
function write(lines: readonly string[], day = `2026-10-${String(nextDay++).padStart(2, '0')}`): string[] {
  const half = Math.ceil(lines.length / 2)
  return [lines.slice(0, half), lines.slice(half)].map((part, index) => {
    const path = join(folder, `psc-snapshot-${day}_${index + 1}of2.txt`)
    writeFileSync(path, part.join(''))
    return path
  })
}

const noDownload = () => Promise.reject(new Error('nothing to download'))

async function load(paths: readonly string[]) {
  const file = await openPscSnapshot(paths, noDownload)
  return importPscs(it.app, file, silentProgress)
}

const count = async () =>
  (await it.app.db.query<{ count: number }>('select count(*)::int as count from psc where not is_deleted'))[0]?.count
const changes = () =>
  it.app.db.query<{ before: unknown; after: unknown }>(
    `select before, after from register_change where source = 'snapshot' and kind = 'psc'`,
  )
const readProfile = async (number: string) =>
  (await it.call('GET', `/v1/companies/${number}`, { key: account.key })).body

const edition = (number: number) => [...syntheticPscLines(LINES, { edition: number })]

test('before the file is there, owners are missing and not "none"', async () => {
  const profile = await readProfile('01111111')
  expect(profile.pscs).toBeNull()
  expect(profile.psc_statements).toBeNull()
})

test('parts of different days, and a part too few, are refused', async () => {
  const [first = '', second = ''] = write(edition(1), '2026-09-01')
  const [other = ''] = write(edition(1), '2026-09-02')
  await expect(load([first, other])).rejects.toThrow('different days')
  await expect(load([second])).rejects.toThrow('all 2 parts of one day, each once. Missing: 1.')
})

test('a file that was cut off is refused, and nothing is changed', async () => {
  const lines = edition(1)
  const paths = write([...lines.slice(0, -100), lines.at(-1) ?? ''])
  await expect(load(paths)).rejects.toThrow('may be cut off')
  // A second run finds all pieces done, and still knows how many there must be.
  await expect(load(paths)).rejects.toThrow('may be cut off')
  await expect(load(write(lines.slice(0, -1)))).rejects.toThrow('does not end with the number of its records')
  expect(await count()).toBe(0)
})

test('the first load is silent, counts bad lines without failing, and owners are known for every company', async () => {
  const lines = edition(1)
  lines.splice(5, 0, 'nonsense\n', '{"company_number":"12","data":{}}\n')
  const report = await load(write(lines))
  expect(report).toMatchObject({ kind: 'first load', rowsRead: LINES + 2, rowsBad: 2, added: LINES })
  expect(await count()).toBe(LINES)
  expect(await changes()).toEqual([])
  // A company without a line has no owner on record, and that is known.
  expect(await readProfile('02222222')).toMatchObject({
    pscs: [],
    psc_statements: [],
    missing: expect.not.arrayContaining([{ part: 'pscs' }]),
  })
})

test('the same lines again change nothing, and one in a hundred changed are written and queued', async () => {
  expect(await load(write(edition(1)))).toMatchObject({ kind: 'difference', added: 0, changed: 0, removed: 0 })
  const report = await load(write(edition(2)))
  expect(report.changed).toBeGreaterThan(LINES * 0.005)
  expect(report.changed).toBeLessThan(LINES * 0.02)
  expect(report.added).toBe(LINES * 0.001)
  const queued = await changes()
  expect(queued).toHaveLength(report.changed + report.added)
  expect(await count()).toBe(LINES + report.added - report.removed)
})

test('an owner that the stream repeats while a file is imported stays', async () => {
  const [row] = await it.app.db.query<{ company_number: string; psc_id: string }>(
    `select company_number, psc_id from psc where kind like 'corporate%' and not is_ceased order by 1 limit 1`,
  )
  const data = edition(2)
    .map((line) => JSON.parse(line) as { company_number?: string; data: { links?: { self: string } } })
    .find((record) => record.data.links?.self.endsWith(`/${row?.psc_id}`))?.data
  const event = {
    timepoint: 1,
    publishedAt: it.clock.now(),
    companyNumber: row?.company_number ?? '',
    resourceId: row?.psc_id ?? '',
    isDeletion: false,
    data: { ...data, etag: 'another' },
  }
  await it.app.db.transaction((tx) => applyEvents(tx, 'persons-with-significant-control', [event], it.clock.now()))
  expect(await load(write(edition(2)))).toMatchObject({ added: 0, changed: 0, removed: 0 })
})

test('an older file is refused: it would bring back what has ended', async () => {
  await expect(load(write(edition(1), '2026-09-15'))).rejects.toThrow('would bring back')
})

test('a file that lacks a fifth of what we have is refused', async () => {
  const lines = edition(2)
  const totals = JSON.parse(lines.at(-1) ?? '') as { data: object }
  Object.assign(totals.data, { persons_of_significant_control_count: 1, statements_count: 0 })
  await expect(load(write([...lines.slice(0, LINES / 2), `${JSON.stringify(totals)}\n`]))).rejects.toThrow(
    'too many for its day',
  )
})

test('what the stream sent since the day of the file stays, and what it deleted stays deleted', async () => {
  const record = (id: string, name: string) =>
    `${JSON.stringify({
      company_number: '01111111',
      data: {
        kind: 'individual-person-with-significant-control',
        name,
        notified_on: '2020-01-01',
        natures_of_control: ['ownership-of-shares-25-to-50-percent'],
        links: { self: `/company/01111111/persons-with-significant-control/individual/${id}` },
      },
    })}\n`
  const follower = startFollowing(it.app)
  const stream = `select from register_stream where name = 'persons-with-significant-control' and current_until is not null`
  await expect.poll(async () => (await it.app.db.query(stream)).length).toBe(1)
  const kept = house.changes.notifyPsc('01111111', { name: 'Kept Person' })
  const removed = house.changes.notifyPsc('01111111', { name: 'Removed Person' })
  house.changes.removePsc('01111111', removed)
  await expect
    .poll(
      async () => (await it.app.db.query(`select from psc where company_number = '01111111' and is_deleted`)).length,
    )
    .toBe(1)
  await follower.close()
  const lines = [
    record(kept, 'Old Name'),
    record(removed, 'Removed Person'),
    record('other', 'Other Person'),
    ...edition(2),
  ]
  await load(write(lines))
  const { pscs } = await readProfile('01111111')
  expect(pscs.map(({ name }: { name: string }) => name).sort()).toEqual(['Kept Person', 'Other Person'])
  expect((await it.app.db.query(`select from psc where name = 'Removed Person'`)).length).toBe(0)
})

test('a statement that is made and withdrawn, and an exemption, arrive by their streams, and the signals say so', async () => {
  const follower = startFollowing(it.app, { onApplied: async () => void (await recordQueuedChanges(it.app)) })
  const followed = `select from register_stream where lease_until > now() and current_until is not null`
  await expect.poll(async () => (await it.app.db.query(followed)).length).toBe(8)
  const before = (await readProfile('02222222')).psc_statements
  const id = house.changes.statePsc('02222222', 'psc-exists-but-not-identified')
  const statements = async () => (await readProfile('02222222')).psc_statements
  await expect.poll(statements).toHaveLength(before.length + 1)
  expect((await statements())[0]).toMatchObject({ statement: 'psc-exists-but-not-identified', ceased_on: null })
  house.changes.withdrawStatement('02222222', id)
  await expect.poll(async () => (await statements())[0].ceased_on).not.toBeNull()
  const exemption = 'psc-exempt-as-trading-on-uk-regulated-market'
  house.changes.exempt('02222222', exemption, { from: '2026-01-05' })
  await expect.poll(async () => (await statements())[0].statement).toBe(exemption)
  house.changes.exempt('02222222', exemption, { from: '2026-01-05', to: '2026-06-30' })
  await expect
    .poll(async () => (await statements()).find((each: { statement: string }) => each.statement === exemption))
    .toMatchObject({ notified_on: '2026-01-05', ceased_on: '2026-06-30' })
  // What the register takes back is gone.
  const removed = house.changes.statePsc('02222222', 'psc-details-not-confirmed')
  await expect.poll(statements).toHaveLength(before.length + 3)
  house.changes.removePsc('02222222', removed)
  await expect.poll(statements).toHaveLength(before.length + 2)
  await follower.close()
  const { body } = await it.call('GET', '/v1/companies/02222222/signals', { key: account.key })
  const types = body.data.map((signal: { signal_type: string }) => signal.signal_type)
  expect(types.filter((type: string) => type !== 'psc_changed').sort()).toEqual([
    'psc_statement_made',
    'psc_statement_made',
    'psc_statement_withdrawn',
  ])
})

test('where events of a statement stream are missed, owners are as of their file until the next one', async () => {
  const dayOfOwners = async () => (await readProfile('02222222')).as_of.pscs.slice(0, 7)
  const setGap = (stream: string, since: Date | null) =>
    it.app.db.query('update register_stream set gap_since = $2, gap_until = $2 where name like $1', [stream, since])
  await setGap('%', null)
  expect(await dayOfOwners()).not.toBe('2026-10')
  await setGap('company-exemptions', it.clock.now())
  expect(await dayOfOwners()).toBe('2026-10')
  await setGap('%', null)
})

test('a stream of statements that begins long after the file says that it missed something', async () => {
  await it.app.db.query(`delete from register_stream where name = 'persons-with-significant-control-statements'`)
  const follower = startFollowing(it.app)
  const gap = async () => {
    const { streams } = (await it.call('GET', '/v1/status')).body.register
    return streams.find(({ stream }: { stream: string }) => stream.endsWith('-statements')).gap_since
  }
  await expect.poll(gap).toMatch(/^2026-10-/)
  await follower.close()
})

test('statements and bad dates are kept as the register has them, in words', async () => {
  const data = (members: object, id: string) =>
    `${JSON.stringify({ company_number: '03333333', data: { links: { self: `/x/${id}` }, ...members } })}\n`
  const statement = { kind: 'persons-with-significant-control-statement', notified_on: '2019-05-01' }
  const lines = [
    data({ ...statement, statement: 'psc-has-failed-to-confirm-changed-details', linked_psc_name: 'Jo Doe' }, 's1'),
    data({ ...statement, statement: 'no-individual-or-entity-with-signficant-control', ceased_on: '2020-01-01' }, 's2'),
    data({ kind: 'super-secure-person-with-significant-control', ceased: false, description: 'super-secure' }, 'p1'),
    data(
      {
        kind: 'individual-person-with-significant-control',
        name: 'A B',
        notified_on: '1083-01-01',
        ceased_on: '2924-01-01',
      },
      'p2',
    ),
    `${JSON.stringify({ company_number: '03333333', data: { kind: 'exemptions', exemptions: { psc: { exemption_type: 'psc-exempt-as-trading-on-uk-regulated-market', items: [{ exempt_from: '2018-01-01' }] } } } })}\n`,
  ]
  await load(write([...lines, ...edition(2)]))
  const profile = await readProfile('03333333')
  expect(profile.pscs).toHaveLength(2)
  expect(profile.pscs[0]).toMatchObject({ kind_text: 'Protected individual', name: null })
  const texts = profile.psc_statements.map(({ statement_text }: { statement_text: string }) => statement_text)
  expect(texts).toHaveLength(3)
  expect(texts.join(' ')).toMatch(/A person with significant control has failed to comply/)
  expect(texts.join(' ')).toMatch(/UK regulated market/)
  expect(texts.join(' ')).not.toMatch(/[{}]/)
})

test('the parts of the simulated register are downloaded and read', async () => {
  house.changes.notifyPsc('02222222', { name: 'Acme Holdings Ltd', kind: 'corporate-entity' })
  house.changes.statePsc('02222222', 'steps-to-find-psc-not-yet-completed')
  const page = await (await fetch(`${it.app.config.register.bulkUrl.origin}/en_pscdata.html`)).text()
  const urls = [...page.matchAll(/href="([^"]+)"/g)].map(
    ([, name]) => `${it.app.config.register.bulkUrl.origin}/${name}`,
  )
  expect(urls).toHaveLength(3)
  const file = await openPscSnapshot(urls, openDownload)
  await expect(importPscs(it.app, file, silentProgress)).rejects.toThrow('too many for its day')
  await file.close()
})
