/** The named lists of an account. The default list is always there, under the id `default`; it cannot be deleted. */
import { type Act, type Origin, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import { deleteDestinationsOfList } from '../../webhooks/index.ts'
import { changeWatchlist, type LockedWatchlist, lockWatchlist, type WatchlistOwner } from '../watch/watchlist.ts'
import { changeEmails, type ListEmails, NO_EMAILS } from './list-emails.ts'
import { type ListKey, removeFromList } from './membership.ts'

export interface CompanyList extends ListEmails {
  /** `wl_…`, or `default`. */
  id: string
  name: string
  isDefault: boolean
  companies: number
  /** Null for a default list of which nothing is stored. */
  createdAt: Date | null
}

export const DEFAULT_LIST = 'default'
const DEFAULT_NAME = 'Watchlist'
export const LISTS_MAX = 50

interface ListChange extends WatchlistOwner {
  origin: Origin
}

/** Returns the default list, then the others by name. */
export async function listLists(db: Db, { accountId, mode }: WatchlistOwner): Promise<CompanyList[]> {
  const rows = await db.query<CompanyList>(
    `select case when list.is_default then '${DEFAULT_LIST}' else list.id end as id, list.name,
       list.is_default as "isDefault", list.created_at as "createdAt",
       case when list.is_default
         then (select count(*) from watch where watch.watchlist_id = list.watchlist_id and in_default)
         else (select count(*) from company_list_member where list_key = list.key) end::integer as companies,
       coalesce(email.digest, 'off') as digest, coalesce(email.instant_severity, 'off') as "instantEmail"
     from company_list list join watchlist on watchlist.id = list.watchlist_id
     left join list_email email on email.list_key = list.key
     where watchlist.account_id = $1 and watchlist.mode = $2
     order by list.is_default desc, lower(list.name), list.key`,
    [accountId, mode],
  )
  if (rows[0]?.isDefault) return rows
  const [{ companies } = { companies: 0 }] = await db.query<{ companies: number }>(
    `select count(*)::integer as companies from watch join watchlist on watchlist.id = watchlist_id
     where account_id = $1 and mode = $2 and in_default`,
    [accountId, mode],
  )
  const list = { id: DEFAULT_LIST, name: DEFAULT_NAME, isDefault: true, createdAt: null, companies, ...NO_EMAILS }
  return [list, ...rows]
}

/** Throws `not_found` for the list of another account or mode. */
export async function getList(db: Db, owner: WatchlistOwner & { id: string }): Promise<CompanyList> {
  const list = (await listLists(db, owner)).find(({ id }) => id === owner.id)
  if (!list) throw listNotFound()
  return list
}

export function listNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such list. GET /v1/watchlists lists yours.')
}

/** Returns the key of a list by its id; null is the default list. */
export async function getListKey(db: Db, owner: WatchlistOwner, id: string): Promise<ListKey> {
  if (id === DEFAULT_LIST) return null
  const [row] = await db.query<{ key: number }>(
    `select key from company_list join watchlist on watchlist.id = watchlist_id
     where account_id = $1 and mode = $2 and company_list.id = $3 and not is_default`,
    [owner.accountId, owner.mode, id],
  )
  if (!row) throw listNotFound()
  return row.key
}

/**
 * Returns the key of the row of a list, which is made for a default list that has none. The list cannot be deleted before `tx`
 * ends. Throws `not_found` for a list that is gone, or of another account or mode.
 */
export async function lockListRow(app: App, tx: Tx, owner: WatchlistOwner, id: string): Promise<number> {
  const watchlist = await lockWatchlist(tx, owner)
  return (await getListKey(tx, owner, id)) ?? makeDefaultRow(app, tx, watchlist)
}

/** Returns the ids of lists by the keys of their rows. */
export async function findListIds(db: Db, keys: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ key: number; id: string }>(
    `select key, case when is_default then '${DEFAULT_LIST}' else id end as id from company_list where key = any ($1)`,
    [keys],
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Throws `plan_limit_reached`, or `invalid_request` for a name that another list has. */
export async function makeList(app: App, ask: ListChange & { name: string }): Promise<CompanyList> {
  const { name } = ask
  const id = newId('wl')
  await changeWatchlist(app, ask, async (tx, watchlist) => {
    await assertFreeName(tx, watchlist, { id, name })
    const [{ lists } = { lists: 0 }] = await tx.query<{ lists: number }>(
      'select count(*)::integer as lists from company_list where watchlist_id = $1 and not is_default',
      [watchlist.id],
    )
    if (lists >= LISTS_MAX) {
      const message = `An account has at most ${LISTS_MAX} lists beside the default one. Delete one that you no longer need.`
      throw new DomainError('plan_limit_reached', message, { limit: LISTS_MAX })
    }
    const statement = 'insert into company_list (id, watchlist_id, name, created_at) values ($1, $2, $3, $4)'
    await tx.query(statement, [id, watchlist.id, name, app.clock.now()])
    await recordList(app, tx, ask, 'watchlist_made', { list_id: id })
  })
  return getList(app.db, { ...ask, id })
}

/** Changes what is given. Throws `invalid_request` for a name that another list has. */
export async function changeList(
  app: App,
  ask: ListChange & { id: string; name?: string | undefined; emails?: Partial<ListEmails> },
): Promise<CompanyList> {
  const { id, name, emails } = ask
  await changeWatchlist(app, ask, async (tx, watchlist) => {
    const key = (await getListKey(tx, ask, id)) ?? (await makeDefaultRow(app, tx, watchlist))
    if (name !== undefined) {
      await assertFreeName(tx, watchlist, { id, name })
      await tx.query('update company_list set name = $2 where key = $1', [key, name])
      await recordList(app, tx, ask, 'watchlist_changed', { list_id: id })
    }
    if (emails) await changeEmails(app, tx, { ...ask, key, emails })
  })
  return getList(app.db, ask)
}

/** Returns the key of the row of the default list, which is made when something is to be stored about it. */
export async function makeDefaultRow(app: App, tx: Tx, watchlist: LockedWatchlist): Promise<number> {
  await tx.query(
    `insert into company_list (id, watchlist_id, name, is_default, created_at) values ($1, $2, $3, true, $4)
     on conflict (watchlist_id) where is_default do nothing`,
    [newId('wl'), watchlist.id, await freeDefaultName(tx, watchlist), app.clock.now()],
  )
  const statement = 'select key from company_list where watchlist_id = $1 and is_default'
  const [row] = await tx.query<{ key: number }>(statement, [watchlist.id])
  if (!row) throw new Error(`watchlist ${watchlist.id} has no default list after it was made`)
  return row.key
}

/** Another list may have the name that the default list shows. */
async function freeDefaultName(tx: Tx, watchlist: LockedWatchlist): Promise<string> {
  const taken = await tx.query('select 1 from company_list where watchlist_id = $1 and lower(name) = lower($2)', [
    watchlist.id,
    DEFAULT_NAME,
  ])
  return taken.length > 0 ? `${DEFAULT_NAME} (default)` : DEFAULT_NAME
}

async function assertFreeName(tx: Tx, watchlist: LockedWatchlist, { id, name }: { id: string; name: string }) {
  const taken = await tx.query(
    `select 1 from company_list
     where watchlist_id = $1 and lower(name) = lower($2) and (case when is_default then '${DEFAULT_LIST}' else id end) <> $3`,
    [watchlist.id, name, id],
  )
  if (taken.length === 0) return
  const message = 'another list has this name'
  throw new DomainError('invalid_request', `The request is not valid. name: ${message}`, {
    errors: [{ field: 'name', message }],
  })
}

/**
 * Deletes a list, with the destinations that get its signals alone. Companies that are on no other list are no longer watched;
 * returns how many these are.
 */
export async function deleteList(app: App, ask: ListChange & { id: string }): Promise<number> {
  return changeWatchlist(app, ask, async (tx, watchlist) => {
    const key = await getListKey(tx, ask, ask.id)
    if (key === null) throw new DomainError('invalid_request', 'The default list cannot be deleted. Empty it instead.')
    const statement = 'select company_number from company_list_member where list_key = $1'
    const members = await tx.query<{ company_number: string }>(statement, [key])
    const numbers = members.map((row) => row.company_number)
    const unwatched = await removeFromList(tx, watchlist, key, numbers)
    await deleteDestinationsOfList(tx, { ...ask, listKey: key, at: app.clock.now() })
    await tx.query('delete from company_list where key = $1', [key])
    await recordList(app, tx, ask, 'watchlist_deleted', { list_id: ask.id, companies: numbers.length, unwatched })
    return unwatched
  })
}

/** Names of lists are texts that a person wrote, so the audit log has ids alone. */
async function recordList(app: App, tx: Tx, change: ListChange, action: Act, details: Record<string, string | number>) {
  const { accountId, mode, origin } = change
  await recordAudit(tx, { at: app.clock.now(), accountId, mode, action, origin, details })
}
