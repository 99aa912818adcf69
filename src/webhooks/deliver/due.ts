import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import type { OutgoingEvent } from './attempt.ts'

/** The most that one look returns. */
export const DUE_EVENTS_MAX = 50

interface DueQuery {
  destinationId: number
  /** Events that are on their way. */
  except: readonly number[]
}

/** Returns what is due at a destination, the longest due first. Looks of jobs that run at the same time go together. */
export async function listDue(app: App, { destinationId, except }: DueQuery): Promise<OutgoingEvent[]> {
  const look = { destination_id: destinationId, except }
  const found = await app.webhookBatches.looks.add(look, (looks) => listDueOfAll(app.db, looks, app.clock.now()))
  return found as OutgoingEvent[]
}

interface DueRow extends OutgoingEvent {
  look: number
}

async function listDueOfAll(db: Db, looks: readonly object[], at: Date): Promise<OutgoingEvent[][]> {
  const found = looks.map((): OutgoingEvent[] => [])
  for (const { look, ...event } of await db.query<DueRow>(DUE_OF_ALL, [JSON.stringify(looks), at, DUE_EVENTS_MAX])) {
    found[look - 1]?.push(event)
  }
  return found
}

const EVENT = `delivery.event_number as "eventNumber", event.event_id as "eventId", event.signal_type as "signalType",
  event.body, delivery.attempts + 1 as attempt, delivery.is_replay as "isReplay"`

/** Each look reads its fifty in the order of the index, whatever the planner thinks of the rest. */
const DUE_OF_ALL = `select looks.look::integer as look, ${EVENT}
  from rows from (jsonb_to_recordset($1::jsonb) as (destination_id integer, "except" bigint[])) with ordinality
    as looks (destination_id, excepted, look)
  cross join lateral (
    select event_number, attempts, is_replay, due_at from webhook_delivery
    where destination_id = looks.destination_id and state = 'pending' and due_at <= $2
      and not event_number = any (looks.excepted)
    order by due_at, event_number limit $3
  ) as delivery
  join webhook_event as event on event.id = delivery.event_number
  order by looks.look, delivery.due_at, delivery.event_number`

interface OwnDueQuery extends DueQuery {
  limit: number
  at: Date
  /** Puts the deliveries with most attempts first. */
  triedFirst?: boolean
}

/** Returns the same for one destination alone, the longest due first unless `triedFirst`. */
export async function listOwnDue(db: Db, query: OwnDueQuery): Promise<OutgoingEvent[]> {
  const statement = query.triedFirst ? DUE_TRIED_FIRST : DUE
  return db.query<OutgoingEvent>(statement, [query.destinationId, query.at, query.except, query.limit])
}

const DUE = toStatement('')
/** Sorts everything that is due, so it is used only for a destination that was paused. */
const DUE_TRIED_FIRST = toStatement('delivery.attempts desc,')

function toStatement(firstOrder: string): string {
  return `select ${EVENT}
    from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
    where delivery.destination_id = $1 and delivery.state = 'pending' and delivery.due_at <= $2
      and not delivery.event_number = any ($3)
    order by ${firstOrder} delivery.due_at, delivery.event_number limit $4`
}

/** Returns when the next delivery to each destination is due, where one waits. */
export async function findNextDue(db: Db, destinationIds: readonly number[]): Promise<Map<number, Date>> {
  const rows = await db.query<{ id: number; due_at: Date }>(
    `select wanted.id, next.due_at
     from unnest($1::integer[]) as wanted (id)
     cross join lateral (
       select due_at from webhook_delivery where destination_id = wanted.id and state = 'pending' order by due_at limit 1
     ) as next`,
    [destinationIds],
  )
  return new Map(rows.map(({ id, due_at: dueAt }) => [id, dueAt]))
}
