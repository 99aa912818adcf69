/**
 * A company is watched as long as it is on at least one list. The default list has no rows of its own: `watch.in_default`
 * is its membership. Every function here runs with the watchlist's row locked.
 */
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { SEVERITIES } from '../signals.ts'
import { addWatches, type LockedWatchlist, listWatched, removeWatches } from '../watch/watchlist.ts'

/** A list as statements use it: the key of a named list, or null for the default list. */
export type ListKey = number | null

/** Whether the company of `watch` is on the list of a row `email` of `list_email`, for statements. */
export const IS_ON_LIST = `case when email.is_default then watch.in_default else exists (
  select from company_list_member member
  where member.list_key = email.list_key and member.company_number = watch.company_number) end`

/** Whether a list sends signals of this severity at once, for statements with its row `email` of `list_email`. */
export const isSentAtOnce = (severity: string) =>
  `array_position(${GRAVITY}, email.instant_severity) <= array_position(${GRAVITY}, ${severity})`
const GRAVITY = `array['${SEVERITIES.join("', '")}']`

/** Returns the numbers that are on this list. */
export async function listOnList(
  tx: Tx,
  watchlist: LockedWatchlist,
  list: ListKey,
  numbers: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ company_number: string }>(
    list === null
      ? 'select company_number from watch where watchlist_id = $1 and company_number = any ($2) and in_default'
      : 'select company_number from company_list_member where list_key = $1 and company_number = any ($2)',
    [list ?? watchlist.id, numbers],
  )
  return new Set(rows.map((row) => row.company_number))
}

/** Adds companies to a list, and watches those that were on no list. Returns how many these are. */
export async function addToList(
  app: App,
  tx: Tx,
  watchlist: LockedWatchlist,
  { list, numbers, priority }: { list: ListKey; numbers: readonly string[]; priority: number },
): Promise<number> {
  if (numbers.length === 0) return 0
  const watched = await listWatched(tx, watchlist, numbers)
  const fresh = numbers.filter((number) => !watched.has(number))
  await addWatches(app, tx, watchlist, { numbers: fresh, priority, inDefault: list === null })
  await tx.query(
    list === null
      ? 'update watch set in_default = true where watchlist_id = $1 and company_number = any ($2) and not in_default'
      : `insert into company_list_member (list_key, company_number, watchlist_id)
         select $3, number, $1 from unnest($2::text[]) as number on conflict do nothing`,
    list === null ? [watchlist.id, [...watched]] : [watchlist.id, numbers, list],
  )
  return fresh.length
}

/** Removes companies from a list, and unwatches those that are on no other. Returns how many these are. */
export async function removeFromList(
  tx: Tx,
  watchlist: LockedWatchlist,
  list: ListKey,
  numbers: readonly string[],
): Promise<number> {
  if (numbers.length === 0) return 0
  if (list !== null) {
    const statement = 'delete from company_list_member where list_key = $1 and company_number = any ($2)'
    await tx.query(statement, [list, numbers])
  }
  const left = await listOnlyHere(tx, watchlist, list, numbers)
  await removeWatches(tx, watchlist, left)
  if (list === null) {
    const statement = 'update watch set in_default = false where watchlist_id = $1 and company_number = any ($2)'
    await tx.query(statement, [watchlist.id, numbers])
  }
  return left.length
}

/** Returns those that are watched and on no list but this one. */
export async function listOnlyHere(
  tx: Tx,
  watchlist: LockedWatchlist,
  list: ListKey,
  numbers: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ company_number: string }>(
    `select company_number from watch
     where watchlist_id = $1 and company_number = any ($2) and ($3::integer is null or not in_default)
       and not exists (
         select from company_list_member member
         where member.watchlist_id = watch.watchlist_id and member.company_number = watch.company_number
           and member.list_key is distinct from $3)`,
    [watchlist.id, numbers, list],
  )
  return rows.map((row) => row.company_number)
}
