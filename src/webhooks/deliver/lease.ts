/**
 * One job at a time sends to a destination: it has the lease. A destination with something due has a lease, a queued job,
 * or a `wake_at` at which its job starts.
 *
 * No wake-up is lost. A publisher first locks its destinations `for key share`, which does not block the jobs that send. A
 * job that ends locks its destination `for update`. So either the job sees the new deliveries, or it sees that a publisher
 * holds the lock, or the publisher sees that the job has ended and queues another. A job that died for good is found by
 * `wakeOverslept`.
 */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { readSigningKeys, type SealedSecrets, type SigningKeys } from '../destinations/secret.ts'
import type { OutgoingEvent } from './attempt.ts'
import type { Health } from './health.ts'

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

interface WokenDestination {
  id: number
  consecutive_failures: number
  wake_at: Date
}

/** Destinations that fail have a separate queue, so that however many of them hang, those that work do not wait. */
async function queueDeliveryJobs(
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
/** A destination that one job sends to, and no other. */
export interface LeasedDestination {
  id: number
  accountId: string
  jobId: string
  url: string
  keys: SigningKeys
  health: Health
}

/** The destination was deleted, or leased to another job because this one was silent for too long. Nothing is left to do. */
export class LeaseLost extends Error {
  constructor(destinationId: number) {
    super(`destination ${destinationId} is no longer leased to this job`)
    this.name = 'LeaseLost'
  }
}

const LEASE_SECONDS = 45

/** Returns when a lease that starts or is renewed now ends: later than any job sends, see `RUN_MS_MAX`. */
export function leaseEnd({ config }: Pick<App, 'config'>, at: Date): Date {
  return addSeconds(at, config.webhooks.timeoutSeconds + LEASE_SECONDS)
}

interface LeasedRow extends SealedSecrets, Omit<Health, 'pausedUntil' | 'disabledReason'> {
  accountId: string
  url: string
}

/** Returns null when another job has the destination, or it is paused, disabled or deleted. */
export async function leaseDestination(
  app: App,
  { destinationId, jobId }: { destinationId: number; jobId: string },
): Promise<LeasedDestination | null> {
  const at = app.clock.now()
  const [row] = await app.db.query<LeasedRow>(
    `update webhook_destination set drained_by = $2, drained_until = $4, wake_at = null
     where id = $1 and status = 'active' and deleted_at is null and webhook_url is not null
       and (drained_by is null or drained_by = $2 or drained_until <= $3)
       and (paused_until is null or paused_until <= $3)
     returning id, account_id as "accountId", webhook_url as url, secret_sealed, previous_secret_sealed,
       previous_secret_until, last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt",
       consecutive_failures as "consecutiveFailures", consecutive_blocked as "consecutiveBlocked",
       failing_since as "failingSince", pauses`,
    [destinationId, jobId, at, leaseEnd(app, at)],
  )
  if (!row) return null
  const { id, accountId, url, secret_sealed, previous_secret_sealed, previous_secret_until, ...leased } = row
  const sealed = { id, secret_sealed, previous_secret_sealed, previous_secret_until }
  const health = { ...leased, pausedUntil: null, disabledReason: null }
  return { id, accountId, jobId, url, keys: readSigningKeys(app, sealed, at), health }
}

interface ReleasedRow {
  id: number
  status: string
  consecutive_failures: number
  paused_until: Date | null
  leased_by: string | null
}

/** Ends the lease, and queues the job that sends what is due next, not before `waitUntil`. */
export async function releaseDestination(
  app: App,
  tx: Tx,
  { id, jobId }: Pick<LeasedDestination, 'id' | 'jobId'>,
  { lastSuccessAt, waitUntil }: { lastSuccessAt: Date | null; waitUntil: Date | null },
): Promise<void> {
  const at = app.clock.now()
  const [unlocked] = await tx.query<ReleasedRow>(`${SELECT_RELEASED} for update skip locked`, [id])
  const [row] = unlocked ? [unlocked] : await tx.query<ReleasedRow>(SELECT_RELEASED, [id])
  if (row?.leased_by !== jobId) throw new LeaseLost(id)
  // A publisher holds the row: what it writes cannot be seen yet, and is due at once.
  const soonest = unlocked ? await findNextDue(tx, id) : at
  const nextDue = row.status === 'active' ? soonest : null
  const notBeforeMs = Math.max(row.paused_until?.getTime() ?? 0, waitUntil?.getTime() ?? 0)
  const wakeAt = nextDue && new Date(Math.max(nextDue.getTime(), at.getTime(), notBeforeMs))
  await tx.query(
    `update webhook_destination set drained_by = null, drained_until = null, wake_at = $2, last_success_at = $3,
       paused_until = greatest(paused_until, $4)
     where id = $1`,
    [id, wakeAt, lastSuccessAt, waitUntil],
  )
  if (wakeAt) await queueDeliveryJobs(app, tx, [{ ...row, wake_at: wakeAt }], at)
}

const SELECT_RELEASED = `select id, status, consecutive_failures, paused_until, drained_by as leased_by from webhook_destination
  where id = $1`

interface DueQuery {
  destinationId: number
  except: readonly number[]
  limit: number
  at: Date
  /** Puts the deliveries with most attempts first. */
  triedFirst?: boolean
}

/** Returns what is due at a destination, the longest due first unless `triedFirst`. */
export async function listDue(db: Db, query: DueQuery): Promise<OutgoingEvent[]> {
  const statement = query.triedFirst ? DUE_TRIED_FIRST : DUE
  return db.query<OutgoingEvent>(statement, [query.destinationId, query.at, query.except, query.limit])
}

const DUE = toStatement('')
/** Sorts everything that is due, so it is used only for a destination that was paused. */
const DUE_TRIED_FIRST = toStatement('delivery.attempts desc,')

function toStatement(firstOrder: string): string {
  return `select delivery.event_number as "eventNumber", event.event_id as "eventId", event.signal_type as "signalType", event.body,
      delivery.attempts + 1 as attempt, delivery.is_replay as "isReplay"
    from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
    where delivery.destination_id = $1 and delivery.state = 'pending' and delivery.due_at <= $2
      and not delivery.event_number = any ($3)
    order by ${firstOrder} delivery.due_at, delivery.event_number limit $4`
}

/** Returns when the next delivery to a destination is due; null when none waits. */
async function findNextDue(db: Db, destinationId: number): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date }>(
    `select due_at from webhook_delivery where destination_id = $1 and state = 'pending' order by due_at limit 1`,
    [destinationId],
  )
  return row?.due_at ?? null
}
