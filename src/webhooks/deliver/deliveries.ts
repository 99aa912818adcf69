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

interface LoggedRow {
  id: number
  event_id: string
  signal_type: string
  attempt: number
  is_replay: boolean
  started_at: Date
  duration_ms: number
  status: number | null
  error: string | null
  response: string
  state: LoggedAttempt['state']
  due_at: Date
}

export interface LogPage extends Own {
  limit: number
  page: number
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
  const rows = await db.query<LoggedRow>(
    `select attempt.id, event.event_id, event.signal_type, attempt.attempt, attempt.is_replay, attempt.started_at,
       attempt.duration_ms, attempt.status, attempt.error, attempt.response, delivery.state, delivery.due_at
     from webhook_attempt as attempt
     join webhook_event as event on event.id = attempt.event_number
     join webhook_delivery as delivery
       on delivery.destination_id = attempt.destination_id and delivery.event_number = attempt.event_number
     where attempt.destination_id = $1 and ($2::bigint is null or attempt.id < $2)
       and ($3::bigint is null or attempt.event_number = $3)
     order by attempt.id desc limit $4 offset $5`,
    [query.id, query.cursor, eventNumber, query.limit + 1, query.cursor === null ? (query.page - 1) * query.limit : 0],
  )
  const attempts = rows.slice(0, query.limit).map(toLoggedAttempt)
  return { attempts, nextCursor: rows.length > query.limit ? (attempts.at(-1)?.id ?? null) : null }
}

async function findEventNumber(db: Db, eventId: string): Promise<number | null> {
  const [row] = await db.query<{ id: number }>('select id from webhook_event where event_id = $1', [eventId])
  return row?.id ?? null
}

function toLoggedAttempt(row: LoggedRow): LoggedAttempt {
  return {
    id: row.id,
    eventId: row.event_id,
    signalType: row.signal_type,
    attempt: row.attempt,
    isReplay: row.is_replay,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    status: row.status,
    error: row.error,
    response: row.response,
    state: row.state,
    nextAttemptAt: row.state === 'pending' ? row.due_at : null,
  }
}
