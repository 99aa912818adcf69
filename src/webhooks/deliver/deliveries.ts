import type { Db } from '../../lib/db/db.ts'
import { getDestination } from '../destinations/destinations.ts'
import type { Own } from '../destinations/owner.ts'

/** One attempt as its owner sees it, with the present state of its delivery. */
export interface LoggedAttempt {
  id: number
  eventId: string
  signalType: string
  attempt: number
  isReplay: boolean
  startedAt: Date
  durationMs: number
  status: number | null
  error: string | null
  response: string
  state: 'pending' | 'delivered' | 'failed' | 'missed'
  nextAttemptAt: Date | null
}

interface LogPage extends Own {
  limit: number
  offset: number
  /** Continues below the attempt with this number. */
  cursor: number | null
  eventId: string | null
}

/** Returns the attempts of the last 30 days, newest first. */
export async function listDeliveries(
  db: Db,
  query: LogPage,
): Promise<{ attempts: LoggedAttempt[]; nextCursor: number | null }> {
  await getDestination(db, query)
  const eventNumber = query.eventId === null ? null : await findEventNumber(db, query.eventId)
  if (query.eventId !== null && eventNumber === null) return { attempts: [], nextCursor: null }
  const rows = await db.query<LoggedAttempt>(
    `select attempt.id, event.event_id as "eventId", event.signal_type as "signalType", attempt.attempt,
       attempt.is_replay as "isReplay", attempt.started_at as "startedAt", attempt.duration_ms as "durationMs",
       attempt.status, attempt.error, attempt.response, delivery.state,
       case when delivery.state = 'pending' then delivery.due_at end as "nextAttemptAt"
     from webhook_attempt as attempt
     join webhook_event as event on event.id = attempt.event_number
     join webhook_delivery as delivery
       on delivery.destination_id = attempt.destination_id and delivery.event_number = attempt.event_number
     where attempt.destination_id = $1 and ($2::bigint is null or attempt.id < $2)
       and ($3::bigint is null or attempt.event_number = $3)
     order by attempt.id desc limit $4 offset $5`,
    [query.id, query.cursor, eventNumber, query.limit + 1, query.offset],
  )
  const attempts = rows.slice(0, query.limit)
  return { attempts, nextCursor: rows.length > query.limit ? (attempts.at(-1)?.id ?? null) : null }
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
