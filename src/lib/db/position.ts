import { type Db, onlyRow } from './db.ts'

/** Where the primary's log ended at a moment. A copy that has replayed it has everything that was committed before. */
export interface Position {
  /** As in the names of the log's files: it changes when another server becomes the primary. */
  timeline: string
  /** Since the beginning of the log. */
  bytes: number
}

/**
 * SQL for the position of the primary; null on a server that is none. What is committed is on its disk, so a copy can
 * have it. Without `synchronous_commit` it may not be on the disk yet, and the end of the log counts.
 */
export const POSITION_SQL = `(select json_build_object('timeline', left(pg_walfile_name(ends), 8), 'bytes', (ends - '0/0')::bigint)
  from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end as ends where not pg_is_in_recovery()) log)`

/** Returns the primary's position now; null where the address leads to a server that only reads. */
export async function readPosition(db: Db): Promise<Position | null> {
  return onlyRow(await db.query<{ position: Position | null }>(`select ${POSITION_SQL} as position`)).position
}

/** Returns the position that covers all of them; null when one of them is unknown. */
export function latestOf(positions: ReadonlyArray<Position | null>): Position | null {
  let latest: Position | null = null
  for (const position of positions) {
    if (position === null) return null
    if (latest === null || isLater(position, latest)) latest = position
  }
  return latest
}

function isLater(one: Position, other: Position): boolean {
  // Timelines are eight hexadecimal digits, so their texts have the order of their numbers.
  return one.timeline === other.timeline ? one.bytes > other.bytes : one.timeline > other.timeline
}
