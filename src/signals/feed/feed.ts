import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import { ALL_LISTS } from '../lists/list-entries.ts'
import { getListKey } from '../lists/lists.ts'
import {
  type Severity,
  SIGNAL_COLUMNS,
  type Signal,
  type SignalRow,
  type SignalType,
  toRowId,
  toSignal,
} from '../signals.ts'
import type { WatchlistOwner } from '../watch/watchlist.ts'

/** Narrows the feed. Absent members do not. */
export interface FeedFilter {
  signalType?: SignalType | undefined
  severity?: Severity | undefined
  /** The id of a list. */
  list?: string | undefined
  tag?: string | undefined
  isRead?: boolean | undefined
  /** Detected at this time or later. */
  from?: Date | undefined
  /** Detected before this time. */
  to?: Date | undefined
}

export interface FeedQuery extends WatchlistOwner, FeedFilter {
  limit: number
  offset: number
  cursor?: string | undefined
}

export interface FeedSignal extends Signal {
  isRead: boolean
}

export interface FeedPage {
  signals: FeedSignal[]
  /** Continues after the last of these; null when there are no more. */
  nextCursor: string | null
}

/**
 * Returns the signals of the companies watched now, since they are watched, newest first. `cursor` is a page's `nextCursor`:
 * it stays stable while new signals arrive, and when its own company is unwatched.
 */
export async function listFeed(db: Db, query: FeedQuery): Promise<FeedPage> {
  const cursor = query.cursor === undefined ? null : toRowId(query.cursor)
  const page = isNarrow(query) ? await readNarrow(db, query, cursor) : await readWide(db, query, cursor)
  if (page.signals.length === 0 && cursor !== null && page.nextCursor === null) await assertSignal(db, cursor)
  return page
}

/** A type alone has an index of its own. */
function isNarrow({ severity, list = ALL_LISTS, tag, isRead, from, to }: FeedFilter): boolean {
  return list !== ALL_LISTS || [severity, tag, isRead, from, to].some((value) => value !== undefined)
}

interface FeedRow extends SignalRow {
  isWatched: boolean
  isRead: boolean
}

async function readWide(db: Db, query: FeedQuery, cursor: number | null): Promise<FeedPage> {
  const params = [query.accountId, query.mode, cursor, query.limit + 1, query.offset]
  const rows = query.signalType
    ? await db.query<FeedRow>(FEED_OF_TYPE, [...params, query.signalType])
    : await db.query<FeedRow>(FEED, params)
  const page = rows.slice(0, query.limit).map(({ isWatched, isRead, ...row }) => ({
    signal: { ...toSignal(row), isRead },
    isWatched,
  }))
  return {
    // A row that was written while its company was being unwatched makes a page shorter, and nothing else.
    signals: page.flatMap(({ signal, isWatched }) => (isWatched ? signal : [])),
    nextCursor: rows.length > query.limit ? (page.at(-1)?.signal.id ?? null) : null,
  }
}

const IS_READ = `coalesce(
  (select mark.is_read from signal_mark mark where mark.watchlist_id = page.watchlist_id and mark.signal_id = page.signal_id),
  fed_at <= (select read_through from watchlist where id = page.watchlist_id))`
const AFTER_CURSOR = `(detected_at, signal_id) < (
  case when $3::bigint is null then 'infinity' else (select detected_at from signal where id = $3) end,
  coalesce($3, ${Number.MAX_SAFE_INTEGER}))`

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
        and ${AFTER_CURSOR}
      order by detected_at desc, signal_id desc limit $4 offset $5
    )
    select ${SIGNAL_COLUMNS}, exists (
        select from watch where watch.watchlist_id = page.watchlist_id and watch.company_number = signal.company_number
      ) as "isWatched", ${IS_READ} as "isRead"
    from page join signal on signal.id = page.signal_id
    order by fed_at desc, signal_id desc`
}

/** Rows of the feed that one request looks at. A page with fewer signals than this allows says where to go on. */
const LOOKED_AT_MAX = 3_000

interface NarrowRow extends Omit<FeedRow, 'id'> {
  id: number | null
  lookedAt: number
  lastLookedAt: number | null
}

async function readNarrow(db: Db, query: FeedQuery, cursor: number | null): Promise<FeedPage> {
  const { accountId, mode, limit, offset, signalType, severity = null, tag = null, isRead = null } = query
  const { list = ALL_LISTS } = query
  const key = list === ALL_LISTS ? null : await getListKey(db, query, list)
  const isDefault = list !== ALL_LISTS && key === null
  const filter = [isDefault, key, tag, severity, isRead, query.from ?? '-infinity', query.to ?? 'infinity']
  const params = [accountId, mode, cursor, limit + 1, offset, ...filter]
  const rows = signalType
    ? await db.query<NarrowRow>(NARROW_OF_TYPE, [...params, signalType])
    : await db.query<NarrowRow>(NARROW, params)
  const { lookedAt = 0, lastLookedAt = null } = rows[0] ?? {}
  const found = rows.flatMap(({ lookedAt: _count, lastLookedAt: _last, isWatched: _watched, id, ...row }) => {
    if (id === null) return []
    const { isRead: isSignalRead, ...signal } = row
    return [{ ...toSignal({ ...signal, id }), isRead: isSignalRead }]
  })
  const signals = found.slice(0, limit)
  if (found.length > limit) return { signals, nextCursor: signals.at(-1)?.id ?? null }
  const isCut = lookedAt === LOOKED_AT_MAX && lastLookedAt !== null
  return { signals, nextCursor: isCut ? `sig_${lastLookedAt}` : null }
}

const NARROW = toNarrowStatement('')
const NARROW_OF_TYPE = toNarrowStatement('and signal_type = $13')

/** Looks at a bounded number of rows in the order of the index, and at the company and severity of each. */
function toNarrowStatement(onlyOfType: string): string {
  return `with looked_at as materialized (
      select watchlist_id, detected_at as fed_at, signal_id, company_number as number, severity as grade
      from watched_signal
      where watchlist_id = (select id from watchlist where account_id = $1 and mode = $2) ${onlyOfType}
        and detected_at >= $11 and detected_at < $12
        and ${AFTER_CURSOR}
      order by detected_at desc, signal_id desc limit ${LOOKED_AT_MAX}
    ), page as materialized (
      select * from looked_at page
      where ($9::text is null or grade = $9)
        and exists (
          select from watch
          where watch.watchlist_id = page.watchlist_id and watch.company_number = number and (not $6::boolean or in_default))
        and ($7::integer is null or exists (
          select from company_list_member member where member.list_key = $7 and member.company_number = number))
        and ($8::text is null or exists (
          select from watch_note note
          where note.watchlist_id = page.watchlist_id and note.company_number = number and $8 = any (note.tags)))
        and ($10::boolean is null or ${IS_READ} = $10)
      order by fed_at desc, signal_id desc limit $4 offset $5
    )
    select seen.*, shown.* from (
      select count(*)::integer as "lookedAt",
        (array_agg(signal_id order by fed_at, signal_id))[1] as "lastLookedAt" from looked_at
    ) seen left join (
      select ${SIGNAL_COLUMNS}, true as "isWatched", ${IS_READ} as "isRead", fed_at
      from page join signal on signal.company_number = page.number and signal.id = page.signal_id
    ) shown on true
    order by shown.fed_at desc, shown.id desc`
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

const EXPORT_PAGE = 500
const EXPORTED_MAX = 50_000

/** All signals of a filter, newest first, a page at a time; at most 50,000. */
export async function* streamFeed(db: Db, query: WatchlistOwner & FeedFilter): AsyncGenerator<FeedSignal[]> {
  let cursor: string | undefined
  let sent = 0
  // Every page looks at another part of the feed, so the rows that are looked at end it too.
  for (let pages = 0; pages < EXPORTED_MAX && sent < EXPORTED_MAX; pages += 1) {
    const limit = Math.min(EXPORT_PAGE, EXPORTED_MAX - sent)
    const page = await listFeed(db, { ...query, limit, offset: 0, cursor })
    if (page.signals.length > 0) yield page.signals
    sent += page.signals.length
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
