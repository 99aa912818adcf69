import type { Db } from '../../lib/db/db.ts'
import type { OutgoingEvent } from './attempt.ts'

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
export async function findNextDue(db: Db, destinationId: number): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date }>(
    `select due_at from webhook_delivery where destination_id = $1 and state = 'pending' order by due_at limit 1`,
    [destinationId],
  )
  return row?.due_at ?? null
}

export interface Backlog {
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
