import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { destinationNotFound, getDestination } from '../destinations/destinations.ts'
import { auditChange, type Change, type Own } from '../destinations/owner.ts'
import type { Attempt, OutgoingEvent } from './attempt.ts'
import { wakeDestinations } from './lease.ts'

/** One attempt as its owner sees it, with the present state of its delivery. */
export interface LoggedAttempt
  extends Omit<OutgoingEvent, 'eventNumber' | 'body'>,
    Omit<Attempt, 'event' | 'result' | 'retryAfterSeconds'> {
  id: number
  /** The body that was sent. */
  request: string
  state: 'pending' | 'delivered' | 'failed' | 'missed'
  nextAttemptAt: Date | null
}

interface LogPage extends Own {
  limit: number
  offset: number
  /** Continues below the attempt with this number. */
  cursor: number | null
  eventId: string | null
  /** Only attempts that ended so. */
  result: 'delivered' | 'failed' | null
}

/** More than any page has. */
const PAGE_MAX = 1_000
/** A filter by result looks through so many attempts; then the page ends, and its cursor goes on. */
const FILTERED_MAX = 5_000

const RESULT_SQL = {
  delivered: 'status between 200 and 299',
  failed: '(status is null or status not between 200 and 299)',
}

/** Returns the attempts of the last 30 days, newest first. */
export async function listDeliveries(
  db: Db,
  query: LogPage,
): Promise<{ attempts: LoggedAttempt[]; nextCursor: number | null }> {
  await getDestination(db, query)
  const eventNumber = query.eventId === null ? null : await findEventNumber(db, query.eventId)
  if (query.eventId !== null && eventNumber === null) return { attempts: [], nextCursor: null }
  // Several texts, so that each has a plan of its own.
  const ofEvent = eventNumber === null ? '$3::bigint is null' : 'event_number = $3'
  const newest = `select * from webhook_attempt
    where destination_id = $1 and id < coalesce($2::bigint, 9223372036854775807) and ${ofEvent} order by id desc`
  const found =
    query.result === null
      ? newest
      : `select * from (${newest} limit ${FILTERED_MAX}) newest where ${RESULT_SQL[query.result]} order by id desc`
  const rows = await db.query<LoggedAttempt>(
    // The page first: of how many attempts it is, one plan for all pages cannot know.
    `with page as materialized (
       select * from (
         ${found} limit $4 offset $5
       ) attempt limit ${PAGE_MAX}
     )
     select attempt.id, event.event_id as "eventId", event.signal_type as "signalType", attempt.attempt,
       attempt.is_replay as "isReplay", attempt.started_at as "startedAt", attempt.duration_ms as "durationMs",
       attempt.status, attempt.error, attempt.response, event.body as request, delivery.state,
       case when delivery.state = 'pending' then delivery.due_at end as "nextAttemptAt"
     from page as attempt
     join webhook_event as event on event.id = attempt.event_number
     join webhook_delivery as delivery
       on delivery.destination_id = attempt.destination_id and delivery.event_number = attempt.event_number
     order by attempt.id desc`,
    [query.id, query.cursor, eventNumber, query.limit + 1, query.offset],
  )
  const attempts = rows.slice(0, query.limit)
  if (rows.length > query.limit) return { attempts, nextCursor: attempts.at(-1)?.id ?? null }
  if (query.result === null) return { attempts, nextCursor: null }
  const [last] = await db.query<{ id: number }>(
    `select id from (${newest} limit ${FILTERED_MAX}) newest offset ${FILTERED_MAX - 1}`,
    [query.id, query.cursor, eventNumber],
  )
  return { attempts, nextCursor: last?.id ?? null }
}

async function findEventNumber(db: Db, eventId: string): Promise<number | null> {
  const [row] = await db.query<{ id: number }>('select id from webhook_event where event_id = $1', [eventId])
  return row?.id ?? null
}

interface Backlog {
  /** Deliveries that are due, also at destinations that are paused. At most `COUNTED_MAX`. */
  due: number
  /** Deliveries whose next attempt is later. */
  waiting: number
  disabledDestinations: number
}

const COUNTED_MAX = 100_000

export async function readBacklog(db: Db, at: Date): Promise<Backlog> {
  const [row] = await db.query<{ due: number; waiting: number; disabled: number }>(
    `select count(*) filter (where due_at <= $1) as due, count(*) filter (where due_at > $1) as waiting,
       (select count(*) from webhook_destination where status = 'disabled' and deleted_at is null) as disabled
     from (select due_at from webhook_delivery where state = 'pending' limit ${COUNTED_MAX}) as pending`,
    [at],
  )
  return { due: row?.due ?? 0, waiting: row?.waiting ?? 0, disabledDestinations: row?.disabled ?? 0 }
}

const LATE_SECONDS = 600

/** Returns whether deliveries of destinations that work go out in time. A receiver that fails is not our trouble. */
export async function readPace(db: Db, at: Date): Promise<{ isMoving: boolean }> {
  const late = await db.query(
    `select from webhook_delivery delivery join webhook_destination destination on destination.id = delivery.destination_id
     where delivery.state = 'pending' and delivery.due_at < $1 and destination.status = 'active'
       and destination.deleted_at is null and destination.consecutive_failures = 0
     limit 1`,
    [addSeconds(at, -LATE_SECONDS)],
  )
  return { isMoving: late.length === 0 }
}

interface ReplayRequest extends Change {
  /** Compared with the time of the event. */
  since: Date | null
  until: Date | null
  /** `failed`: all attempts were spent. `missing`: the destination was disabled before it got the event. */
  only: 'failed' | 'missing' | null
  /** Replays only this event. */
  eventId: string | null
  /** Continues after the event with this number. */
  cursor: number | null
}

const REPLAYED_MAX = 10_000
const STATES = { failed: ['failed'], missing: ['missed'], any: ['failed', 'missed', 'delivered'] }

/** Sends events again, each with its own id, from the first attempt on. Returns a `nextCursor` when there may be more. */
export async function replayEvents(
  app: App,
  request: ReplayRequest,
): Promise<{ queued: number; nextCursor: number | null }> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    await lockOwn(tx, request)
    // How much is replayed depends on the values.
    await tx.query('set local plan_cache_mode = force_custom_plan')
    const begun = await beginAgain(tx, request, at)
    if (begun.length > 0) await wakeDestinations(app, tx, [request.id], { dueAt: at, at })
    await auditChange(tx, 'webhook_replayed', { ...request, at, details: { queued: begun.length } })
    const nextCursor = begun.length === REPLAYED_MAX ? Math.max(...begun) : null
    return { queued: begun.length, nextCursor }
  })
}

async function lockOwn(tx: Tx, { accountId, mode, id }: Own): Promise<void> {
  const [row] = await tx.query<{ status: string }>(
    `select status from webhook_destination
     where account_id = $1 and mode = $2 and id = $3 and deleted_at is null and webhook_url is not null
     for key share`,
    [accountId, mode, id],
  )
  if (!row) throw destinationNotFound()
  if (row.status === 'disabled') {
    const message = `This destination is disabled. Send POST /v1/partner/webhooks/${id}/enable first.`
    throw new DomainError('destination_disabled', message)
  }
}

/**
 * Makes deliveries pending again, oldest first, without test events, which are tried once. An event that is being
 * replayed is pending already, so two requests do not send it twice.
 */
async function beginAgain(
  tx: Tx,
  { id, since, until, only, cursor, eventId }: ReplayRequest,
  at: Date,
): Promise<number[]> {
  const eventNumber = eventId === null ? null : await findEventNumber(tx, eventId)
  if (eventId !== null && eventNumber === null) return []
  const first = Math.max((cursor ?? 0) + 1, eventNumber ?? 0)
  const begun = await tx.query<{ event_number: number }>(
    `update webhook_delivery set state = 'pending', attempts = 0, is_replay = true, due_at = $5, ended_at = null
     where destination_id = $1 and event_number in (
       select delivery.event_number
       from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
       where delivery.destination_id = $1 and delivery.state = any ($2) and event.signal_type <> 'test'
         and ($3::timestamptz is null or event.created_at >= $3) and ($4::timestamptz is null or event.created_at < $4)
         and delivery.event_number between $6 and $7
       order by delivery.event_number limit ${REPLAYED_MAX})
     returning event_number`,
    [id, STATES[only ?? 'any'], since, until, at, first, eventNumber ?? Number.MAX_SAFE_INTEGER],
  )
  return begun.map(({ event_number: number }) => number)
}
