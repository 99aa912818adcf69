import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { HEADER, syntheticRows } from '../rig/synthetic-register/rows.ts'
import { findCompany, importSnapshot, openSnapshotFile, silentProgress, startFollowing } from '../src/register/index.ts'
import { prepare, startTestService, useTestService } from './setup/harness.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
const folder = mkdtempSync(join(tmpdir(), 'nameplate-import-'))
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

const ROWS = 3_000

function write(name: string, lines: Iterable<string>): string {
  const path = join(folder, name)
  writeFileSync(path, `${HEADER}\n${[...lines].join('')}`)
  return path
}

async function load(path: string) {
  const file = await openSnapshotFile(path, () => Promise.reject(new Error('nothing to download')))
  return importSnapshot(it.app, file, silentProgress)
}

const countCompanies = async () =>
  (await it.app.db.query<{ count: number }>('select count(*)::int as count from company'))[0]?.count
const changesOf = (source: string) =>
  it.app.db.query<{ company_number: string; before: object | null }>(
    'select company_number, before from register_change where source = $1',
    [source],
  )

test('the first load is silent, counts bad rows without failing, and can be searched at once', async () => {
  const lines = [...syntheticRows(ROWS, 1)]
  lines.splice(10, 0, '"only","three","fields"\n', 'nonsense\n')
  const report = await load(write('BasicCompanyDataAsOneFile-2026-10-01.csv', lines))
  expect(report).toMatchObject({ kind: 'first load', rowsRead: ROWS + 2, rowsBad: 2, added: ROWS })
  expect(report.badLines[0]).toContain('only')
  expect(await countCompanies()).toBe(ROWS)
  expect(await changesOf('snapshot')).toEqual([])
  const [company] = await it.app.db.query<{ name: string; number: string }>('select name, number from company limit 1')
  const found = await it.call('GET', `/v1/companies/search?name=${encodeURIComponent(company?.name ?? '')}`, {
    key: account.key,
  })
  expect(found.body.data.map((candidate: { company_number: string }) => candidate.company_number)).toContain(
    company?.number,
  )
})

test('the same file again changes nothing', async () => {
  const report = await load(write('BasicCompanyDataAsOneFile-2026-10-01.csv', syntheticRows(ROWS, 1)))
  expect(report).toMatchObject({ kind: 'difference', added: 0, changed: 0, removed: 0 })
})

test('a month later only what differs is rewritten, and each change is queued with before and after', async () => {
  const before = await it.app.db.query<{ number: string; xmin: string }>('select number, xmin::text from company')
  const report = await load(write('BasicCompanyDataAsOneFile-2026-11-01.csv', syntheticRows(ROWS, 1, { edition: 2 })))
  expect(report.changed).toBeGreaterThan(ROWS * 0.005)
  expect(report.changed).toBeLessThan(ROWS * 0.02)
  const queued = await changesOf('snapshot')
  expect(queued).toHaveLength(report.changed + report.added + report.removed)
  expect(queued.filter((change) => change.before === null)).toHaveLength(report.added)
  const after = new Map(
    (await it.app.db.query<{ number: string; xmin: string }>('select number, xmin::text from company')).map((row) => [
      row.number,
      row.xmin,
    ]),
  )
  expect(before.filter(({ number, xmin }) => after.get(number) !== xmin)).toHaveLength(report.changed + report.removed)
  const [gone] = await it.app.db.query<{ number: string }>(
    `select number from company where status = 'dissolved' and source = 'snapshot'`,
  )
  expect(gone).toBeDefined()
})

test('what a stream told after the snapshot’s day is not undone by it', async () => {
  const [company] = await it.app.db.query<{ number: string }>(
    `select number from company where status = 'active' limit 1`,
  )
  const number = company?.number ?? ''
  await it.app.db.query(
    `update company set name = 'TOLD BY THE STREAM', source = 'stream', row_hash = null, changed_at = '2026-11-10' where number = $1`,
    [number],
  )
  await load(write('BasicCompanyDataAsOneFile-2026-11-01.csv', syntheticRows(ROWS, 1, { edition: 2 })))
  expect((await findCompany(it.app.db, number))?.name).toBe('TOLD BY THE STREAM')
  await load(write('BasicCompanyDataAsOneFile-2026-12-01.csv', syntheticRows(ROWS, 1, { edition: 2 })))
  expect((await findCompany(it.app.db, number))?.name).not.toBe('TOLD BY THE STREAM')
})

test('remarks, which no snapshot has, stay when it changes a company', async () => {
  const remarks = ['registered-office-is-in-dispute']
  await it.app.db.query(`update company set remarks = $1, row_hash = null, name = 'OLD', changed_at = '2026-11-01'`, [
    remarks,
  ])
  await load(write('BasicCompanyDataAsOneFile-2027-01-01.csv', syntheticRows(ROWS, 1, { edition: 3 })))
  const [counted] = await it.app.db.query<{ changed: number; remarked: number }>(
    `select count(*)::int as changed, count(remarks)::int as remarked from company
     where name <> 'OLD' and exists (select from register_change c where c.company_number = number and c.before ->> 'name' = 'OLD')`,
  )
  expect(counted?.changed).toBeGreaterThan(ROWS / 2)
  expect(counted?.remarked).toBe(counted?.changed)
})

test('a UK establishment, which no snapshot has, stays open; a company that is missing is dissolved', async () => {
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, source, changed_at)
     select number, number, number, status, 'other', 'rest', '2026-10-15'
     from (values ('BR012345', 'open'), ('09999999', 'active')) as looked_up (number, status)`,
  )
  await load(write('BasicCompanyDataAsOneFile-2027-02-01.csv', syntheticRows(ROWS, 1, { edition: 3 })))
  expect((await findCompany(it.app.db, 'BR012345'))?.status).toBe('open')
  expect((await findCompany(it.app.db, '09999999'))?.status).toBe('dissolved')
})

test('a file that lacks a fifth of the register is refused and changes nothing', async () => {
  const lines = [...syntheticRows(ROWS, 1, { edition: 2 })].slice(0, ROWS / 2)
  await expect(load(write('BasicCompanyDataAsOneFile-2027-01-01.csv', lines))).rejects.toThrow('cut off')
  expect(await it.app.db.query(`select 1 from company where status = 'dissolved' offset 100 limit 1`)).toEqual([])
})

test('a file of another kind is refused', async () => {
  const path = join(folder, 'other.csv')
  writeFileSync(path, 'a,b,c\n1,2,3\n')
  await expect(load(path)).rejects.toThrow('not a snapshot of the register')
  await expect(load(join(folder, 'missing.csv'))).rejects.toThrow('There is no file')
})

test('the register’s own zip is loaded from its address', async () => {
  await using fresh = await startTestService()
  const house = SimulatedCompaniesHouse.fromCompanies([
    { number: '01234567', name: 'ACME "THE BEST" WIDGETS LIMITED' },
    { number: 'SC123456', name: 'ÉCOSSE LLP' },
  ])
  const { bulkUrl } = await house.listen()
  const index = await (await fetch(new URL('/en_output.html', bulkUrl))).text()
  const name = /BasicCompanyDataAsOneFile[\w-]*\.zip/.exec(index)?.[0]
  const file = await openSnapshotFile(new URL(`/${name}`, bulkUrl).href, async (url) =>
    Readable.from([Buffer.from(await (await fetch(url)).arrayBuffer())]),
  )
  await importSnapshot(fresh.app, file, silentProgress)
  await file.close()
  expect((await findCompany(fresh.app.db, '01234567'))?.name).toBe('ACME "THE BEST" WIDGETS LIMITED')
  expect((await findCompany(fresh.app.db, 'SC123456'))?.status).toBe('active')
  await house.close()
})

test('a community interest company keeps its type when the stream speaks of it after the file', async () => {
  const house = SimulatedCompaniesHouse.fromCompanies(
    [{ number: '07777777', name: 'ACORN CIC', category: 'Community Interest Company' }],
    { stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 } },
  )
  await using fresh = await startTestService({
    house,
    houseKeys: { restKey: null, streamKeys: [SIMULATED_STREAM_KEY] },
  })
  const { bulkUrl } = await house.listen()
  const index = await (await fetch(new URL('/en_output.html', bulkUrl))).text()
  const name = /BasicCompanyDataAsOneFile[\w-]*\.zip/.exec(index)?.[0]
  const file = await openSnapshotFile(new URL(`/${name}`, bulkUrl).href, async (url) =>
    Readable.from([Buffer.from(await (await fetch(url)).arrayBuffer())]),
  )
  await importSnapshot(fresh.app, file, silentProgress)
  await file.close()
  const follower = startFollowing(fresh.app, {})
  const lag = async () => (await fresh.call('GET', '/v1/status')).body.register.streams[0].lag_seconds
  await expect.poll(lag).not.toBeNull()
  house.changes.rename('07777777', 'WALNUT CIC')
  await expect.poll(async () => (await findCompany(fresh.app.db, '07777777'))?.name).toBe('WALNUT CIC')
  await follower.close()
  const changes = await fresh.app.db.query(
    `select before ->> 'type' as before, after ->> 'type' as after from register_change
     where company_number = '07777777' and kind = 'company' and before is not null`,
  )
  const type = 'community-interest-company'
  expect(changes).toEqual([{ before: type, after: type }])
})

test('a load that was cut off goes on with the pieces that are missing', async () => {
  await using fresh = await startTestService()
  const path = write('BasicCompanyDataAsOneFile-2026-10-02.csv', syntheticRows(30_000, 3))
  const file = await openSnapshotFile(path, () => Promise.reject(new Error('nothing to download')))
  let pieces = 0
  const cutOff = {
    advance: () => {
      pieces += 1
      if (pieces === 1) throw new Error('the power went out')
    },
    say: () => undefined,
  }
  await expect(importSnapshot(fresh.app, file, cutOff)).rejects.toThrow('the power went out')
  const loadedBefore = await fresh.app.db.query('select piece from register_load_piece')
  expect(loadedBefore.length).toBeGreaterThan(0)
  const report = await importSnapshot(fresh.app, file, silentProgress)
  expect(report).toMatchObject({ kind: 'first load', rowsRead: 30_000, rowsBad: 0 })
  const [count] = await fresh.app.db.query<{ count: number }>('select count(*)::int as count from company')
  expect(count?.count).toBe(30_000)
})
