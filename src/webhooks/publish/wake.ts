import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'

/** Two queues with the same work: `webhooks.retry` is for destinations whose last attempt failed. */
export const DELIVERY_JOBS = { deliver: 'webhooks.deliver', retry: 'webhooks.retry' } as const

/**
 * Queues a job for each destination that has something due at `dueAt` and no job to send it.
 *
 * A publisher first locks its destinations `for key share`, which does not block the jobs that send. A job that ends locks
 * its destination `for update`. So either the job sees these deliveries, or it sees that a publisher holds the lock, or its
 * end is seen here and a new job is queued.
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
  const destinations = woken.map(({ wake_at: wakeAt, ...destination }) => ({ ...destination, wakeAt }))
  await queueDeliveryJobs({ jobs }, tx, destinations, at)
}

/**
 * Queues the delivery jobs. Destinations whose last attempt failed have a separate queue, so that however many of them hang,
 * those that work do not wait.
 */
export async function queueDeliveryJobs(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  destinations: ReadonlyArray<{ id: number; consecutive_failures: number; wakeAt: Date }>,
  at: Date,
): Promise<void> {
  const byQueue = Map.groupBy(
    destinations,
    ({ consecutive_failures: failures }) => DELIVERY_JOBS[failures > 0 ? 'retry' : 'deliver'],
  )
  for (const [name, queued] of byQueue) {
    const inserts = queued.map(({ id, wakeAt }) => ({ payload: { destinationId: id }, ...startIn(wakeAt, at) }))
    await jobs.enqueueAll(tx, { name }, inserts)
  }
}

/** The engine uses the machine's clock, and `app.clock` may differ from it, so only the difference is used. */
function startIn(wakeAt: Date, at: Date): { startAfter?: Date } {
  const waitMs = wakeAt.getTime() - at.getTime()
  return waitMs > 0 ? { startAfter: new Date(Date.now() + waitMs) } : {}
}
