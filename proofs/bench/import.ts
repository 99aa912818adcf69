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
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { withScratchDatabase } from '../../rig/scratch-database.ts'
import { benchEnvironment, openBenchApp } from '../../rig/stage.ts'
import type { ImportReport } from '../../src/register/index.ts'
import type { BenchOptions } from './main.ts'

const ROWS_DEFAULT = 1_000_000
const ROWS_SHORT = 100_000

export async function benchImport(options: BenchOptions): Promise<Record<string, unknown>> {
  const rows = options.rows ?? (options.short ? ROWS_SHORT : ROWS_DEFAULT)
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-import-'))
  try {
    const first = join(folder, 'BasicCompanyDataAsOneFile-2026-10-01.csv')
    const second = join(folder, 'BasicCompanyDataAsOneFile-2026-11-01.csv')
    say(options, `writing two registers of ${rows} rows`)
    await writeRegister(first, rows, 1)
    await writeRegister(second, rows, 2)
    return await withScratchDatabase((url) => measure(url, { first, second }, options))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(
  url: string,
  files: { first: string; second: string },
  options: BenchOptions,
): Promise<Record<string, unknown>> {
  say(options, 'bare COPY')
  const bareSeconds = await bareCopy(url, files.first)
  await (await openBenchApp(url)).close()
  say(options, 'first load')
  const loaded = await runImport(url, files.first)
  say(options, 'a month later')
  const again = await runImport(url, files.second)
  return {
    ratio: round2(loaded.loadSeconds / bareSeconds),
    reimport_ratio: round2(again.loadSeconds / loaded.loadSeconds),
    rows_per_second: loaded.rowsPerSecond,
    peak_mb: Math.max(loaded.peakMb, again.peakMb),
    rows: loaded.rowsRead,
    file_mb: Math.round((await stat(files.first)).size / 1e6),
    bare_copy_seconds: round2(bareSeconds),
    load_seconds: round2(loaded.loadSeconds),
    search_index_seconds: round2(loaded.searchIndexSeconds),
    reimport_seconds: round2(again.loadSeconds),
    reimport_search_seconds: round2(again.searchIndexSeconds),
    reimport_changed: again.changed,
    reimport_added: again.added,
    reimport_removed: again.removed,
  }
}

type Report = ImportReport & { rowsPerSecond: number; peakMb: number }

/** The operator's own command, in a process of its own: its memory is what an operator would see. */
async function runImport(url: string, path: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../src/main.ts'), 'register', 'import', path, '--json'],
    { env: { PATH: process.env['PATH'], ...benchEnvironment(url) } },
  )
  return JSON.parse(stdout) as Report
}

/** What PostgreSQL alone does with the file: 55 columns of text, no index, no check. */
async function bareCopy(url: string, path: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
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
 * The second edition has one row in a hundred changed, and one in a thousand added and removed. Another process writes
 * it, so that the memory measured here is the import's alone.
 */
async function writeRegister(path: string, rows: number, edition: number): Promise<void> {
  const program = join(import.meta.dirname, '../../rig/synthetic-register/write.ts')
  await promisify(execFile)(process.execPath, [program, path, String(rows), String(edition)])
}

function say(options: BenchOptions, step: string): void {
  if (!options.json) console.log(step)
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
