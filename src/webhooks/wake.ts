import type { App } from '../app.ts'
import type { Tx } from '../lib/db.ts'

/** Two kinds of job do the same: `webhooks.retry` for destinations whose last attempt failed. */
export const LANES = { deliver: 'webhooks.deliver', retry: 'webhooks.retry' } as const

/** What decides whether a destination needs a job. Its row is locked by whoever asks. */
export interface Sleeper {
  id: number
  consecutive_failures: number
  paused_until: Date | null
  drained_until: Date | null
  wake_at: Date | null
}

export const SLEEPER_COLUMNS = 'id, consecutive_failures, paused_until, drained_until, wake_at'

/**
 * Queues a job for each destination that has something due at `dueAt` and nobody to send it.
 *
 * The rows must be locked (`for no key update`) before the deliveries are written. A job ends by locking its row and
 * then looking for what is due: so either it sees these deliveries, or its end is seen here and a new job is queued.
 */
export async function wakeDestinations(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  sleepers: readonly Sleeper[],
  { dueAt, at }: { dueAt: Date; at: Date },
): Promise<void> {
  const woken = sleepers.flatMap((sleeper) => {
    const wakeAt = latest(dueAt, sleeper.paused_until)
    const isDrained = sleeper.drained_until !== null && sleeper.drained_until > at
    const isQueued = sleeper.wake_at !== null && sleeper.wake_at <= wakeAt
    return isDrained || isQueued ? [] : [{ ...sleeper, wakeAt }]
  })
  if (woken.length === 0) return
  await tx.query(
    `update webhook_destination as destination set wake_at = woken.wake_at
     from unnest($1::integer[], $2::timestamptz[]) as woken (id, wake_at) where destination.id = woken.id`,
    [woken.map(({ id }) => id), woken.map(({ wakeAt }) => wakeAt)],
  )
  await queueDrains({ jobs }, tx, woken, at)
}

/**
 * Destinations whose last attempt failed have jobs with slots of their own: however many of them hang, those that work
 * are not made to wait.
 */
export async function queueDrains(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  drains: ReadonlyArray<{ id: number; consecutive_failures: number; wakeAt: Date }>,
  at: Date,
): Promise<void> {
  const byLane = Map.groupBy(drains, ({ consecutive_failures: failures }) => LANES[failures > 0 ? 'retry' : 'deliver'])
  for (const [name, inLane] of byLane) {
    const inserts = inLane.map(({ id, wakeAt }) => ({ payload: { destinationId: id }, ...startIn(wakeAt, at) }))
    await jobs.enqueueAll(tx, { name }, inserts)
  }
}

/** The engine's clock is the machine's; ours may be moved. So only the time between is told. */
function startIn(wakeAt: Date, at: Date): { startAfter?: Date } {
  const waitMs = wakeAt.getTime() - at.getTime()
  return waitMs > 0 ? { startAfter: new Date(Date.now() + waitMs) } : {}
}

function latest(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a
}
