import type { App } from '../../../app.ts'
import { countOverdueHolds } from '../../../credits/index.ts'
import {
  databaseConnections,
  databaseWaiting,
  holdsOverdue,
  jobsInQueue,
  jobsOldestSeconds,
  registerGap,
  registerLagSeconds,
  registerRestRequests,
  registerSnapshotAgeSeconds,
  webhookDestinationsDisabled,
  webhooksDue,
} from '../../../lib/metrics.ts'
import { readFreshness, readRestBudget } from '../../../register/index.ts'
import { readBacklog } from '../../../webhooks/index.ts'

/** Sets the metrics that only this process knows; called when metrics are read. */
export function reportProcessState({ config, db }: Pick<App, 'config' | 'db'>): void {
  const { totalCount, idleCount, waitingCount } = db.pool
  databaseConnections.set({ state: 'busy' }, totalCount - idleCount)
  databaseConnections.set({ state: 'idle' }, idleCount)
  databaseConnections.set({ state: 'max' }, config.databaseConnectionsMax)
  databaseWaiting.set(waitingCount)
}

/** Sets the metrics that all processes share, from the database. */
export async function reportSharedState(app: App): Promise<void> {
  const now = app.clock.now()
  const [queues, freshness, budget, backlog, overdue] = await Promise.all([
    app.jobs.listQueues(),
    readFreshness(app),
    readRestBudget(app),
    readBacklog(app.db, now),
    countOverdueHolds(app.db, now),
  ])
  for (const queue of queues) {
    for (const state of ['ready', 'deferred', 'active', 'dead'] as const) {
      jobsInQueue.set({ queue: queue.name, state }, queue[state])
    }
    jobsOldestSeconds.set({ queue: queue.name }, queue.oldest_seconds)
  }
  for (const { stream, lagSeconds, gapSince } of freshness.streams) {
    registerLagSeconds.set({ stream }, lagSeconds ?? -1)
    registerGap.set({ stream }, gapSince ? 1 : 0)
  }
  const loadedAt = freshness.snapshot?.finishedAt.getTime()
  registerSnapshotAgeSeconds.set(loadedAt === undefined ? -1 : (now.getTime() - loadedAt) / 1_000)
  registerRestRequests.set({ state: 'limit' }, budget.limit)
  registerRestRequests.set({ state: 'left' }, budget.left)
  webhooksDue.set(backlog.due)
  webhookDestinationsDisabled.set(backlog.disabledDestinations)
  holdsOverdue.set(overdue)
}
