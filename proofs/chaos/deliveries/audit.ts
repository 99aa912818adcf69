/** Goes through everything that arrived and everything that is left behind, and names what should not be so. */
import type { OutsideStage } from '../../../rig/stage.ts'
import type { NewSignal } from '../../../src/signals/index.ts'
import type { ProblemKind } from './arrivals.ts'
import { type Check, checkEndings, checkLog, checkRecovered, type Run } from './audit-trouble.ts'
import type { Customer } from './customers.ts'
import type { ChaosDestination } from './destinations.ts'
import {
  countJobs,
  type Fate,
  type JobCounts,
  readFates,
  readFeed,
  readSignals,
  type StoredSignal,
} from './evidence.ts'

const DUPLICATES_PERCENT_MAX = 1
const DUPLICATES_PER_INTERRUPTION_MAX = 25

export async function auditRun({ app, mailbox }: OutsideStage, run: Run) {
  const signals = await readSignals(app)
  const fates = await readFates(app, run.destinations, signals)
  const jobs = await countJobs(app)
  const feeds = await Promise.all(run.customers.map((customer) => readFeed(app, customer)))
  const duplicates = countDuplicates(fates)
  const checks = [
    checkSignals(signals, run.planned),
    checkFeeds(signals, run.customers, feeds),
    checkHealthy(fates),
    checkDuplicates(duplicates, run),
    ...checkContents(run.destinations),
    checkRecovered(fates),
    ...checkEndings(fates, run, mailbox),
    checkRows(fates),
    checkLog(fates, run, app.config.webhooks.retrySeconds.length),
    checkJobs(jobs),
  ]
  return { checks, fates, jobs, duplicates }
}

export function isHealthy({ destination }: Fate): boolean {
  return destination.trouble === null
}

function checkSignals(stored: readonly StoredSignal[], planned: readonly NewSignal[]): Check {
  const times = new Map<string, number>()
  for (const { key } of stored) times.set(key, (times.get(key) ?? 0) + 1)
  const problems = planned.flatMap(({ dedupe: { key } }) =>
    times.get(key) === 1 ? [] : `${key} exists ${times.get(key) ?? 0} times`,
  )
  return { promise: 'every signal exists once', figures: `${stored.length} of ${planned.length}`, problems }
}

function checkFeeds(signals: readonly StoredSignal[], customers: readonly Customer[], feeds: string[][]): Check {
  const problems = customers.flatMap(({ id, watched }, index) => {
    const feed = feeds[index] ?? []
    const right = new Set(signals.filter(({ company }) => watched.has(company)).map((signal) => signal.id))
    const isRight = feed.length === right.size && feed.every((signalId) => right.has(signalId))
    return isRight ? [] : [`the feed of ${id} has ${feed.length} signals, not its ${right.size}`]
  })
  const figures = `${customers.length} accounts, ${feeds.flat().length} signals`
  return { promise: 'each feed has exactly its signals', figures, problems }
}

function checkHealthy(fates: readonly Fate[]): Check {
  const healthy = fates.filter(isHealthy)
  const problems = healthy.flatMap(({ destination, wanted, status }) => {
    const missing = wanted.filter(({ id }) => destination.arrivals.countOf(id) === 0)
    const lost = missing.length === 0 ? [] : [`${destination.host} did not get ${missing.length} of ${wanted.length}`]
    return status === 'active' ? lost : [...lost, `${destination.host} is ${status}`]
  })
  const figures = `${healthy.length} destinations, ${sumOf(healthy, ({ wanted }) => wanted.length)} events`
  return { promise: 'healthy ones got everything', figures, problems }
}

function countDuplicates(fates: readonly Fate[]) {
  const healthy = fates.filter(isHealthy)
  const events = sumOf(healthy, ({ destination }) => destination.arrivals.signals)
  const requests = sumOf(healthy, ({ destination }) => destination.arrivals.requests) - events
  return { requests, percent: events === 0 ? 0 : (requests / events) * 100 }
}

function checkDuplicates(
  { requests, percent }: ReturnType<typeof countDuplicates>,
  { interruptions, isShort }: Run,
): Check {
  const each = requests / interruptions
  const figures = `${requests}, ${percent.toFixed(2)} %, ${each.toFixed(1)} an interruption`
  const isKept = isShort ? each <= DUPLICATES_PER_INTERRUPTION_MAX : percent <= DUPLICATES_PERCENT_MAX
  const problems = isKept ? [] : [`${figures} of the deliveries came more than once`]
  const bound = isShort ? `${DUPLICATES_PER_INTERRUPTION_MAX} an interruption` : `${DUPLICATES_PERCENT_MAX} %`
  return { promise: `duplicates at most ${bound}`, figures, problems }
}

const CONTENT_PROMISES: Record<ProblemKind, string> = {
  signature: 'none unsigned or wrongly signed',
  account: 'none to a wrong account',
  type: 'none of a wrong type',
  identity: 'an event has one id and one body',
}

function checkContents(destinations: readonly ChaosDestination[]): Check[] {
  const found = destinations.flatMap(({ host, receiver }) => receiver.problems.map((problem) => ({ host, problem })))
  const requests = destinations.reduce((sum, { receiver }) => sum + receiver.arrived, 0)
  return Object.entries(CONTENT_PROMISES).map(([kind, promise]) => ({
    promise,
    figures: `${requests} requests`,
    problems: found
      .filter(({ problem }) => problem.startsWith(`${kind}:`))
      .map(({ host, problem }) => `${host}: ${problem}`),
  }))
}

/** There is one delivery for each event that a destination subscribes to, and each has ended. */
function checkRows(fates: readonly Fate[]): Check {
  const problems = fates.flatMap(({ destination, wanted, deliveries }) => {
    const pending = deliveries
      .values()
      .filter(({ state }) => state === 'pending')
      .toArray()
    const absent = wanted.filter(({ id }) => !deliveries.has(id))
    const right = pending.length === 0 && absent.length === 0 && deliveries.size === wanted.length
    const found = `${deliveries.size} deliveries of ${wanted.length}, ${pending.length} of them pending`
    return right ? [] : [`${destination.host} (${destination.trouble?.name ?? 'well'}) has ${found}`]
  })
  return { promise: 'every delivery has ended', figures: `${sumOf(fates, (fate) => fate.deliveries.size)}`, problems }
}

/** A short run may have no interrupted job, when each death fell between two jobs. */
function checkJobs({ left, dead, run, interrupted }: JobCounts): Check {
  const problems = [
    ...(left === 0 ? [] : [`${left} jobs are left in the queues`]),
    ...(dead === 0 ? [] : [`${dead} jobs are dead letters`]),
  ]
  const figures = `${run} jobs, ${interrupted} of them interrupted, ${left} left, ${dead} dead`
  return { promise: 'no job is left, none is dead', figures, problems }
}

export function sumOf(fates: readonly Fate[], figure: (fate: Fate) => number): number {
  return fates.reduce((sum, fate) => sum + figure(fate), 0)
}
