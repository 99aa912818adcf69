/**
 * Loads a made-up file of persons with significant control and then a month later's, against a bare `COPY` of the same lines
 * into a table of one column, and reads groups of companies from the result.
 */
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { from as copyFrom } from 'pg-copy-streams'
import { openStage, type Stage } from '../../rig/stage.ts'
import { quantile, round } from '../../rig/statistics.ts'
import { companyAt } from '../../rig/synthetic-register/company.ts'
import { loadSyntheticRegister } from '../../rig/synthetic-register/load.ts'
import { openConnection } from '../../src/lib/db/connection.ts'
import { onlyRow } from '../../src/lib/db/db.ts'
import { findCompany, type Group, type PscImportReport, readGroupOf } from '../../src/register/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'

const LINES_DEFAULT = 2_000_000
const LINES_SHORT = 100_000
/** The live register. */
const COMPANIES = 5_700_000
const COMPANIES_SHORT = 50_000
const READS = 400
const READS_SHORT = 100
const GROUP_SIZE = 5_000

export const benchOwners: NamedRun = {
  about: 'loading N persons with significant control against a bare COPY, a month later as a difference, and groups',
  proof: {
    title: 'The register of owners',
    about:
      'A made-up file of persons with significant control is loaded, and then that of a month later, in ' +
      'which one line in a hundred differs. The same lines are copied bare into a table of one column. Then ' +
      'groups are read from a register of the live size.',
    figures: {
      rows: { label: 'lines', atLeast: LINES_DEFAULT },
      file_mb: { label: 'file', unit: 'MB' },
      bare_copy_seconds: { label: 'bare COPY', unit: 's' },
      load_seconds: { label: 'first load', unit: 's' },
      ratio: {
        label: 'first load over bare COPY',
        unit: '×',
        atMost: 2,
        limitedBy:
          'two cores parse the JSON of every line, write its 25 columns and build five indexes; the bare COPY does none of it',
      },
      reimport_ratio: { label: 'the later file over the first load', unit: '×', atMost: 0.35 },
      peak_mb: { label: 'memory, at most', unit: 'MB', atMost: 600 },
      companies: { label: 'companies on the register' },
      group_companies: { label: 'companies of the largest group, in the first file', atLeast: GROUP_SIZE },
      group_pages: { label: 'of its subsidiaries on the pages of the group, after the later file' },
      group_p99_ms: { label: 'a page of a group, p99', unit: 'ms', atMost: 60 },
    },
  },
  short: {
    // With 100,000 lines, too, starting the threads weighs more: 4 measured, and 2.2 with 2,000,000.
    ratio: { atMost: 8 },
    reimport_ratio: { atMost: 1 },
    peak_mb: { atMost: 600 },
    group_p99_ms: { atMost: 150 },
    group_companies: { atLeast: 5_000 },
    // Of 4,999 one in a hundred ends in the later file.
    group_pages: { atLeast: 4_800 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const lines = options.rows ?? (options.short ? LINES_SHORT : LINES_DEFAULT)
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-owners-'))
  try {
    const first = join(folder, 'psc-snapshot-2026-10-17.txt')
    const second = join(folder, 'psc-snapshot-2026-11-17.txt')
    options.say(`writing two files of ${lines} lines`)
    await writeLines(first, lines, 1)
    await writeLines(second, lines, 2)
    await using stage = await openStage()
    return await measure(stage, { first, second }, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(
  stage: Stage,
  files: { first: string; second: string },
  options: RunOptions,
): Promise<Record<string, unknown>> {
  options.say('bare COPY')
  const bareSeconds = await bareCopy(stage.app.config.databaseUrl, files.first)
  options.say('first load')
  const loaded = await runImport(stage, files.first)
  const groupCompanies = 1 + (await countOwned(stage))
  options.say('a month later')
  const again = await runImport(stage, files.second)
  const companies = options.short ? COMPANIES_SHORT : COMPANIES
  options.say(`groups on a register of ${companies} companies`)
  await loadSyntheticRegister(stage.app.config.databaseUrl, companies)
  const groups = await readGroups(stage, options.short ? READS_SHORT : READS)
  return {
    ratio: round(loaded.seconds / bareSeconds, 2),
    reimport_ratio: round(again.seconds / loaded.seconds, 2),
    peak_mb: Math.max(loaded.peakMb, again.peakMb),
    ...groups,
    group_companies: groupCompanies,
    companies,
    rows: loaded.rowsRead,
    rows_per_second: loaded.rowsPerSecond,
    file_mb: Math.round((await stat(files.first)).size / 1e6),
    bare_copy_seconds: round(bareSeconds, 2),
    load_seconds: round(loaded.seconds, 2),
    reimport_seconds: round(again.seconds, 2),
    reimport_changed: again.changed,
    reimport_added: again.added,
    reimport_removed: again.removed,
  }
}

/** Reads the group of the owner of 5,000 companies, and those of its children, whose sisters they are. */
async function readGroups({ app }: Stage, reads: number): Promise<Record<string, unknown>> {
  const times: number[] = []
  for (let read = 0; read < reads; read += 1) {
    const { number } = companyAt(read % 2 === 0 ? 0 : 1 + (read % (GROUP_SIZE - 1)), 1)
    const company = await findCompany(app.db, number)
    if (!company) throw new Error(`the register has no company ${number}`)
    const startedAt = performance.now()
    await readGroupOf(app.db, company, { limit: 50, children: null, siblings: null })
    times.push(performance.now() - startedAt)
  }
  return {
    group_p99_ms: round(quantile(times, 0.99), 1),
    group_p50_ms: round(quantile(times, 0.5), 1),
    group_pages: await countOnPages(app, GROUP_OWNER),
  }
}

const GROUP_OWNER = companyAt(0, 1).number

/** Returns how many companies state the owner of the largest group, by reading all rows. */
async function countOwned({ app }: Stage): Promise<number> {
  const rows = await app.db.query<{ count: number }>(
    `select count(distinct company_number)::int as count from psc
     where identification ->> 'registration_number' = $1 and company_number <> $1 and not is_deleted`,
    [GROUP_OWNER],
  )
  return onlyRow(rows).count
}

/** Returns how many subsidiaries are on all pages of a group. The total of a page is counted up to 1,000 only. */
async function countOnPages({ db }: Stage['app'], number: string): Promise<number> {
  const company = await findCompany(db, number)
  if (!company) throw new Error(`the register has no company ${number}`)
  const seen = new Set<string>()
  let after: string | null = null
  for (let page = 0; page < GROUP_SIZE; page += 1) {
    const { children }: Group = await readGroupOf(db, company, { limit: 50, children: after, siblings: null })
    for (const { companyNumber } of children.companies) seen.add(companyNumber)
    after = children.nextCursor
    if (after === null) return seen.size
  }
  throw new Error(`the pages of the group of ${number} do not end`)
}

type Report = PscImportReport & { rowsPerSecond: number; peakMb: number }

/** Runs the operator's command in a process, so that its memory is what an operator would see. */
async function runImport({ settings }: Stage, path: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../src/main.ts'), 'register', 'import-owners', path, '--json'],
    { env: { PATH: process.env['PATH'], ...settings } },
  )
  return JSON.parse(stdout) as Report
}

/** Returns the seconds that PostgreSQL alone takes for the lines as text: one column, no index, no check. */
async function bareCopy(url: string, path: string): Promise<number> {
  const client = await openConnection(url)
  await client.query('create table bare (line text)')
  const startedAt = performance.now()
  await pipeline(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    doubleBackslashes(),
    client.query(copyFrom('copy bare from stdin')),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  await client.query('drop table bare')
  await client.end()
  return seconds
}

/** COPY takes a backslash for an escape of its own. */
function doubleBackslashes(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk.includes(92) ? Buffer.from(chunk.toString('latin1').replaceAll('\\', '\\\\'), 'latin1') : chunk)
    },
  })
}

async function writeLines(path: string, lines: number, edition: number): Promise<void> {
  const program = join(import.meta.dirname, '../../rig/synthetic-register/write-pscs.ts')
  await promisify(execFile)(process.execPath, [program, path, String(lines), String(edition)])
}
