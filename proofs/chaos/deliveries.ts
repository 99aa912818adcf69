/**
 * Signals are raised while the workers that deliver them are killed with `kill -9` and replaced, and PostgreSQL is taken
 * away in the middle. A third of the destinations misbehave in every way the simulator has. Afterwards every healthy one
 * has every event, signed and hardly ever twice, and the others have come to their documented end.
 */
import { type OutsideStage, openOutsideStage, type Stage } from '../../rig/stage.ts'
import { markdownTable } from '../../rig/statistics.ts'
import { every, isSoInTime } from '../../rig/until.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { auditRun, isHealthy, sumOf } from './deliveries/audit.ts'
import type { Check } from './deliveries/audit-trouble.ts'
import { isWatchedByPart, openCustomers } from './deliveries/customers.ts'
import { openDestinations } from './deliveries/destinations.ts'
import { countJobs } from './deliveries/evidence.ts'
import { planSignals, raiseOverTime } from './deliveries/raising.ts'
import { DyingWorkers } from './resolution/workers.ts'

interface Size {
  signals: number
  destinations: number
  customers: number
  companies: number
  kills: number
}

const FULL: Size = { signals: 5_000, destinations: 50, customers: 10, companies: 240, kills: 20 }
const SHORT: Size = { signals: 600, destinations: 12, customers: 4, companies: 48, kills: 4 }

/** A quick day: days of retries within seconds. */
const SETTINGS = {
  WEBHOOK_RETRY_SECONDS: '0,0.5,1,1.5,2,3',
  WEBHOOK_TIMEOUT_SECONDS: '5',
  WEBHOOK_PAUSE_SECONDS: '0.2',
  WEBHOOK_DISABLE_AFTER_SECONDS: '20',
  WEBHOOK_UNPROVEN_PER_MINUTE: '60000',
}
const WORKERS = 3
const KILL_PAUSE_MS = 2_500
const CATCH_UP_MS = 150_000
const SAY_MS = 5_000

export const chaosDeliveries: NamedRun = {
  about: 'signals delivered while receivers misbehave, workers are killed and PostgreSQL restarts: none is lost',
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now()
  const size = options.short ? SHORT : FULL
  const { say } = options
  await using stage = await openOutsideStage({ settings: SETTINGS })
  const { audit, kills, quietSeconds } = await runOver(stage, size, say)
  say(`\n${markdownTable(['promise', 'figures', 'kept'], audit.checks.map(describeCheck))}`)
  const problems = audit.checks.flatMap((check) => check.problems)
  return {
    signals: size.signals,
    destinations: audit.fates.length,
    misbehaving: audit.fates.filter((fate) => !isHealthy(fate)).length,
    deliveries: sumOf(audit.fates, ({ wanted }) => wanted.length),
    deliveries_to_healthy: sumOf(audit.fates.filter(isHealthy), ({ wanted }) => wanted.length),
    kills,
    postgres_restarts: 1,
    jobs: audit.jobs.run,
    jobs_interrupted: audit.jobs.interrupted,
    duplicates: audit.duplicates.requests,
    duplicates_percent: Number(audit.duplicates.percent.toFixed(2)),
    quiet_after_seconds: quietSeconds,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    broken_promises:
      audit.checks
        .filter((check) => check.problems.length > 0)
        .map(({ promise }) => promise)
        .join('; ') || 'none',
    examples: problems.slice(0, 8).join('; ') || 'none',
    ok: problems.length === 0,
  }
}

async function runOver(stage: OutsideStage, size: Size, say: (line: string) => void) {
  const { app } = stage
  const isWatched = isWatchedByPart(size.customers)
  const { customers, companies } = await openCustomers(app, { ...size, isWatched })
  const destinations = await openDestinations(stage, customers, size.destinations)
  const planned = planSignals(companies, size.signals)
  await using workers = new DyingWorkers(() => stage.start('work'))
  await workers.start(WORKERS)
  using _progress = sayProgress(stage, workers, say)
  const dying = (async () => {
    await workers.killSome(Math.ceil(size.kills / 2), KILL_PAUSE_MS)
    await stage.database?.restart()
    say('PostgreSQL was restarted')
    await workers.killSome(Math.floor(size.kills / 2), KILL_PAUSE_MS)
  })()
  await Promise.all([dying, raiseOverTime(app, planned, paceOf(workers, size.kills))])
  const quietSeconds = await untilQuiet(stage)
  const run = { planned, customers, destinations, interruptions: size.kills + 1, isShort: size === SHORT }
  return { audit: await auditRun(stage, run), kills: workers.kills, quietSeconds }
}

const FIRST_INTERVAL_MS = 5_000

/** Raises evenly for as long as workers die, so that every death meets work. Returns the share that is due by now. */
function paceOf(workers: DyingWorkers, kills: number): () => number {
  let [killed, killedAt, intervalMs] = [0, Date.now(), FIRST_INTERVAL_MS]
  return () => {
    const at = Date.now()
    if (workers.kills > killed) [killed, killedAt, intervalMs] = [workers.kills, at, at - killedAt]
    return (killed + Math.min(1, (at - killedAt) / intervalMs)) / (kills + 1)
  }
}

/** Returns after how many seconds nothing was left to deliver. */
async function untilQuiet({ app }: Stage): Promise<number> {
  const begunAt = Date.now()
  const isQuiet = async () => (await countJobs(app)).left === 0 && (await countDeliveries(app)).pending === 0
  await isSoInTime(isQuiet, { timeoutMs: CATCH_UP_MS, everyMs: 250 })
  return Math.round((Date.now() - begunAt) / 1_000)
}

async function countDeliveries({ db }: Stage['app']): Promise<{ all: number; pending: number }> {
  const [row] = await db.query<{ all: number; pending: number }>(
    `select count(*) as all, count(*) filter (where state = 'pending') as pending from webhook_delivery`,
  )
  return row ?? { all: 0, pending: 0 }
}

function sayProgress({ app }: Stage, workers: DyingWorkers, say: (line: string) => void): Disposable {
  return every(SAY_MS, () => {
    // The database may be away.
    countDeliveries(app).then(
      ({ all, pending }) => say(`${all - pending} of ${all} deliveries ended, ${workers.kills} workers killed`),
      () => undefined,
    )
  })
}

function describeCheck({ promise, figures, problems }: Check): string[] {
  return [promise, figures, problems.length === 0 ? 'yes' : `no: ${problems.length}`]
}
