/**
 * The service on three PostgreSQL that fail over, while customers resolve, watch and log in and the register changes. The
 * primary is killed again and again, frozen, cut off and filled up, and everything is killed at once. Afterwards nothing
 * that was acknowledged is missing, and nothing was charged twice.
 */
import { markdownTable, quantile, round } from '../../rig/statistics.ts'
import { every } from '../../rig/until.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { type Audit, auditAll, untilQuiet } from './failover/audit.ts'
import { Cluster, findMissingPackages, readVersions } from './failover/cluster.ts'
import {
  cutPrimaryOff,
  cutStandbyOff,
  type Fault,
  fillPrimaryDisk,
  freezePart,
  freezePrimary,
  type Happened,
  killMachine,
  killPostgres,
  restartEverything,
  type Scene,
} from './failover/faults.ts'
import { Load } from './failover/load.ts'
import { Probe } from './failover/probe.ts'
import { Services } from './failover/services.ts'
import { openStage } from './failover/stage.ts'
import { warmUp } from './follow/register.ts'

const SHORT_FAULTS: Fault[] = [killMachine, killPostgres]
const FULL_FAULTS: Fault[] = [
  killMachine,
  killMachine,
  killPostgres,
  cutStandbyOff,
  killMachine,
  freezePart('worker'),
  killMachine,
  freezePrimary,
  killPostgres,
  killMachine,
  freezePart('follower'),
  killMachine,
  cutPrimaryOff,
  killPostgres,
  freezePart('api'),
  killMachine,
  restartEverything,
]
const UNAVAILABLE_SECONDS_MAX = { short: 30, full: 12 }
/** More than are asked for: each domain is asked for once. */
const COMPANIES_MAX = { short: 120, full: 1_500 }
const SAY_MS = 5_000

export const chaosFailover: NamedRun = {
  about:
    'PostgreSQL fails over again and again under the service: nothing acknowledged is missing, nothing charged twice',
  proof: {
    title: 'High availability',
    about:
      'Three PostgreSQL under Patroni with synchronous replication, three etcd and HAProxy, with two API ' +
      'processes, two workers and the follower, while customers ask and the register changes. The primary ' +
      'is killed ten times, frozen beyond its lease, cut off and its disk filled; a standby is cut off, ' +
      'processes are frozen, and everything is killed at once. A failover lasts from the last acknowledged ' +
      'write of a probe to its next.',
    figures: {
      failovers: { label: 'failovers' },
      unavailable_p50_s: { label: 'without writes, median', unit: 's' },
      unavailable_p95_s: {
        label: 'without writes, 95th percentile',
        unit: 's',
        atMost: 12,
        limitedBy: 'the time for which the lease of a dead primary lasts, and the processor that all nodes share',
      },
      unavailable_max_s: { label: 'without writes, longest', unit: 's' },
      acknowledged: { label: 'acknowledged writes checked' },
      missing: { label: 'of them missing', atMost: 0 },
      double_charges: { label: 'charges made twice', atMost: 0 },
      jobs_lost: { label: 'jobs that never ended', atMost: 0 },
      events_lost: { label: 'events lost', atMost: 0 },
      ledger_problems: { label: 'problems in the ledger', atMost: 0 },
      processes_ended: { label: 'processes of the service that ended by themselves', atMost: 0 },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const lacking = findMissingPackages()
  if (lacking.length > 0) {
    return { needed: `apt-get install --no-install-recommends ${lacking.join(' ')}`, ok: false }
  }
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000)
  const run = await runOver(options.short, options.say)
  const { audit, happened, load, services } = run
  const lengths = happened.filter(({ failedOver }) => failedOver).map(({ unavailableSeconds }) => unavailableSeconds)
  const p95 = round(quantile(lengths, 0.95))
  const problems = [
    ...audit.missing,
    ...audit.jobsLost,
    ...audit.doubleCharges,
    ...audit.ledgerProblems,
    ...audit.eventsLost,
    ...load.customer.disappointments,
    ...[...services.ended].map((name) => `${name} ended by itself`),
  ]
  options.say(`\n${describeRun(happened, load.customer.troubles, audit)}`)
  return {
    failovers: lengths.length,
    unavailable_p50_s: round(quantile(lengths, 0.5)),
    unavailable_p95_s: p95,
    unavailable_max_s: round(quantile(lengths, 1)),
    acknowledged: audit.checked,
    missing: audit.missing.length,
    double_charges: audit.doubleCharges.length,
    jobs_lost: audit.jobsLost.length,
    jobs_given_up: audit.jobsGivenUp,
    events_lost: audit.eventsLost.length,
    ledger_problems: audit.ledgerProblems.length,
    processes_ended: services.ended.size,
    signals: audit.signals,
    deliveries: audit.deliveries,
    duplicates: audit.duplicates,
    logins: load.acknowledged.logins,
    seconds: seconds(),
    problems: problems.length,
    examples: problems.slice(0, 8).join('; ') || 'none',
    versions: readVersions(),
    details: summariseFaults(happened),
    ok: problems.length === 0 && p95 <= UNAVAILABLE_SECONDS_MAX[options.short ? 'short' : 'full'],
  }
}

async function runOver(isShort: boolean, say: (line: string) => void) {
  await using opened = new AsyncDisposableStack()
  using _interrupted = disposeWhenInterrupted(opened)
  const cluster = opened.use(await Cluster.prepare({ smallDisk: !isShort }))
  await cluster.start()
  say('the first PostgreSQL is up')
  const stage = opened.use(await openStage(cluster, COMPANIES_MAX[isShort ? 'short' : 'full']))
  say('the register, the web and the accounts are there')
  const services = opened.use(await Services.start(stage))
  say('two API processes, two workers and the follower are up')
  await warmUp(stage.app, stage.house, stage.changes)
  say('the register is followed')
  await cluster.untilWhole()
  const probe = opened.use(await Probe.start(cluster.url))
  say('three nodes are up')
  const load = new Load(stage, services.apiUrls)
  const scene: Scene = { cluster, probe, services, say }
  using _progress = every(SAY_MS, () => say(describeProgress(load, probe)))
  const happened: Happened[] = []
  for (const fault of isShort ? SHORT_FAULTS : FULL_FAULTS) {
    happened.push(await fault(scene))
    services.look()
  }
  if (!isShort) happened.push(await tryFullDisk(scene))
  await load.stop()
  say('no more is requested')
  await untilQuiet(stage)
  services.look()
  await probe[Symbol.asyncDispose]()
  return { audit: await auditAll(stage, load, probe), happened, load, services }
}

async function tryFullDisk(scene: Scene): Promise<Happened> {
  const { smallDisk } = scene.cluster
  if (typeof smallDisk !== 'string') return fillPrimaryDisk(scene, smallDisk)
  scene.say(`the disk of the primary is not filled: ${smallDisk}`)
  return {
    fault: 'the disk of the primary is full',
    unavailableSeconds: 0,
    failedOver: false,
    outcome: `not tried: ${smallDisk}`,
  }
}

/** Ctrl-C leaves no server behind. */
function disposeWhenInterrupted(opened: AsyncDisposableStack): Disposable {
  const onSignal = () => void opened.disposeAsync().finally(() => process.exit(130))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, onSignal)
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}

function describeProgress({ acknowledged, requestsUnderWay }: Load, probe: Probe): string {
  const { jobs, watches } = acknowledged
  const asked = `${jobs.length} resolutions, ${watches.length} watches, ${requestsUnderWay} requests under way`
  return `  ${probe.acknowledged.length} rows written, ${asked}`
}

function summariseFaults(happened: readonly Happened[]): string {
  const rows = [...Map.groupBy(happened, ({ fault }) => fault)].map(([fault, times]) => [
    fault,
    times.length,
    Math.max(...times.map(({ unavailableSeconds }) => round(unavailableSeconds, 1))),
  ])
  return markdownTable(['fault', 'times', 's without writes, most'], rows)
}

function describeRun(happened: readonly Happened[], troubles: ReadonlyMap<string, number>, audit: Audit): string {
  const faults = happened.map(({ fault, unavailableSeconds, outcome }) => [
    fault,
    unavailableSeconds.toFixed(1),
    outcome,
  ])
  const responses = [...troubles].toSorted(([, a], [, b]) => b - a)
  return [
    markdownTable(['fault', 's without writes', 'outcome'], faults),
    'Responses beside successes. Clients came back with the same key, and all of their requests succeeded.',
    markdownTable(['response', 'times'], responses),
    `${audit.signals} signals were delivered ${audit.deliveries} times to their receivers, ${audit.duplicates} of them once more.`,
  ].join('\n\n')
}
