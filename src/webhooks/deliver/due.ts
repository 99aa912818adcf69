import type { Db } from '../../lib/db/db.ts'
import type { OutgoingEvent } from './attempt.ts'

interface DueRow {
  event_number: number
  event_id: string
  signal_type: string
  body: string
  attempts: number
  is_replay: boolean
}

export interface DueQuery {
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
  const rows = await db.query<DueRow>(statement, [query.destinationId, query.at, query.except, query.limit])
  return rows.map((row) => ({
    eventNumber: row.event_number,
    eventId: row.event_id,
    signalType: row.signal_type,
    body: row.body,
    attempt: row.attempts + 1,
    isReplay: row.is_replay,
  }))
}

const DUE = toStatement('')
/** Sorts everything that is due, so it is used only for a destination that was paused. */
const DUE_TRIED_FIRST = toStatement('delivery.attempts desc,')

function toStatement(firstOrder: string): string {
  return `select delivery.event_number, event.event_id, event.signal_type, event.body, delivery.attempts, delivery.is_replay
    from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
    where delivery.destination_id = $1 and delivery.state = 'pending' and delivery.due_at <= $2
      and not delivery.event_number = any ($3)
    order by ${firstOrder} delivery.due_at, delivery.event_number limit $4`
}

/** Returns when the next delivery to a destination is due; null when none waits. */
export async function findNextDue(db: Db, destinationId: number): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date }>(
    `select due_at from webhook_delivery where destination_id = $1 and state = 'pending' order by due_at limit 1`,
    [destinationId],
  )
  return row?.due_at ?? null
}

/** Returns the destinations at which something is due. */
export async function listWithDue(
  db: Db,
  { destinationIds, at }: { destinationIds: readonly number[]; at: Date },
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select id from unnest($1::integer[]) as id where exists (
       select from webhook_delivery where destination_id = id and state = 'pending' and due_at <= $2)`,
    [destinationIds, at],
  )
  return rows.map(({ id }) => id)
}
