/**
 * Slots for requests to hosts that may not want them. All processes together send one request at a time to one domain and
 * to one address, and few a minute, until one request is accepted.
 */
import { getDomain } from 'tldts'
import type { Database } from '../db/db.ts'
import { toAddressBlock } from './address-block.ts'

export interface SlotKey {
  key: string
  /** The shortest time between the starts of two requests. */
  everySeconds: number
}

export interface SlotRequest {
  keys: readonly SlotKey[]
  holder: string
  /** After this the slot is free again, even if its holder died. */
  holdSeconds: number
}

/** Unrelated sites share the address of a hosting company, so an address allows this many times more than a domain. */
const ADDRESS_SHARE = 5

/** Returns the keys of a host. Names below one domain share a key: one owner can invent any number of them. */
export function toSlotKeys(host: string, addresses: readonly string[], everySeconds: number): SlotKey[] {
  const blocks = new Set(addresses.map(toAddressBlock))
  return [
    { key: `domain:${getDomain(host, { allowPrivateDomains: true }) ?? host}`, everySeconds },
    ...[...blocks].map((block) => ({ key: `address:${block}`, everySeconds: everySeconds / ADDRESS_SHARE })),
  ]
}

const HELD_WAIT_SECONDS = 1

/** Takes the slot of all keys or of none. Returns null when it is taken, else the seconds until it may be free. */
export async function takeSlot(db: Database, { keys, holder, holdSeconds }: SlotRequest): Promise<number | null> {
  const names = keys.map(({ key }) => key)
  await db.query('insert into outgoing_turn (key) select unnest($1::text[]) on conflict do nothing', [names.toSorted()])
  const [row] = await db.query<{ taken: number; wait_seconds: number }>(
    `with wanted as (
       select key, every_seconds from unnest($1::text[], $2::float8[]) as wanted (key, every_seconds)
     ), locked as materialized (
       select turn.key, turn.held_until, turn.begun_at + make_interval(secs => wanted.every_seconds) as next_at
       from outgoing_turn as turn join wanted on wanted.key = turn.key
       order by turn.key for update of turn
     ), free as materialized (
       select max(held_until) as held_until, max(next_at) as next_at, count(*) as rows from locked
     ), taken as (
       update outgoing_turn set held_by = $3, begun_at = clock_timestamp(),
         held_until = clock_timestamp() + make_interval(secs => $4)
       where key = any ($1) and (
         select greatest(held_until, next_at) <= clock_timestamp() and rows = cardinality($1) from free)
       returning key
     )
     select (select count(*) from taken) as taken,
       case when next_at = '-infinity' then 0 else extract(epoch from next_at - clock_timestamp())::float8 end as wait_seconds
     from free`,
    [names, keys.map(({ everySeconds }) => everySeconds), holder, holdSeconds],
  )
  if (row && row.taken > 0) return null
  // The holder's request may end at any moment.
  return Math.max(row?.wait_seconds ?? 0, HELD_WAIT_SECONDS)
}

/** Frees the slot. After an accepted request the next may start at once: the host wants them. */
export async function releaseSlot(
  db: Database,
  { keys, holder, isAccepted }: Pick<SlotRequest, 'keys' | 'holder'> & { isAccepted: boolean },
): Promise<void> {
  await db.query(
    `update outgoing_turn set held_by = null, held_until = '-infinity',
       begun_at = case when $3 then '-infinity' else begun_at end
     where key = any ($1) and held_by = $2`,
    [keys.map(({ key }) => key), holder, isAccepted],
  )
}

/** Deletes slots that have been free for a day: a missing row is a free slot. */
export async function forgetFreeSlots(db: Database): Promise<void> {
  await db.query(`delete from outgoing_turn where begun_at <= now() - interval '1 day' and held_until <= now()`)
}
