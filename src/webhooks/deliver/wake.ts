/** The jobs that send: one is queued for a destination when something is due there. `lease.ts` says why none is lost. */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'

/** Two queues with the same work: `webhooks.retry` is for destinations whose last attempt failed. */
export const DELIVERY_JOBS = { deliver: 'webhooks.deliver', retry: 'webhooks.retry' } as const

/** Queues a job for each destination that has something due at `dueAt` and no job to send it. */
export async function wakeDestinations(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  destinationIds: readonly number[],
  { dueAt, at }: { dueAt: Date; at: Date },
): Promise<void> {
  const woken = await tx.query<WokenDestination>(
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
  await queueDeliveryJobs({ jobs }, tx, woken, at)
}

export interface WokenDestination {
  id: number
  consecutive_failures: number
  wake_at: Date
}

/** Destinations that fail have a separate queue, so that however many of them hang, those that work do not wait. */
export async function queueDeliveryJobs(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  woken: readonly WokenDestination[],
  at: Date,
): Promise<void> {
  const byQueue = Map.groupBy(woken, (one) => DELIVERY_JOBS[one.consecutive_failures > 0 ? 'retry' : 'deliver'])
  for (const [name, destinations] of byQueue) {
    const inserts = destinations.map(({ id, wake_at: wakeAt }) => ({
      payload: { destinationId: id },
      ...startIn(wakeAt, at),
    }))
    await jobs.enqueueAll(tx, { name }, inserts)
  }
}

/** The engine uses the machine's clock, and `app.clock` may differ from it, so only the difference is used. */
function startIn(wakeAt: Date, at: Date): { startAfter?: Date } {
  const waitMs = wakeAt.getTime() - at.getTime()
  return waitMs > 0 ? { startAfter: new Date(Date.now() + waitMs) } : {}
}

/** Longer than a queued job usually waits for its slot. */
const OVERSLEPT_SECONDS = 60

/** Queues another job for at most `limit` destinations whose job is missing or died for good. Returns their number. */
export async function wakeOverslept(app: App, limit: number): Promise<number> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const overslept = await tx.query<{ id: number }>(
      `select id from webhook_destination
       where (wake_at <= $1 and (drained_until is null or drained_until <= $2)) or drained_until <= $2
       order by id limit $3 for no key update skip locked`,
      [addSeconds(at, -OVERSLEPT_SECONDS), at, limit],
    )
    const ids = overslept.map(({ id }) => id)
    await tx.query(
      'update webhook_destination set drained_by = null, drained_until = null, wake_at = null where id = any ($1)',
      [ids],
    )
    await wakeDestinations(app, tx, ids, { dueAt: at, at })
    if (ids.length > 0) app.log.warn({ event: 'webhooks.overslept', destinations: ids.length })
    return ids.length
  })
}
