/**
 * Loads a synthetic register and then a month later's, against a bare `COPY` of the same file into an untyped table in
 * the same run and on the same server.
 */
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { from as copyFrom } from 'pg-copy-streams'
import { openStage, type Stage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { openConnection } from '../../src/lib/db/connection.ts'
import type { ImportReport } from '../../src/register/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'

const ROWS_DEFAULT = 1_000_000
const ROWS_SHORT = 100_000

export const benchImport: NamedRun = {
  about: 'loading a register of N rows against a bare COPY, and a month later as a difference',
  short: {
    // At 100,000 rows starting the threads weighs more than at the size the goals are set for.
    ratio: { atMost: 4 },
    reimport_ratio: { atMost: 1 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const rows = options.rows ?? (options.short ? ROWS_SHORT : ROWS_DEFAULT)
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-import-'))
  try {
    const first = join(folder, 'BasicCompanyDataAsOneFile-2026-10-01.csv')
    const second = join(folder, 'BasicCompanyDataAsOneFile-2026-11-01.csv')
    options.say(`writing two registers of ${rows} rows`)
    await writeRegister(first, rows, 1)
    await writeRegister(second, rows, 2)
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
  const bareBefore = await bareCopy(stage.app.config.databaseUrl, files.first)
  options.say('first load')
  const loaded = await runImport(stage, files.first)
  // Before and after, so that what else the machine does falls on both.
  options.say('bare COPY again')
  const bareSeconds = (bareBefore + (await bareCopy(stage.app.config.databaseUrl, files.first))) / 2
  options.say('a month later')
  const again = await runImport(stage, files.second)
  return {
    ratio: round(loaded.loadSeconds / bareSeconds, 2),
    reimport_ratio: round(again.loadSeconds / loaded.loadSeconds, 2),
    rows_per_second: loaded.rowsPerSecond,
    peak_mb: Math.max(loaded.peakMb, again.peakMb),
    rows: loaded.rowsRead,
    file_mb: Math.round((await stat(files.first)).size / 1e6),
    bare_copy_seconds: round(bareSeconds, 2),
    load_seconds: round(loaded.loadSeconds, 2),
    search_index_seconds: round(loaded.searchIndexSeconds, 2),
    reimport_seconds: round(again.loadSeconds, 2),
    reimport_search_seconds: round(again.searchIndexSeconds, 2),
    reimport_changed: again.changed,
    reimport_added: again.added,
    reimport_removed: again.removed,
  }
}

type Report = ImportReport & { rowsPerSecond: number; peakMb: number }

/** Runs the operator's command in a process, so that its memory is what an operator would see. */
async function runImport({ settings }: Stage, path: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../src/main.ts'), 'register', 'import', path, '--json'],
    { env: { PATH: process.env['PATH'], ...settings } },
  )
  return JSON.parse(stdout) as Report
}

/** Returns the seconds that PostgreSQL alone takes for the file: 55 columns of text, no index, no check. */
async function bareCopy(url: string, path: string): Promise<number> {
  const client = await openConnection(url)
  const columns = Array.from({ length: 55 }, (_, index) => `c${index} text`)
  await client.query(`create table bare (${columns.join(', ')})`)
  const startedAt = performance.now()
  await pipeline(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    client.query(copyFrom('copy bare from stdin csv header')),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  await client.query('drop table bare')
  await client.end()
  return seconds
}

/**
 * The second edition has one row in a hundred changed, and one in a thousand added and removed. Another process writes it,
 * so that its memory is not counted here.
 */
async function writeRegister(path: string, rows: number, edition: number): Promise<void> {
  const program = join(import.meta.dirname, '../../rig/synthetic-register/write.ts')
  await promisify(execFile)(process.execPath, [program, path, String(rows), String(edition)])
}
