/** Views that a person saved: the address of a list with its filter, under a name. */
import { DomainError } from '../errors.ts'
import type { Database, Db } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { lockAccount } from './account.ts'

export interface SavedView {
  id: string
  name: string
  /** Below /console. */
  path: string
  /** The query of the address, without its question mark. */
  query: string
  savedAt: Date
}

/** For one account. */
export const VIEWS_MAX = 100

const COLUMNS = `id, name, path, query, saved_at as "savedAt"`

/** Returns all views, by screen and name. */
export async function listViews(db: Db, accountId: string): Promise<SavedView[]> {
  return db.query<SavedView>(
    `select ${COLUMNS} from saved_view where account_id = $1 order by path, lower(name), id limit ${VIEWS_MAX}`,
    [accountId],
  )
}

/** Saves a view. One of the same name for the same list is replaced. */
export async function saveView(
  db: Database,
  { accountId, at, ...view }: Pick<SavedView, 'name' | 'path' | 'query'> & { accountId: string; at: Date },
): Promise<SavedView> {
  return db.transaction(async (tx) => {
    // Two saves at once cannot both be the last that fits.
    await lockAccount(tx, accountId)
    const [saved] = await tx.query<SavedView>(
      `insert into saved_view (id, account_id, name, path, query, saved_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (account_id, path, name) do update set query = excluded.query, saved_at = excluded.saved_at
       returning ${COLUMNS}`,
      [newId('viw'), accountId, view.name, view.path, view.query, at],
    )
    const rows = await tx.query('select from saved_view where account_id = $1', [accountId])
    if (!saved) throw new Error('a view was saved and is not there')
    if (rows.length > VIEWS_MAX) throw tooMany()
    return saved
  })
}

/** Returns what was removed, so that it can be saved again. */
export async function removeView(db: Db, { accountId, id }: { accountId: string; id: string }): Promise<SavedView> {
  const [removed] = await db.query<SavedView>(
    `delete from saved_view where id = $1 and account_id = $2 returning ${COLUMNS}`,
    [id, accountId],
  )
  if (!removed) throw new DomainError('not_found', 'There is no such view. GET /v1/account/views lists yours.')
  return removed
}

function tooMany(): DomainError {
  const message = `would be view number ${VIEWS_MAX + 1}; remove one first`
  return new DomainError('invalid_request', `name ${message}.`, { errors: [{ field: 'name', message }] })
}
