import { DomainError } from '../errors.ts'
import type { Db } from '../lib/db/db.ts'
import { SIGNAL_COLUMNS, type SignalPage, type SignalRow, type SignalType, toRowId, toSignal } from './signals.ts'
import type { WatchlistOwner } from './watch/watchlist.ts'

export interface FeedQuery extends WatchlistOwner {
  signalType?: SignalType | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

/**
 * Returns the signals of the companies watched now, since they are watched, newest first. `cursor` is a page's `nextCursor`:
 * it stays stable while new signals arrive, and when its own company is unwatched.
 */
export async function listFeed(db: Db, query: FeedQuery): Promise<SignalPage> {
  const cursor = query.cursor === undefined ? null : toRowId(query.cursor)
  const params = [query.accountId, query.mode, cursor, query.limit + 1, query.offset]
  const rows = query.signalType
    ? await db.query<FeedRow>(FEED_OF_TYPE, [...params, query.signalType])
    : await db.query<FeedRow>(FEED, params)
  if (rows.length === 0 && cursor !== null) await assertSignal(db, cursor)
  const page = rows.slice(0, query.limit).map(({ isWatched, ...row }) => ({ signal: toSignal(row), isWatched }))
  return {
    // A row that was written while its company was being unwatched makes a page shorter, and nothing else.
    signals: page.flatMap(({ signal, isWatched }) => (isWatched ? signal : [])),
    nextCursor: rows.length > query.limit ? (page.at(-1)?.signal.id ?? null) : null,
  }
}

interface FeedRow extends SignalRow {
  isWatched: boolean
}

const FEED = toStatement('')
const FEED_OF_TYPE = toStatement('and signal_type = $6')

/**
 * The rows of the feed say which signals and in what order, from an index alone; only the signals of the page are read.
 * That the page is picked first must be said: for the planner all lists are as long as the average one, and for a long
 * one it would read the whole feed and sort it, which was measured at 160 ms instead of 1.
 */
function toStatement(onlyOfType: string): string {
  return `with page as materialized (
      select watchlist_id, detected_at as fed_at, signal_id from watched_signal
      where watchlist_id = (select id from watchlist where account_id = $1 and mode = $2) ${onlyOfType}
        and (detected_at, signal_id) < (
          case when $3::bigint is null then 'infinity' else (select detected_at from signal where id = $3) end,
          coalesce($3, ${Number.MAX_SAFE_INTEGER}))
      order by detected_at desc, signal_id desc limit $4 offset $5
    )
    select ${SIGNAL_COLUMNS}, exists (
        select from watch where watch.watchlist_id = page.watchlist_id and watch.company_number = signal.company_number
      ) as "isWatched"
    from page join signal on signal.id = page.signal_id
    order by fed_at desc, signal_id desc`
}

/** An empty page is right after the last signal, and wrong after one that never was. */
async function assertSignal(db: Db, id: number): Promise<void> {
  const [signal] = await db.query('select 1 from signal where id = $1', [id])
  if (signal) return
  const message = 'is not the `next_cursor` of a page'
  throw new DomainError('invalid_request', `The request is not valid. cursor: ${message}`, {
    errors: [{ field: 'cursor', message }],
  })
}
