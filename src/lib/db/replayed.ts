/** Reads how far a replica has replayed the log of the primary. */
import type pg from 'pg'
import { onlyRow } from './db.ts'
import type { StatementNames } from './pool.ts'
import type { Position } from './position.ts'
import { Unreachable } from './refusals.ts'

/** Null where the server is a primary itself. */
const BYTES = `case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end`

/**
 * The timeline that the server has recorded on its disk. After another server became the primary, a replica records that
 * it follows the new one with its next restartpoint. Until then it might still be on a branch of the log that was given up.
 */
const TIMELINE = `upper(lpad(to_hex(greatest((select timeline_id from pg_control_checkpoint()),
  (select min_recovery_end_timeline from pg_control_recovery()))), 8, '0'))`

const LOOK = `select ${BYTES} as bytes`
const LOOK_WITH_TIMELINE = `select ${BYTES} as bytes, ${TIMELINE} as timeline`
const LAG = `select ${BYTES} as bytes,
  coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 as seconds`

/** Returns what the server has replayed. The timeline is looked up where the caller does not know it. */
export async function look(
  client: pg.ClientBase,
  names: StatementNames,
  timeline: string | undefined,
): Promise<Position> {
  const query = names.prepare(timeline === undefined ? LOOK_WITH_TIMELINE : LOOK, [])
  const row = onlyRow((await client.query<{ bytes: number | null; timeline?: string }>(query)).rows)
  if (row.bytes === null) throw new Unreachable('the address of the replica leads to a server that replays nothing')
  return { timeline: timeline ?? row.timeline ?? '', bytes: row.bytes }
}

/** Returns how far the server is behind a position. The seconds are those since the last transaction that it replayed. */
export async function lookAtLag(
  client: pg.ClientBase,
  names: StatementNames,
  position: Position,
): Promise<{ bytes: number; seconds: number }> {
  const row = onlyRow((await client.query<{ bytes: number | null; seconds: number }>(names.prepare(LAG, []))).rows)
  if (row.bytes === null) throw new Unreachable('the address of the replica leads to a server that replays nothing')
  const bytes = Math.max(0, position.bytes - row.bytes)
  return { bytes, seconds: bytes === 0 ? 0 : row.seconds }
}

/** A server with this has everything up to the position. */
export function covers(replayed: Position, position: Position): boolean {
  return replayed.timeline === position.timeline && replayed.bytes >= position.bytes
}
