/**
 * Which signals of the feed the people of an account have read. Everything up to a moment is read; rows of `signal_mark` say
 * otherwise for single signals, so that marking all of them as read writes one row.
 */
import type { App } from '../../app.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { toRowId } from '../signals.ts'
import { changeWatchlist, type WatchlistOwner } from '../watch/watchlist.ts'

export interface ReadState {
  /** Signals that are not read, counted up to `UNREAD_MAX`. */
  unread: number
  /** Null while nothing was ever watched. */
  readThrough: Date | null
}

export const UNREAD_MAX = 1_000
/** Signals after the moment that are marked as read one by one. */
const LOOKED_AT_MAX = 5_000

export async function readReadState(db: Db, { accountId, mode }: WatchlistOwner): Promise<ReadState> {
  const [row] = await db.query<{ unread: number; read_through: Date }>(
    `select read_through, (
       select count(*) from (
         select from (
           select signal_id from watched_signal
           where watchlist_id = watchlist.id and detected_at > read_through
           order by detected_at, signal_id limit ${LOOKED_AT_MAX}
         ) newer where not exists (
           select from signal_mark mark
           where mark.watchlist_id = watchlist.id and mark.signal_id = newer.signal_id and mark.is_read)
         union all
         select from signal_mark mark
         where mark.watchlist_id = watchlist.id and not is_read and mark.detected_at <= read_through and exists (
           select from watched_signal fed
           where fed.watchlist_id = mark.watchlist_id and fed.detected_at = mark.detected_at and fed.signal_id = mark.signal_id)
         limit ${UNREAD_MAX}
       ) as unread)::integer as unread
     from watchlist where account_id = $1 and mode = $2`,
    [accountId, mode],
  )
  return row ? { unread: row.unread, readThrough: row.read_through } : { unread: 0, readThrough: null }
}

/** Marks signals of the feed as read or unread. Ids that are not in the feed are left out. */
export async function markSignals(
  app: App,
  owner: WatchlistOwner,
  { ids, isRead }: { ids: readonly string[]; isRead: boolean },
): Promise<ReadState> {
  await changeWatchlist(app, owner, (tx, watchlist) =>
    tx.query(
      `insert into signal_mark (watchlist_id, signal_id, detected_at, is_read)
       select $1, fed.signal_id, fed.detected_at, $3
       from signal join watched_signal fed on fed.detected_at = signal.detected_at and fed.signal_id = signal.id
       where signal.id = any ($2) and fed.watchlist_id = $1
       on conflict (watchlist_id, signal_id) do update set is_read = excluded.is_read`,
      [watchlist.id, ids.map(toRowId), isRead],
    ),
  )
  return readReadState(app.db, owner)
}

/**
 * Everything detected up to this moment is read, and everything after it is not unless it was marked so by itself. Returns
 * the moment before: with it, what came after that moment is unread again. Earlier signals that were marked as unread one by
 * one stay read.
 */
export async function readThrough(
  app: App,
  owner: WatchlistOwner,
  through: Date,
): Promise<ReadState & { previous: Date }> {
  const previous = await changeWatchlist(app, owner, async (tx, watchlist) => {
    const before = onlyRow(
      await tx.query<{ read_through: Date }>('select read_through from watchlist where id = $1', [watchlist.id]),
    ).read_through
    await tx.query('update watchlist set read_through = $2 where id = $1', [watchlist.id, through])
    // Marks that say what the moment says, now and before, are of no use any more.
    await tx.query(
      `delete from signal_mark
       where watchlist_id = $1 and detected_at <= $2 and (not is_read or detected_at <= $3)`,
      [watchlist.id, through, before],
    )
    return before
  })
  return { ...(await readReadState(app.db, owner)), previous }
}
