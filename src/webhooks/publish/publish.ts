import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import { wakeDestinations } from '../deliver/lease.ts'

/** Something that happened, and the accounts it concerns. */
export interface NewEvent {
  type: 'signal' | 'resolution_completed' | 'audit_entry' | 'test'
  /** Destinations subscribe to this, or to `all`. */
  signalType: string
  accountIds: readonly string[]
  /** Only destinations of this mode get it, unless live ones get it too. */
  mode: KeyMode
  alsoLive?: true
  /** For destinations that take only the graver signals. */
  severity?: string
  /** The lists that have its company, for destinations of one list. */
  listKeys?: readonly number[]
  data: Record<string, unknown>
}

interface Subscriber {
  id: number
  account_id: string
  mode: KeyMode
  signal_type: string
  status: 'active' | 'disabled'
  is_listener: boolean
  list_key: number | null
  severity_min: string | null
}

/**
 * Queues events for every destination that subscribes to them: all of it when `tx` commits, or nothing. For a disabled
 * destination they are stored as missed. Events without a subscriber leave no trace. Returns the number of deliveries.
 */
export async function publishEvents(
  app: Pick<App, 'jobs'>,
  tx: Tx,
  events: readonly NewEvent[],
  at: Date,
): Promise<number> {
  if (events.length === 0) return 0
  const byAccount = Map.groupBy(await lockSubscribers(tx, events, at), (subscriber) => subscriber.account_id)
  const subscribersOf = (event: NewEvent) =>
    event.accountIds.flatMap((id) => byAccount.get(id) ?? []).filter((one) => isSubscribed(one, event))
  const subscribers = new Map(events.map((event) => [event, subscribersOf(event)]))
  const wanted = events.filter((event) => subscribers.get(event)?.length)
  if (wanted.length === 0) return 0
  const stored = await storeEvents(tx, wanted, at)
  const deliveries = wanted.flatMap((event, index) => {
    const eventNumber = stored[index]?.eventNumber ?? 0
    return (subscribers.get(event) ?? []).map((subscriber) => ({ subscriber, eventNumber }))
  })
  await storeDeliveries(tx, deliveries, at)
  const sentTo = deliveries.map(({ subscriber }) => subscriber).filter(isSentTo)
  await wakeDestinations(app, tx, [...new Set(sentTo.map(({ id }) => id))], { dueAt: at, at })
  return deliveries.length
}

const ALL = 'all'
/** The least grave first. */
const SEVERITIES: readonly string[] = ['info', 'notice', 'warning']

/** `all` means every kind of signal; a finished job and an entry of the audit log are none. */
function isSubscribed(subscriber: Subscriber, event: NewEvent): boolean {
  const { mode, signal_type: subscribed, list_key: list, severity_min: least } = subscriber
  if (mode !== event.mode && !(event.alsoLive && mode === 'live')) return false
  if (list !== null && !event.listKeys?.includes(list)) return false
  if (least !== null && SEVERITIES.indexOf(event.severity ?? '') < SEVERITIES.indexOf(least)) return false
  return subscribed === event.signalType || (subscribed === ALL && event.type === 'signal')
}

function isSentTo({ status, is_listener: isListener }: Subscriber): boolean {
  return status === 'active' && !isListener
}

/** Returns the accounts that have a destination of exactly this type. For events that are expensive to build. */
export async function findSubscribers(
  db: Db,
  query: { accountIds: readonly string[]; mode: KeyMode; signalType: string },
): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    `select distinct account_id from webhook_destination
     where account_id = any ($1) and mode = $3 and signal_type = $2 and deleted_at is null`,
    [query.accountIds, query.signalType, query.mode],
  )
  return rows.map(({ account_id: accountId }) => accountId)
}

/** Locks them until the events are stored: no destination is disabled and no job ends before that, see `lease.ts`. */
async function lockSubscribers(tx: Tx, events: readonly NewEvent[], at: Date): Promise<Subscriber[]> {
  const accountIds = new Set(events.flatMap((event) => event.accountIds))
  const types = new Set(events.map((event) => event.signalType))
  return tx.query<Subscriber>(
    `select id, account_id, mode, signal_type, status, listens_until is not null as is_listener, list_key, severity_min
     from webhook_destination
     where account_id = any ($1) and signal_type = any ($2) and deleted_at is null
       and (listens_until is null or listens_until > $3)
     order by id for key share`,
    [[...accountIds], [...types, ALL], at],
  )
}

interface StoredEvent {
  eventNumber: number
  eventId: string
  body: string
}

/** Stores an event without deliveries. */
export async function storeEvent(tx: Tx, event: NewEvent, at: Date): Promise<StoredEvent> {
  const [stored] = await storeEvents(tx, [event], at)
  if (!stored) throw new Error('an event was not stored')
  return stored
}

/** The number goes into the body, so it is drawn before the row is written. */
async function storeEvents(tx: Tx, events: readonly NewEvent[], at: Date): Promise<StoredEvent[]> {
  const drawn = await tx.query<{ number: number }>(
    `select nextval(pg_get_serial_sequence('webhook_event', 'id')) as number from generate_series(1, $1)`,
    [events.length],
  )
  const stored = drawn.map(({ number: eventNumber }, index): StoredEvent => {
    const eventId = newId('evt')
    const body = serializeEvent(events[index] as NewEvent, { id: eventId, sequence: eventNumber, at })
    return { eventNumber, eventId, body }
  })
  await tx.query(
    `insert into webhook_event (id, event_id, signal_type, body, created_at)
     overriding system value
     select number, event_id, signal_type, body, $5
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as event (number, event_id, signal_type, body)`,
    [
      stored.map(({ eventNumber }) => eventNumber),
      stored.map(({ eventId }) => eventId),
      events.map(({ signalType }) => signalType),
      stored.map(({ body }) => body),
      at,
    ],
  )
  return stored
}

async function storeDeliveries(
  tx: Tx,
  deliveries: ReadonlyArray<{ subscriber: Subscriber; eventNumber: number }>,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into webhook_delivery (destination_id, event_number, state, due_at, ended_at)
     select destination_id, event_number, state, $4, case when state = 'missed' then $4::timestamptz end
     from unnest($1::integer[], $2::bigint[], $3::text[]) as delivery (destination_id, event_number, state)`,
    [
      deliveries.map(({ subscriber }) => subscriber.id),
      deliveries.map(({ eventNumber }) => eventNumber),
      deliveries.map(({ subscriber }) => (subscriber.status === 'active' ? 'pending' : 'missed')),
      at,
    ],
  )
}

const API_VERSION = '1.0.0'
export const BODY_BYTES_MAX = 20_000

/**
 * Returns the text of an event, made once: these bytes are stored, signed and sent. A signal with more changes than fit
 * contains the first of them and says that there are more; its company's history has all of them.
 */
export function serializeEvent(event: NewEvent, given: { id: string; sequence: number; at: Date }): string {
  const body = JSON.stringify(toBody(event, given, event.data))
  const { changes } = event.data
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX || !Array.isArray(changes)) return body
  for (let kept = changes.length >> 1; kept > 0; kept >>= 1) {
    const shorter = { ...event.data, changes: changes.slice(0, kept) as unknown[], changes_left_out: true }
    const text = JSON.stringify(toBody(event, given, shorter))
    if (Buffer.byteLength(text) <= BODY_BYTES_MAX) return text
  }
  return JSON.stringify(toBody(event, given, { ...event.data, changes: [], changes_left_out: true }))
}

function toBody(
  { type, signalType, mode }: NewEvent,
  { id, sequence, at }: { id: string; sequence: number; at: Date },
  data: Record<string, unknown>,
) {
  return {
    id,
    type,
    signal_type: signalType,
    created_at: at.toISOString(),
    api_version: API_VERSION,
    sequence,
    ...(mode === 'test' || type === 'test' ? { test: true } : {}),
    data,
  }
}
