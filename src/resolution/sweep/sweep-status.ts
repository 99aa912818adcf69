/** How far the lists of the crawl stores are, and when they will be read: an honest estimate or none. */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { countSweeps, hasDomains, type SweepCounts } from '../../lib/crawl/counts.ts'
import { setPaused } from '../../lib/crawl/due-domains.ts'
import { type MoveReport, moveDomains } from '../../lib/crawl/move.ts'
import type { CrawlStore } from '../../lib/crawl/stores.ts'
import { isTooLong } from '../../lib/db/failures.ts'

/** One list in one store, or in all of them. */
export interface SweepStatus {
  list: string
  /** Null for the sum of all stores. */
  store: string | null
  /** Uncounted: the store answers, but has so many domains that counting them took too long. */
  state: 'running' | 'paused' | 'done' | 'unreachable' | 'uncounted'
  waiting: number
  queued: number
  read: number
  outcomes: Record<string, number>
  /** Measured over the last minutes; null where that was too short. */
  readPerMinute: number | null
  estimate: Estimate
}

/** When all will be read, as far as that can be known. */
export type Estimate = { kind: 'done' | 'paused' | 'unknown' } | { kind: 'at'; at: Date }

const WINDOW_SECONDS = 600
/** Less is chance. */
const MEASURED_SECONDS_MIN = 60
const MEASURED_MIN = 10

interface Progress {
  left: number
  /** Read within the window. */
  readLately: number
  windowSeconds: number
  isPaused: boolean
  /** The last of those left may not be read before this: pace and other work put some off. */
  lastDueAt: Date | null
  at: Date
}

/** Returns the readings a minute; null if they were too few to say. */
export function measureRate({
  readLately,
  windowSeconds,
}: Pick<Progress, 'readLately' | 'windowSeconds'>): number | null {
  if (windowSeconds < MEASURED_SECONDS_MIN || readLately < MEASURED_MIN) return null
  return (readLately / windowSeconds) * 60
}

/**
 * The measured rate contains the waits for hosts and addresses, and the workers there are. What was put off is not read before
 * it is due, however fast the rest goes.
 */
export function estimateEnd(progress: Progress): Estimate {
  const { left, isPaused, lastDueAt, at } = progress
  if (left === 0) return { kind: 'done' }
  if (isPaused) return { kind: 'paused' }
  const perMinute = measureRate(progress)
  if (perMinute === null) return { kind: 'unknown' }
  const byRate = addSeconds(at, (left / perMinute) * 60)
  return { kind: 'at', at: lastDueAt && lastDueAt > byRate ? lastDueAt : byRate }
}

/** The stores work side by side, so the slowest decides. One that cannot say makes the whole unknown. */
export function combineEstimates(estimates: readonly Estimate[]): Estimate {
  const open = estimates.filter(({ kind }) => kind !== 'done')
  if (open.length === 0) return { kind: 'done' }
  const vague = open.find(({ kind }) => kind === 'unknown') ?? open.find(({ kind }) => kind === 'paused')
  if (vague) return vague
  return { kind: 'at', at: new Date(Math.max(...open.map((one) => (one.kind === 'at' ? one.at.getTime() : 0)))) }
}

/** Returns each list in each store, and then in all; a store that does not answer is said to be unreachable. */
export async function listSweeps(app: App): Promise<SweepStatus[]> {
  const at = app.clock.now()
  const rows = (await Promise.all(app.crawl.all.map((store) => readStore(store, at)))).flat()
  const isAway = rows.some(({ list }) => list === '')
  const lists = Map.groupBy(
    rows.filter(({ list }) => list !== ''),
    ({ list }) => list,
  )
  return [...rows, ...[...lists].map(([list, own]) => addUp(list, own, isAway))]
}

function toFailure(store: string, error: unknown): SweepStatus {
  const state = isTooLong(error) ? 'uncounted' : 'unreachable'
  const counts = { waiting: 0, queued: 0, read: 0, outcomes: {}, readPerMinute: null }
  return { list: '', store, state, ...counts, estimate: { kind: 'unknown' } }
}

/** The sum is in the first of these states that a store is in. */
const OPEN = ['running', 'paused'] as const

function addUp(list: string, own: readonly SweepStatus[], isAway: boolean): SweepStatus {
  const sum = (of: (one: SweepStatus) => number) => own.reduce((total, one) => total + of(one), 0)
  const outcomes: Record<string, number> = {}
  for (const one of own) {
    for (const [outcome, count] of Object.entries(one.outcomes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + count
  }
  const estimate = isAway ? ({ kind: 'unknown' } as const) : combineEstimates(own.map((one) => one.estimate))
  const rates = own.flatMap(({ readPerMinute }) => readPerMinute ?? [])
  return {
    list,
    store: null,
    state:
      estimate.kind === 'done'
        ? 'done'
        : (OPEN.find((state) => own.some((one) => one.state === state)) ?? 'unreachable'),
    waiting: sum(({ waiting }) => waiting),
    queued: sum(({ queued }) => queued),
    read: sum(({ read }) => read),
    outcomes,
    readPerMinute: rates.length === 0 ? null : rates.reduce((total, rate) => total + rate, 0),
    estimate,
  }
}

async function readStore({ name, db }: CrawlStore, at: Date): Promise<SweepStatus[]> {
  const since = addSeconds(at, -WINDOW_SECONDS)
  try {
    return (await countSweeps(db, { at, since })).map((row) => toStatus(name, row, at, since))
  } catch (error) {
    return [toFailure(name, error)]
  }
}

function toStatus(store: string, row: SweepCounts, at: Date, since: Date): SweepStatus {
  const outcomes = row.outcomes ?? {}
  const left = row.waiting + row.queued
  const windowSeconds = (at.getTime() - Math.max(since.getTime(), row.resumedAt.getTime())) / 1_000
  const measured = { readLately: row.readLately, windowSeconds }
  return {
    list: row.list,
    store,
    state: left === 0 ? 'done' : row.isPaused ? 'paused' : 'running',
    waiting: row.waiting,
    queued: row.queued,
    read: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    outcomes,
    readPerMinute: measureRate(measured),
    estimate: estimateEnd({ ...measured, left, isPaused: row.isPaused, lastDueAt: row.lastDueAt, at }),
  }
}

/**
 * Moves domains to their stores after a change of the list of stores, until all are there or `signal` says stop. A thorough move goes
 * through every store.
 */
export async function moveAll(
  app: App,
  options: { signal: AbortSignal; isThorough?: boolean; onMoved?: (moved: number) => void },
): Promise<MoveReport> {
  return moveDomains(app.crawl, { at: () => app.clock.now(), ...options })
}

/** True when domains were left in the main database, which is in no list of stores: they are never read. */
export async function isMainForgotten({ crawl }: App): Promise<boolean> {
  if (crawl.all.includes(crawl.main)) return false
  return hasDomains(crawl.main.db)
}

/** Stops or resumes a list in all stores. A reading under way ends; what is queued goes back. */
export async function pauseSweep(app: App, { name, isPaused }: { name: string; isPaused: boolean }): Promise<void> {
  const at = app.clock.now()
  const settled = await Promise.allSettled(app.crawl.all.map(({ db }) => setPaused(db, { name, isPaused, at })))
  const away = app.crawl.all.filter((_, index) => settled[index]?.status === 'rejected').map((store) => store.name)
  if (away.length > 0) {
    throw new DomainError('unavailable', `${away.join(', ')} did not answer; the other stores did as asked. Try again.`)
  }
  if (settled.some((one) => one.status === 'fulfilled' && one.value)) return
  throw new DomainError('not_found', `There is no list ${name}. See: nameplated sweep status`)
}
