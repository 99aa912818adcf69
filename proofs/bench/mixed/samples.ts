/** Samples of a service that runs for long, and whether they stay flat. */

import { type Footprint, getFootprint } from '../../../rig/processes.ts'
import { median, round } from '../../../rig/statistics.ts'
import type { App } from '../../../src/app.ts'
import type { Stage } from './stage.ts'
import { countJobs, type QueueDepth } from './usage.ts'

export interface Sample {
  /** Since the start. */
  atMs: number
  /** One for each API process, the worker and the follower, in the stage's order. */
  footprints: Footprint[]
  queue: QueueDepth
  /** Statements that wait for a connection, in all API processes. */
  poolWaiting: number
  databaseConnections: number
}

export function ownProcesses({ processes }: Stage): Stage['processes'] {
  return processes.filter(({ role }) => role === 'api' || role === 'worker')
}

export async function takeSample(stage: Stage, startedAtMs: number): Promise<Sample> {
  const [queue, poolWaiting, databaseConnections] = await Promise.all([
    countJobs(stage.app),
    countWaiting(stage),
    countConnections(stage.app),
  ])
  return {
    atMs: performance.now() - startedAtMs,
    footprints: ownProcesses(stage).map(({ pid }) => getFootprint(pid)),
    queue,
    poolWaiting,
    databaseConnections,
  }
}

const METRIC = /^nameplate_database_waiting (\d+)$/m

async function countWaiting({ apiUrls }: Stage): Promise<number> {
  const counts = await Promise.all(
    apiUrls.map(async (url) => {
      const response = await fetch(new URL('/metrics', url))
      return Number(METRIC.exec(await response.text())?.[1] ?? Number.NaN)
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function countConnections({ db }: App): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`,
  )
  return row?.count ?? 0
}

/** A part of a run, in shares of it. */
export interface Span {
  from: number
  to: number
}

/** The second and the last five minutes of half an hour: by then code is compiled and the heap has its size. */
export const EARLY: Span = { from: 1 / 6, to: 1 / 3 }
export const LATE: Span = { from: 5 / 6, to: 1 }

export function within<Item>(items: readonly Item[], span: Span, shareOf: (item: Item) => number): Item[] {
  return items.filter((item) => shareOf(item) >= span.from && shareOf(item) <= span.to)
}

/** Returns late over early: 1 is flat. */
export function ratioOf(early: readonly number[], late: readonly number[]): number {
  return round(median(late) / Math.max(median(early), Number.EPSILON), 3)
}
