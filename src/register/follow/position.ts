import type { Db, Tx } from '../../lib/db/db.ts'
import { PSC_STREAM, STATEMENT_STREAMS } from '../pscs/psc-streams.ts'
import { isPscStream } from './apply-events.ts'
import { STREAMS, type StreamName } from './streams.ts'

// One process follows a stream at a time. The lease is a row: its holder renews it, and any other process may take it
// once it has run out. Only the database's clock counts.
const LEASE_SECONDS = 10

export class LeaseLost extends Error {
  constructor(stream: StreamName) {
    super(`another process follows ${stream} now`)
    this.name = 'LeaseLost'
  }
}

/** Takes or renews the lease. Returns whether it is ours. */
export async function holdLease(db: Db, stream: StreamName, leader: string): Promise<boolean> {
  const rows = await db.query(
    `insert into register_stream as stream (name, leader, lease_until) values ($1, $2, now() + interval '${LEASE_SECONDS} s')
     on conflict (name) do update set leader = $2, lease_until = excluded.lease_until
       where stream.leader = $2 or stream.lease_until < now()
     returning name`,
    [stream, leader],
  )
  return rows.length > 0
}

/** Gives the lease up at once, so that another process need not wait for it to run out. */
export async function dropLease(db: Db, stream: StreamName, leader: string): Promise<void> {
  await db.query(
    `update register_stream set lease_until = '-infinity', leader = null where name = $1 and leader = $2`,
    [stream, leader],
  )
}

export async function readTimepoint(db: Db, stream: StreamName): Promise<number | null> {
  const [row] = await db.query<{ timepoint: number | null }>('select timepoint from register_stream where name = $1', [
    stream,
  ])
  return row?.timepoint ?? null
}

/**
 * Moves the stream's timepoint in the transaction that applied its events. Throws `LeaseLost` when another process leads
 * now, which rolls the whole batch back.
 */
export async function advance(
  tx: Tx,
  position: { stream: StreamName; leader: string; timepoint: number; lastEventAt: Date; currentUntil: Date },
): Promise<void> {
  const rows = await tx.query(
    `update register_stream set timepoint = $3, last_event_at = $4, current_until = $5
     where name = $1 and leader = $2 and coalesce(timepoint, 0) < $3 returning name`,
    [position.stream, position.leader, position.timepoint, position.lastEventAt, position.currentUntil],
  )
  if (rows.length === 0) throw new LeaseLost(position.stream)
}

/** Records a heartbeat that came after everything was applied: nothing is missing up to `at`. */
export async function markCurrent(db: Db, stream: StreamName, leader: string, at: Date): Promise<void> {
  await db.query('update register_stream set current_until = $3 where name = $1 and leader = $2', [stream, leader, at])
}

/**
 * Records that events were missed for good. The timepoint is cleared, the gap stays until a snapshot closes it, and parts
 * that this stream kept fresh are fetched again on demand.
 */
export async function recordGap(tx: Tx, gap: { stream: StreamName; leader: string; at: Date }): Promise<void> {
  await tx.query(
    `update register_stream set timepoint = null, gap_since = coalesce(gap_since, last_event_at, $3),
       gap_until = $3 where name = $1 and leader = $2`,
    [gap.stream, gap.leader, gap.at],
  )
  await tx.query('delete from company_part where kind = $1', [fetchedPartOf(gap.stream)])
}

/** Returns the kind of the part that REST fetches of what the stream keeps fresh; null where it fetches none. */
function fetchedPartOf(stream: StreamName): string | null {
  if (stream === PSC_STREAM) return 'owner'
  return isPscStream(stream) ? null : STREAMS[stream]
}

/**
 * Records that a stream of statements begins after the file of all owners: what was sent between is missed, until the
 * next file has it.
 */
export async function recordLateStart(db: Db, stream: StreamName, leader: string, at: Date): Promise<void> {
  await db.query(
    `update register_stream set gap_since = file.as_of, gap_until = $4
     from (select as_of::timestamptz from register_snapshot
       where product = 'pscs' and state = 'finished' order by id desc limit 1) as file
     where name = $1 and leader = $2 and name = any ($3) and timepoint is null and current_until is null
       and gap_since is null and file.as_of < $4::timestamptz - interval '1 day'`,
    [stream, leader, STATEMENT_STREAMS, at],
  )
}
