/** Deletes pages: those whose time is over, and all of a domain. A body goes with the last page that has it. */
import type { App } from '../app.ts'
import type { Db, Tx } from '../lib/db/db.ts'

const BATCH = 500

type Deleting = Pick<App, 'config' | 'db'>

/** Deletes pages whose time is over. Returns how many; it is less than the bound when none is left. */
export async function deleteExpired(app: Deleting, at: Date): Promise<{ pages: number; isFinished: boolean }> {
  const pages = await app.db.transaction(async (tx) => {
    const ids = await tx.query<{ id: string }>(
      `select id::text from page_capture where kept_until <= $1 order by kept_until limit $2 for update skip locked`,
      [at, BATCH],
    )
    await deleteUnused(app, tx, await deleteCaptures(tx, ids))
    return ids.length
  })
  return { pages, isFinished: pages < BATCH }
}

const ROUNDS_MAX = 10_000

/** Deletes the kept pages of all answers of a domain. */
export async function deletePages(app: Deleting, domain: string): Promise<{ pages: number; bodies: number }> {
  const total = { pages: 0, bodies: 0 }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { pages, bodies } = await app.db.transaction(async (tx) => {
      const ids = await tx.query<{ id: string }>(
        'select id::text from page_capture where domain = $1 order by id limit $2 for update',
        [domain, BATCH],
      )
      return { pages: ids.length, bodies: await deleteUnused(app, tx, await deleteCaptures(tx, ids)) }
    })
    total.pages += pages
    total.bodies += bodies
    if (pages < BATCH) break
  }
  return total
}

async function deleteCaptures(tx: Tx, ids: ReadonlyArray<{ id: string }>): Promise<Array<{ sha256: Buffer }>> {
  return tx.query<{ sha256: Buffer }>('delete from page_capture where id = any ($1::bigint[]) returning sha256', [
    ids.map(({ id }) => id),
  ])
}

/**
 * Deletes bodies that no page refers to any more. An answer that adds the same body meanwhile has locked it, and it stays; or it
 * waits for this transaction, and adds the body again.
 * What is in a store outside is queued to be deleted there, and also what may be on its way to it.
 */
async function deleteUnused({ config }: Deleting, tx: Tx, gone: ReadonlyArray<{ sha256: Buffer }>): Promise<number> {
  if (gone.length === 0) return 0
  const hashes = [...new Set(gone.map(({ sha256 }) => sha256.toString('hex')))].map((hex) => Buffer.from(hex, 'hex'))
  // The lock first: the statement after it sees all pages that were added before.
  await tx.query('select from page_body where sha256 = any ($1) order by sha256 for update', [hashes])
  const bodies = await tx.query(
    `with gone as (
       delete from page_body body where sha256 = any ($1)
         and not exists (select from page_capture where sha256 = body.sha256)
       returning id, sha256, stored_in
     ), removal as (
       insert into page_removal (path, stored_in)
       select left(encode(sha256, 'hex'), 2) || '/' || encode(sha256, 'hex') || '-' || id || '.zst',
         case stored_in when 'postgres' then $2 else stored_in end
       from gone where stored_in <> 'postgres' or $2 in ('folder', 's3') on conflict do nothing
     )
     select from gone`,
    [hashes, config.pageArchive.keepsIn],
  )
  return bodies.length
}

export type OutsideStore = 'folder' | 's3'

/** Returns bodies to be deleted in these stores outside. */
export async function listRemovals(
  db: Db,
  { stores, limit }: { stores: readonly OutsideStore[]; limit: number },
): Promise<Array<{ path: string; storedIn: OutsideStore }>> {
  return db.query(
    'select path, stored_in as "storedIn" from page_removal where stored_in = any ($1) order by path limit $2',
    [stores, limit],
  )
}

/** Whether bodies are to be deleted in other stores than these. */
export async function hasRemovalsElsewhere(db: Db, stores: readonly OutsideStore[]): Promise<boolean> {
  return (await db.query('select from page_removal where stored_in <> all ($1) limit 1', [stores])).length > 0
}

export async function endRemovals(db: Db, paths: readonly string[]): Promise<void> {
  await db.query('delete from page_removal where path = any ($1)', [paths])
}
