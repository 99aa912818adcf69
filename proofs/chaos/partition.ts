/**
 * Tables with history become partitioned under load: the release before serves and works, its customers send requests, rows
 * change without pause, and the migration is killed again and again. No request may fail, no row may be missing, changed or
 * there again after it was deleted, and the books must be right at the end.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../../rig/program.ts'
import { randomOf } from '../../rig/random.ts'
import { ScratchDatabase } from '../../rig/scratch-database.ts'
import { databaseSettings, type Settings } from '../../rig/settings.ts'
import { openStage, openSurroundings } from '../../rig/stage.ts'
import { Database } from '../../src/lib/db/db.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'
import { prepareDatabase } from './deploy/prepare.ts'
import { type Release, takePreviousRelease } from './deploy/releases.ts'
import { Visitors } from './deploy/visitors.ts'
import { listColumns, storeHistory, sumHistory, Writers } from './partition/history.ts'
import { untilEnded } from './resolution/asking.ts'
import { auditRun } from './resolution/audit.ts'

export const PARTITION_PROOF: Proof = {
  title: 'Large tables become partitioned while they are used',
  about:
    'The release before the partitions serves and works, its customers send requests, and rows change without pause. Meanwhile ' +
    '`nameplated migrate` copies the tables and replaces them, and is killed again and again. Every row is compared before and after.',
  figures: {
    rows_of_each_table: { label: 'rows of each table before' },
    deaths_of_the_migration: { label: 'deaths of the migration', atLeast: 1 },
    migration_seconds: { label: 'the migration in all', unit: 's' },
    writes_meanwhile: { label: 'changes of rows meanwhile' },
    requests: { label: 'requests meanwhile' },
    failed_requests: { label: 'requests that failed', atMost: 0 },
    slowest_ms: { label: 'the slowest request', unit: 'ms' },
    rows_lost_or_changed: { label: 'rows lost or changed', atMost: 0 },
    wrong_books: { label: 'accounts whose books are wrong', atMost: 0 },
    not_partitioned: { label: 'tables that are not partitioned in the end', atMost: 0 },
  },
}

const FIRST_MIGRATION = '0027_partitions_expand.sql'
const FULL = { rows: 300_000, kills: 12, steadyMs: 5_000 }
const SHORT = { rows: 20_000, kills: 3, steadyMs: 1_000 }
const ACCOUNTS = { count: 3, plan: 'growth' } as const
const DOMAINS_MAX = 400
const MAIN = join(import.meta.dirname, '../../src/main.ts')
/** It takes most of a second until the first statement. */
const KILL_AFTER_MS = { min: 900, max: 4_000 }

export async function chaosPartition(options: RunOptions): Promise<RunReport> {
  using previous = takePreviousRelease(FIRST_MIGRATION)
  if (!previous) return { skipped: 'this checkout has no history to take the previous release from', ok: true }
  await using database = await ScratchDatabase.open()
  return await runOver(database.url, previous, options)
}

async function runOver(databaseUrl: string, previous: Release, options: RunOptions): Promise<RunReport> {
  const { rows, kills, steadyMs } = options.short ? SHORT : FULL
  const startedAt = Date.now()
  await using surroundings = await openSurroundings()
  const settings = { ...databaseSettings(databaseUrl), ...surroundings.settings, LOG_LEVEL: 'info' }
  const accounts = await prepareDatabase(previous, settings, { accounts: ACCOUNTS, domains: DOMAINS_MAX })
  const db = new Database({ url: databaseUrl, connectionsMax: 6, applicationName: 'chaos' })
  options.say(`storing ${rows} rows in each table`)
  await storeHistory(db, rows)
  const columns = await listColumns(db)
  const before = await sumHistory(db, columns)
  const errors: string[] = []
  const onLog = (chunk: Buffer) => {
    errors.push(
      ...chunk
        .toString()
        .split('\n')
        .filter((line) => line.includes('"level":"error"')),
    )
  }
  const release = { root: previous.root, onLog }
  await using api = await startProgram('serve', settings, release)
  await using _worker = await startProgram('work', settings, release)
  const writers = Writers.start(db, randomOf(options.seed, 0))
  const visitors = new Visitors({ url: api.url, accounts, web: surroundings.web, domainsMax: DOMAINS_MAX })
  await sleep(steadyMs)
  const migrated = await migrateWithDeaths(settings, { kills, ...options })
  options.say(`migrated, after ${migrated.kills} deaths; the previous release serves over the new tables`)
  await sleep(steadyMs)
  const visits = await visitors.leave()
  const differences = await writers.stop()
  const after = await sumHistory(db, columns)
  await using stage = await openStage({ databaseUrl })
  await untilEnded(stage.app)
  const audit = await auditRun(stage.app.db, { accounts, ...visits })
  const [unpartitioned] = await db.query<{ count: number }>(
    `select count(*) from unnest($1::text[]) name where (select relkind from pg_class where oid = name::regclass) <> 'p'`,
    [Object.keys(before)],
  )
  await db.close()
  const lost = Object.keys(before).flatMap((table) =>
    before[table] === after[table] ? [] : [`${table}: ${before[table]} became ${after[table]}`],
  )
  const problems = [...differences, ...lost, ...audit.problems, ...visits.failures, ...errors]
  return {
    rows_of_each_table: rows,
    tables: Object.keys(before).length,
    deaths_of_the_migration: migrated.kills,
    migration_seconds: migrated.seconds,
    writes_meanwhile: writers.writes,
    requests: visits.requests,
    failed_requests: visits.failures.length,
    slowest_ms: visits.slowestMs,
    rows_lost_or_changed: lost.length + differences.length,
    wrong_books: audit.problems.length,
    not_partitioned: unpartitioned?.count ?? 0,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    examples: problems.slice(0, 8).join('; ') || 'none',
    errors_in_logs: errors.slice(0, 3).map((line) => line.slice(0, 600)),
    ok: problems.length === 0 && migrated.kills > 0 && visits.requests > 0 && unpartitioned?.count === 0,
  }
}

/** Runs `nameplated migrate` and kills it, until it has died often enough or is done. */
async function migrateWithDeaths(
  settings: Settings,
  { kills, seed, say }: { kills: number; seed: number; say: (line: string) => void },
): Promise<{ kills: number; seconds: number }> {
  const random = randomOf(seed, 1)
  const startedAt = Date.now()
  let died = 0
  for (let run = 0; run <= kills; run += 1) {
    const child = spawn(process.execPath, [MAIN, 'migrate'], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const exited = once(child, 'exit') as Promise<[number | null]>
    const isLast = run === kills
    const killed = isLast
      ? new Promise(() => undefined)
      : sleep(KILL_AFTER_MS.min + random.below(KILL_AFTER_MS.max - KILL_AFTER_MS.min))
    await Promise.race([exited, killed])
    if (child.exitCode === null && child.kill('SIGKILL')) died += 1
    const [code] = await exited
    if (code === 0) break
    if (isLast) throw new Error(`the migration ended with code ${code}`)
    say(`the migration died ${died} times`)
  }
  return { kills: died, seconds: Math.round((Date.now() - startedAt) / 1_000) }
}
