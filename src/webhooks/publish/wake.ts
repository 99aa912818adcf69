import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'

/** Two kinds of job do the same: `webhooks.retry` for destinations whose last attempt failed. */
export const LANES = { deliver: 'webhooks.deliver', retry: 'webhooks.retry' } as const

/**
 * Queues a job for each destination that has something due at `dueAt` and nobody to send it.
 *
 * Whoever writes deliveries first takes their destinations `for key share`, which hinders nobody who sends. A job that
 * ends takes its own `for update`: so either it sees these deliveries, or it sees that somebody is at it, or its end is
 * seen here and a new job is queued.
 */
export async function wakeDestinations(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  destinationIds: readonly number[],
  { dueAt, at }: { dueAt: Date; at: Date },
): Promise<void> {
  const woken = await tx.query<{ id: number; consecutive_failures: number; wake_at: Date }>(
    `with asleep as (
       select id, greatest($2, paused_until) as wake_at from webhook_destination
       where id = any ($1) and (drained_until is null or drained_until <= $3)
         and (wake_at is null or wake_at > greatest($2, paused_until))
       order by id for no key update
     )
     update webhook_destination as destination set wake_at = asleep.wake_at
     from asleep where destination.id = asleep.id
     returning destination.id, destination.consecutive_failures, destination.wake_at`,
    [destinationIds, dueAt, at],
  )
  const drains = woken.map(({ wake_at: wakeAt, ...destination }) => ({ ...destination, wakeAt }))
  await queueDrains({ jobs }, tx, drains, at)
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
