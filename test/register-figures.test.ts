import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import type { AccountsFiling } from '../rig/companies-house/accounts-document.ts'
import {
  drawAccountsFiles,
  drawFiling,
  toAccountsFile,
  writeAccountsDay,
} from '../rig/companies-house/accounts-file.ts'
import type { ZippedFile } from '../rig/companies-house/zip.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { importFigures, openAccountsFile, silentProgress } from '../src/register/index.ts'
import { startCommand, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const it = useTestService()
const folder = mkdtempSync(join(tmpdir(), 'nameplate-figures-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(async () => {
  await it.app.db.query('delete from company_figures')
  await it.app.db.query(`delete from register_snapshot where product = 'figures'`)
})

const DAY = 'Accounts_Bulk_Data-2026-02-10.zip'
const noDownload = () => Promise.reject(new Error('nothing to download'))

async function write(name: string, files: Iterable<ZippedFile>): Promise<string> {
  const path = join(folder, name)
  await pipeline(Readable.from(writeAccountsDay(files)), createWriteStream(path))
  return path
}

async function load(path: string) {
  const file = await openAccountsFile(path, noDownload)
  try {
    return await importFigures(it.app, file, silentProgress)
  } finally {
    await file.close()
  }
}

const readAll = () =>
  it.app.db.query<Record<string, unknown>>(
    `select company_number, period_end::text, employees, net_assets::float8, current_assets::float8, creditors::float8,
       cash::float8, turnover::float8, is_dormant, is_comparative, source_on::text, source_file, xmin::text
     from company_figures order by company_number, period_end desc`,
  )

/** A filing of one company, made up to a day, with so many employees. */
function filingOf(madeUpTo: string, employees: number): AccountsFiling {
  const drawn = drawFiling(3, 1)
  return { ...drawn, form: 'ixbrl', kind: 'small', madeUpTo, current: { ...drawn.current, employees } }
}

test('a day of filings is stored as it was drawn, the accounts of community interest companies among them', async () => {
  const count = 500
  const report = await load(await write(DAY, drawAccountsFiles(5, count)))
  expect(report).toMatchObject({ filings: count, unreadable: 0, companies: count, periods: 2 * count })
  const stored = await readAll()
  const filings = Array.from({ length: count }, (_, index) => drawFiling(5, index))
  expect(new Set(filings.map(({ form }) => form)).size).toBe(3)
  for (const [index, filing] of filings.entries()) {
    const row = { company_number: filing.number, source_on: '2026-02-10', source_file: toAccountsFile(filing).name }
    expect(stored.slice(2 * index, 2 * index + 2)).toMatchObject([
      { ...row, ...filing.current, period_end: filing.madeUpTo, is_dormant: filing.kind === 'dormant' },
      { ...row, ...filing.prior, is_comparative: true, is_dormant: null },
    ])
  }
})

test('the same file again, and after a run was killed, stores the same and rewrites nothing', async () => {
  const path = await write(DAY, drawAccountsFiles(5, 1_600))
  const { child, ended } = startCommand(it.config, ['register', 'figures', path, '--json'])
  await expect.poll(async () => (await readAll()).length, { interval: 20 }).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
  const before = await readAll()
  expect(before.length).toBeLessThan(3_200)
  await load(path)
  const stored = await readAll()
  expect(stored).toHaveLength(3_200)
  const rows = new Set(stored.map((row) => JSON.stringify(row)))
  expect(before.every((row) => rows.has(JSON.stringify(row)))).toBe(true)
  await load(path)
  expect(await readAll()).toEqual(stored)
})

test('of two accounts of a period the later file counts, in whichever order they are read', async () => {
  const first = await write(DAY, [toAccountsFile(filingOf('2025-03-31', 3))])
  const amended = await write('Accounts_Bulk_Data-2026-02-17.zip', [toAccountsFile(filingOf('2025-03-31', 4))])
  for (const order of [
    [first, amended],
    [amended, first],
  ]) {
    await it.app.db.query('delete from company_figures')
    for (const path of order) await load(path)
    expect((await readAll())[0]).toMatchObject({ period_end: '2025-03-31', employees: 4, source_on: '2026-02-17' })
  }
})

test('a period’s own accounts count before those of a later year that repeat it', async () => {
  const own = await write(DAY, [toAccountsFile(filingOf('2024-03-31', 3))])
  const later = await write('Accounts_Monthly_Data-March2026.zip', [toAccountsFile(filingOf('2025-03-31', 9))])
  await load(later)
  expect((await readAll())[1]).toMatchObject({
    period_end: '2024-03-31',
    is_comparative: true,
    source_on: '2026-03-31',
  })
  await load(own)
  await load(later)
  expect(await readAll()).toMatchObject([
    { period_end: '2025-03-31', employees: 9 },
    { period_end: '2024-03-31', employees: 3, is_comparative: false, source_on: '2026-02-10' },
    { period_end: '2023-03-31', is_comparative: true },
  ])
})

test('accounts that state the year before only do not take the place of that year’s own', async () => {
  const filing = filingOf('2025-03-31', 9)
  const file = toAccountsFile(filing)
  const bytes = Buffer.from(Buffer.from(file.bytes).toString('utf8').replaceAll('2025-03-31', '2024-03-31'))
  await load(await write(DAY, [toAccountsFile(filingOf('2024-03-31', 3))]))
  await load(await write('Accounts_Bulk_Data-2026-02-17.zip', [{ name: file.name, bytes }]))
  expect(await readAll()).toMatchObject([
    { period_end: '2024-03-31', employees: 3, is_comparative: false, source_on: '2026-02-10' },
    { period_end: '2023-03-31', is_comparative: true },
  ])
})

describe('a file that is not what it should be', () => {
  test('has its unreadable filings counted and named, and the others are stored', async () => {
    const good = toAccountsFile(filingOf('2025-03-31', 3))
    const nested = Buffer.concat([...writeAccountsDay([{ name: 'accounts/inner.zip', bytes: Buffer.from('PK') }])])
    const crowd = Array.from({ length: 40 }, (_, index) => ({ name: `accounts/${index}.xhtml`, bytes: good.bytes }))
    const files = [
      { name: 'Prod223_3456_00000001_20250331.html', bytes: Buffer.from('%PDF-1.7') },
      { name: 'Prod223_3456_00000002_20250331_CIC.zip', bytes: nested },
      { name: 'Prod223_3456_00000003_20250331_CIC.zip', bytes: Buffer.concat([...writeAccountsDay(crowd)]) },
      { name: 'Prod223_3456_00000004_20250331_CIC.zip', bytes: Buffer.from('not a zip') },
      { name: 'Prod223_3456_00000005_20250331.html', bytes: Buffer.alloc(30 << 20, ' ') },
      good,
    ]
    const report = await load(await write(DAY, files))
    expect(report).toMatchObject({ filings: 6, unreadable: 5, companies: 1 })
    expect(report.unreadableFiles.sort()).toEqual(files.slice(0, 5).map(({ name }) => name))
  })

  test('has an entry that unpacks to more than it says', async () => {
    const bomb = { name: 'Prod223_3456_00000001_20250331.html', bytes: Buffer.alloc(5 << 20, ' ') }
    const archive = Buffer.concat([...writeAccountsDay([bomb, toAccountsFile(filingOf('2025-03-31', 3))])])
    // The size of the first file, in the list at the end.
    archive.writeUInt32LE(100, archive.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24)
    const path = join(folder, DAY)
    writeFileSync(path, archive)
    expect(await load(path)).toMatchObject({ filings: 2, unreadable: 1, companies: 1 })
  })

  test('is refused when it is no zip, is cut off or missing', async () => {
    const path = join(folder, 'other.zip')
    writeFileSync(path, 'a,b,c')
    await expect(load(path)).rejects.toThrow('not a zip archive of accounts')
    const whole = Buffer.concat([...writeAccountsDay(drawAccountsFiles(5, 3))])
    writeFileSync(path, whole.subarray(0, whole.length / 2))
    await expect(load(path)).rejects.toThrow('not a zip archive of accounts')
    await expect(load(join(folder, 'missing.zip'))).rejects.toThrow('There is no file')
  })
})

test('a company’s profile has its figures, newest period first, for programs and for agents', async () => {
  const { number } = filingOf('2025-03-31', 3)
  await putCompanies(it.app, [{ number, name: 'STATED LIMITED', postcode: 'LS1 4AP' }])
  const { key } = await it.openAccount()
  const readProfile = async () => (await it.call('GET', `/v1/companies/${number}`, { key })).body
  expect((await readProfile()).figures).toEqual([])
  await load(await write(DAY, [toAccountsFile(filingOf('2025-03-31', 3)), toAccountsFile(filingOf('2024-03-31', 2))]))
  const { current, prior } = filingOf('2025-03-31', 3)
  expect((await readProfile()).figures).toEqual([
    { period_end: '2025-03-31', ...current, is_dormant: false, source_on: '2026-02-10' },
    { period_end: '2024-03-31', ...current, employees: 2, is_dormant: false, source_on: '2026-02-10' },
    { period_end: '2023-03-31', ...prior, is_dormant: null, source_on: '2026-02-10' },
  ])
  await using agent = await connect(it, { 'x-api-key': key })
  const answer = await agent.ask('get_company', { company_number: number })
  expect(answer.structured.figures).toHaveLength(3)
  expect(answer.text).toContain(`Accounts to 2025-03-31: 3 employees, net assets £${current.net_assets}.`)
  const periods = Array.from({ length: 20 }, (_, index) => `${2000 + index}-12-31`)
  await it.app.db.query(
    `insert into company_figures (company_number, period_end, is_comparative, source_on, source_file)
     select $1, period_end, false, '2026-02-10', 'x' from unnest($2::date[]) as period_end`,
    [number, periods],
  )
  expect((await readProfile()).figures).toHaveLength(10)
})

test('a company without figures is not mistaken for one of a service that has loaded no accounts file', async () => {
  const [{ number }, quiet] = [filingOf('2025-03-31', 3), '07654321']
  await putCompanies(it.app, [{ number: quiet, name: 'QUIET LIMITED', postcode: 'LS1 4AP' }])
  const { key } = await it.openAccount()
  await using agent = await connect(it, { 'x-api-key': key })
  const readProfile = async () => (await it.call('GET', `/v1/companies/${quiet}`, { key })).body
  const search = async (query: string) => (await it.call('GET', `/v1/companies/search?${query}`, { key })).body

  expect(await readProfile()).toMatchObject({ figures: [], figures_as_of: null })
  expect(await search('name=quiet&employees_from=1')).toMatchObject({ data: [], figures_as_of: null })
  expect(await search('name=quiet')).not.toHaveProperty('figures_as_of')
  const NOT_LOADED = 'this service has not loaded the accounts files yet'
  expect((await agent.ask('get_company', { company_number: quiet })).text).toContain(NOT_LOADED)
  expect((await agent.ask('search_companies', { name: 'quiet', employees_from: 1 })).text.toLowerCase()).toContain(
    NOT_LOADED,
  )
  expect((await it.run('register', 'status')).stdout).toContain('No figures of accounts yet.')

  await load(await write('Accounts_Bulk_Data-2026-02-17.zip', [toAccountsFile(filingOf('2025-03-31', 4))]))
  await load(await write(DAY, [toAccountsFile(filingOf('2025-03-31', 3))]))
  expect(await readProfile()).toMatchObject({ figures: [], figures_as_of: '2026-02-17' })
  expect(await search('name=quiet&employees_from=1')).toMatchObject({ data: [], figures_as_of: '2026-02-17' })
  expect((await agent.ask('get_company', { company_number: quiet })).text).not.toContain(NOT_LOADED)
  expect((await it.call('GET', `/v1/companies/${number}`, { key })).body.figures_as_of).toBe('2026-02-17')
  const status = await it.run('register', 'status', '--json')
  expect(JSON.parse(status.stdout)).toMatchObject({ owners: null, figures: { asOf: '2026-02-17', rows: 1 } })
})

test('the operator’s command reports what was read, and ends with 1 when there is no such file', async () => {
  const broken = { name: 'Prod223_3456_00000001_20250331.html', bytes: Buffer.from('%PDF-1.7') }
  const path = await write(DAY, [...drawAccountsFiles(5, 3), broken])
  const done = await it.run('register', 'figures', path, '--json')
  expect([done.code, JSON.parse(done.stdout)]).toEqual([
    0,
    expect.objectContaining({ filings: 4, unreadable: 1, companies: 3, periods: 6, unreadableFiles: [broken.name] }),
  ])
  const shown = await it.run('register', 'figures', path)
  expect(shown.stdout).toMatch(/filings +4\n/)
  expect(shown.stdout).toContain(`not readable: ${broken.name}`)
  const missing = await it.run('register', 'figures', join(folder, 'missing.zip'))
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no file')])
})

/** The last report of the command. */
const readTotals = (stdout: string): unknown => JSON.parse(stdout.slice(stdout.lastIndexOf('{')))

test('a day that could not be read is read by a later run, and days without a file are left out', async () => {
  const today = toLondonDate(it.clock.now())
  const dayBefore = (days: number) => addDaysToDate(today, -days)
  const nameOf = (day: string) => `Accounts_Bulk_Data-${day}.zip`
  const bytes = Buffer.concat([...writeAccountsDay(drawAccountsFiles(2, 3))])
  const files = new Map([nameOf(dayBefore(3)), nameOf(dayBefore(1))].map((name) => [`/${name}`, bytes]))
  const asked: string[] = []
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    asked.push(request.url ?? '')
    response.writeHead(file ? 200 : 404).end(file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const run = async () =>
    (await it.run('register', 'figures', `http://127.0.0.1:${port}/${nameOf('{day}')}`, '--days', '5', '--json')).stdout
  expect(readTotals(await run())).toEqual({ files_read: 2, days_without_file: 3, days_failed: 0 })
  files.set(`/${nameOf(dayBefore(2))}`, bytes)
  asked.length = 0
  expect(readTotals(await run())).toEqual({ files_read: 1, days_without_file: 2, days_failed: 0 })
  expect(asked).toEqual([dayBefore(4), dayBefore(2), today].map((day) => `/${nameOf(day)}`))
  const wrong = await it.run('register', 'figures', 'http://127.0.0.1/x.zip', '--days', '5')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('{day}')])
  server.close()
})

test('a day whose file is broken or refused does not hold up the days after it, and is named with its reason', async () => {
  const today = toLondonDate(it.clock.now())
  const nameOf = (day: string) => `/Accounts_Bulk_Data-${day}.zip`
  const [broken, refused, good] = [addDaysToDate(today, -3), addDaysToDate(today, -2), addDaysToDate(today, -1)]
  const replies = new Map<string, [status: number, body: Buffer]>([
    [nameOf(broken), [200, Buffer.from('no zip')]],
    [nameOf(refused), [403, Buffer.from('')]],
    [nameOf(good), [200, Buffer.concat([...writeAccountsDay(drawAccountsFiles(2, 3))])]],
  ])
  const server = createServer((request, response) => {
    const [status, body] = replies.get(request.url ?? '') ?? [404, Buffer.from('')]
    response.writeHead(status).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}${nameOf('{day}')}`
  const run = await it.run('register', 'figures', address, '--days', '5', '--json')
  expect(readTotals(run.stdout)).toEqual({ files_read: 1, days_without_file: 2, days_failed: 2 })
  expect([run.code, run.stderr.trim().split('\n').slice(1)]).toEqual([
    1,
    [
      `${broken}: Accounts_Bulk_Data-${broken}.zip is not a zip archive of accounts.`,
      expect.stringContaining(`${refused}: `),
    ],
  ])
  expect(run.stderr).toContain('answered 403')
  expect((await readAll()).length).toBeGreaterThan(0)
  server.close()
})

test('a file is read from its address', async () => {
  const bytes = Buffer.concat([...writeAccountsDay(drawAccountsFiles(5, 3))])
  const download = () => Promise.resolve(Readable.from([bytes]))
  const file = await openAccountsFile(`https://download.example/${DAY}`, download)
  expect(await importFigures(it.app, file, silentProgress)).toMatchObject({ filings: 3, unreadable: 0 })
  await file.close()
})
