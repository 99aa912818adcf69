import type { Db } from '../../lib/db/db.ts'
import { parseCursor, readEntries, type WatchEntry } from '../watch/watch-entries.ts'
import type { WatchlistOwner } from '../watch/watchlist.ts'
import { getListKey } from './lists.ts'
import { findNotes, type Note } from './notes.ts'

/** A company on a list, with what the account wrote about it. */
export interface ListEntry extends WatchEntry, Note {
  /** The ids of all lists that it is on. */
  lists: string[]
}

export interface ListQuery extends WatchlistOwner {
  /** `all` for every company that is watched. */
  list: string
  tag?: string | undefined
  /** A part of the name or of the note, or the beginning of the number. */
  q?: string | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

export const ALL_LISTS = 'all'

/** Returns a page of a list, the newest watch first. */
export async function listEntries(
  db: Db,
  query: ListQuery,
): Promise<{ entries: ListEntry[]; nextCursor: string | null }> {
  const key = query.list === ALL_LISTS ? null : await getListKey(db, query, query.list)
  const [watchlist] = await db.query<{ id: number }>('select id from watchlist where account_id = $1 and mode = $2', [
    query.accountId,
    query.mode,
  ])
  if (!watchlist) return { entries: [], nextCursor: null }
  const isDefault = query.list !== ALL_LISTS && key === null
  const [beforeAt, beforeNumber] = parseCursor(query.cursor)
  const { limit, offset, tag = null, q = null, mode } = query
  const params = [watchlist.id, beforeAt, beforeNumber, limit + 1, offset, isDefault, key, tag, q]
  const found = await readEntries(db, mode, PAGE, params)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const numbers = page.map(({ companyNumber }) => companyNumber)
  const [notes, lists] = await Promise.all([
    findNotes(db, watchlist.id, numbers),
    findListsOf(db, watchlist.id, numbers),
  ])
  return {
    entries: page.map((entry) => ({
      ...entry,
      ...(notes.get(entry.companyNumber) ?? { note: '', tags: [] }),
      lists: lists.get(entry.companyNumber) ?? [],
    })),
    nextCursor: last ? `${last.watchedAt.getTime()}-${last.companyNumber}` : null,
  }
}

const EXPORT_PAGE = 500
/** As many as the largest plan watches. */
const EXPORTED_MAX = 50_000

/** All companies of a list that pass the filter, the newest watch first, a page at a time; at most 50,000. */
export async function* streamEntries(
  db: Db,
  query: Omit<ListQuery, 'limit' | 'offset' | 'cursor'>,
): AsyncGenerator<ListEntry[]> {
  let cursor: string | undefined
  for (let sent = 0; sent < EXPORTED_MAX; sent += EXPORT_PAGE) {
    const page = await listEntries(db, { ...query, limit: EXPORT_PAGE, offset: 0, cursor })
    if (page.entries.length > 0) yield page.entries
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

/** A search reads the names of all companies of one account at most; its plan limits how many these are. */
const PAGE = `select watch.watchlist_id, watch.company_number, watch.watched_at from watch
  where watch.watchlist_id = $1 and (watch.watched_at, watch.company_number) < ($2, $3)
    and (not $6::boolean or watch.in_default)
    and ($7::integer is null or exists (
      select from company_list_member member
      where member.list_key = $7 and member.company_number = watch.company_number))
    and ($8::text is null or exists (
      select from watch_note note
      where note.watchlist_id = $1 and note.company_number = watch.company_number and $8 = any (note.tags)))
    and ($9::text is null or starts_with(watch.company_number, upper($9))
      or exists (select from company where company.number = watch.company_number and strpos(company.name, upper($9)) > 0)
      or exists (select from watch_note note where note.watchlist_id = $1 and note.company_number = watch.company_number
        and strpos(lower(note.note), lower($9)) > 0))
  order by watch.watched_at desc, watch.company_number desc limit $4 offset $5`

async function findListsOf(db: Db, watchlistId: number, numbers: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ company_number: string; lists: string[] }>(
    `select company_number, array_agg(id order by is_default desc, id) as lists from (
       select company_number, 'default' as id, true as is_default from watch
       where watchlist_id = $1 and company_number = any ($2) and in_default
       union all
       select company_number, company_list.id, false
       from company_list_member member join company_list on company_list.key = member.list_key
       where member.watchlist_id = $1 and company_number = any ($2)
     ) as on_list group by company_number`,
    [watchlistId, numbers],
  )
  return new Map(rows.map(({ company_number: number, lists }) => [number, lists]))
}
