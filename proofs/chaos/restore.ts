/**
 * The operator's backup is taken under load, a person makes a mistake in SQL, customers go on, and the disk is
 * lost. From the backup and the kept WAL come two servers: one with everything up to the end, one as it was just before
 * the mistake. Every row of every table is compared, and the service must work on what was restored.
 */
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts } from '../../rig/accounts.ts'
import { registerCompanies } from '../../rig/made-up-sites.ts'
import { type LocalPostgres, querySql, serverUser, startPostgres } from '../../rig/postgres.ts'
import { openOutsideStage, openStage, type Stage } from '../../rig/stage.ts'
import { until } from '../../rig/until.ts'
import { revealApiKeys } from '../../src/accounts/index.ts'
import type { App } from '../../src/app.ts'
import { findUnbalancedAccounts } from '../../src/credits/index.ts'
import { onlyRow } from '../../src/lib/db/db.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { Visitors, type Visits } from './deploy/visitors.ts'
import { untilEnded } from './resolution/asking.ts'
import { compareFingerprints, countRows, type Fingerprint, takeFingerprint } from './restore/fingerprint.ts'
import { type BackupGround, INSTALLATION, prepareBackups, sizeOf } from './restore/scripts.ts'

const FULL = { companies: 60_000, visitMs: 20_000 }
const SHORT = { companies: 3_000, visitMs: 1_500 }
const ACCOUNTS = { count: 6, plan: 'growth' } as const
const DOMAINS_MAX = 1_500
const ARCHIVE_MS = 60_000

export const chaosRestore: NamedRun = {
  about: 'a backup under load, a mistake, a lost disk: restored to the end and to just before the mistake',
  proof: {
    title: 'Restored from a backup',
    about:
      'WAL and a base backup are taken under load. Then a statement without its `where` spoils the ' +
      'register, the server is killed and its disk is gone. One server is restored to the end and one to ' +
      'the moment before the mistake; every row is compared, and the service is started on each and called ' +
      'with every account’s key.',
    figures: {
      rows: { label: 'rows compared at the end' },
      rows_before_mistake: { label: 'rows compared just before the mistake' },
      tables: { label: 'tables' },
      tables_different: { label: 'tables that differ, restored to the end', atMost: 0 },
      tables_different_before_mistake: { label: 'tables that differ, restored to before the mistake', atMost: 0 },
      requests_meanwhile: { label: 'requests during backup and after' },
      failed_requests: { label: 'requests that failed', atMost: 0 },
      backup_mb: { label: 'backup with its WAL', unit: 'MB' },
      backup_seconds: { label: 'taking the backup', unit: 's' },
      restore_seconds: { label: 'from nothing to a service that answers', unit: 's' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  if (!existsSync(join(INSTALLATION, 'bin/pg_basebackup'))) {
    return { missing: 'apt-get install postgresql-15', ok: false }
  }
  const { say } = options
  using ground = prepareBackups()
  return await runOver(ground, options.short ? SHORT : FULL, say)
}

async function runOver(
  ground: BackupGround,
  size: { companies: number; visitMs: number },
  say: (line: string) => void,
): Promise<RunReport> {
  const startedAt = Date.now()
  const lost = join(ground.directory, 'lost')
  const postgres = await startDebians(lost, ground.settings)
  const moments = await live(postgres, ground, size, say)
  await loseDisk(lost)
  say('the disk is lost; restoring')
  const [whole, until] = [join(ground.directory, 'whole'), join(ground.directory, 'until')]
  const restoringAt = Date.now()
  const atTheEnd = await restoreTo(ground, whole, { wanted: moments.atTheEnd })
  const restoreSeconds = secondsSince(restoringAt)
  const { at, rows } = moments.beforeMistake
  const beforeMistake = await restoreTo(ground, until, { wanted: rows, until: at })
  const failures = moments.visits.flatMap((visits) => visits.failures)
  const problems = [...failures, ...atTheEnd.problems, ...beforeMistake.problems]
  return {
    tables: moments.atTheEnd.size,
    rows: countRows(moments.atTheEnd),
    rows_before_mistake: countRows(rows),
    requests_meanwhile: moments.visits.reduce((sum, { requests }) => sum + requests, 0),
    failed_requests: failures.length,
    backup_mb: Math.round(sizeOf(ground.backups) / 2 ** 20),
    backup_seconds: moments.backupSeconds,
    restore_seconds: restoreSeconds,
    tables_different: atTheEnd.different,
    tables_different_before_mistake: beforeMistake.different,
    seconds: secondsSince(startedAt),
    examples: problems.slice(0, 8).join('; ') || 'none',
    versions: { PostgreSQL: atTheEnd.version },
    ok: problems.length === 0,
  }
}

async function live(
  postgres: LocalPostgres,
  ground: BackupGround,
  size: { companies: number; visitMs: number },
  say: (line: string) => void,
) {
  await using stage = await openOutsideStage({ databaseUrl: postgres.url })
  const { app, web, start } = stage
  await registerCompanies(app.db, size.companies)
  const accounts = await openAccounts(app, ACCOUNTS)
  await using api = await start('serve')
  const visit = async (during: () => Promise<unknown>): Promise<Visits> => {
    await using worker = await start('work')
    const visitors = new Visitors({ url: api.url, accounts, web, domainsMax: DOMAINS_MAX })
    await during()
    const visits = await visitors.leave()
    await untilEnded(app)
    await worker.stop()
    return visits
  }
  let backupSeconds = 0
  const first = await visit(async () => {
    await sleep(size.visitMs)
    const begunAt = Date.now()
    ground.backUp(postgres.url)
    backupSeconds = secondsSince(begunAt)
    say('backed up under load')
    await sleep(size.visitMs)
  })
  const beforeMistake = { rows: await takeFingerprint(postgres.url), at: await readTime(app) }
  await sleep(1_000)
  await app.db.query(`update company set name = 'WRONG'`)
  say('every company is now called WRONG')
  const second = await visit(() => sleep(size.visitMs))
  await api.stop()
  await untilArchived(app)
  return { beforeMistake, atTheEnd: await takeFingerprint(postgres.url), visits: [first, second], backupSeconds }
}

function startDebians(directory: string, settings: Record<string, string>): Promise<LocalPostgres> {
  return startPostgres({ directory, installation: INSTALLATION, settings, persistent: true })
}

async function readTime({ db }: App): Promise<string> {
  return onlyRow(await db.query<{ at: string }>('select clock_timestamp()::text as at')).at
}

/** Waits for the archive: WAL that is not there yet dies with the disk, which `archive_timeout` bounds. */
async function untilArchived({ db }: App): Promise<void> {
  const [row] = await db.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
  const isArchived = async () => {
    const [archiver] = await db.query<{ last: string | null }>('select last_archived_wal as last from pg_stat_archiver')
    return (archiver?.last ?? '') >= (row?.segment ?? '')
  }
  await until(isArchived, 'the WAL was not archived in time', { timeoutMs: ARCHIVE_MS })
}

async function loseDisk(directory: string): Promise<void> {
  const pid = Number.parseInt(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8'), 10)
  process.kill(pid, 'SIGKILL')
  // Its processes notice within moments, and may write until then.
  await sleep(1_000)
  rmSync(join(directory, 'data'), { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}

async function restoreTo(ground: BackupGround, directory: string, point: { wanted: Fingerprint; until?: string }) {
  mkdirSync(directory)
  cpSync(join(ground.directory, 'lost/password'), join(directory, 'password'))
  const runAs = serverUser()
  if (runAs) chownSync(directory, runAs.uid, runAs.gid)
  ground.restore(join(directory, 'data'), point.until)
  const postgres = await startDebians(directory, {})
  try {
    await untilOpen(postgres.url)
    const different = compareFingerprints(point.wanted, await takeFingerprint(postgres.url))
    // Everything of the service is opened on it, as after any start.
    await using stage = await openStage({ databaseUrl: postgres.url })
    const { app } = stage
    const unbalanced = (await findUnbalancedAccounts(app.db)).map((id) => `the balance of ${id} is not its ledger`)
    const [server] = await app.db.query<{ version: string }>(`select current_setting('server_version') as version`)
    const works = await checkWorks(stage)
    return {
      different: different.length,
      problems: [...different, ...unbalanced, ...works],
      version: server?.version.split(' ')[0] ?? 'unknown',
    }
  } finally {
    await postgres.stop()
  }
}

/** Keys are stored sealed and hashed: reading one back and calling with it tries both. */
async function checkWorks({ app, start }: Stage): Promise<string[]> {
  await using api = await start('serve')
  const accounts = await app.db.query<{ id: string }>('select id from account')
  const checks = accounts.map(async ({ id }) => {
    const { live: key } = await revealApiKeys(app, id)
    const response = await fetch(new URL('/v1/auth/me', api.url), { headers: { 'x-api-key': key } })
    return response.status === 200 ? [] : [`the key of ${id} returned ${response.status}`]
  })
  return (await Promise.all(checks)).flat()
}

async function untilOpen(url: string): Promise<void> {
  const isOpen = async () => {
    const [row] = await querySql<{ replaying: boolean }>(url, 'select pg_is_in_recovery() as replaying')
    return row?.replaying === false
  }
  await until(isOpen, 'the restored server is still replaying', { timeoutMs: ARCHIVE_MS })
}

function secondsSince(moment: number): number {
  return Math.round((Date.now() - moment) / 1_000)
}
