/** Moves bodies from the database to the store outside, and deletes there what is not needed any more. */
import type { App } from '../app.ts'
import type { BlobStore } from '../lib/blobs/blob-store.ts'
import { BODY_COLUMNS, nameOf, type StoredBody } from './captures.ts'
import { endRemovals, hasRemovalsElsewhere, listRemovals } from './delete.ts'

const BATCH = 64
const AT_ONCE = 8

/**
 * Moves bodies until none is left or the signal ends it. The bytes leave the database once the store has them, so a store that
 * refuses, or a process that dies, loses nothing; and to move a body twice changes nothing. Throws what the store throws.
 */
export async function moveBodies(app: App, signal: AbortSignal): Promise<number> {
  const { keepsIn } = app.config.pageArchive
  const store = keepsIn === 'folder' || keepsIn === 's3' ? app.pageStores[keepsIn] : null
  if (!store || (keepsIn !== 'folder' && keepsIn !== 's3')) return 0
  let moved = 0
  while (!signal.aborted) {
    const bodies = await app.db.query<StoredBody>(
      `select ${BODY_COLUMNS} from page_body where stored_in = 'postgres' order by page_body.id limit $1`,
      [BATCH],
    )
    for (let index = 0; index < bodies.length; index += AT_ONCE) {
      const some = bodies.slice(index, index + AT_ONCE)
      const results = await Promise.allSettled(some.map((body) => putOne(store, body)))
      const put = some.filter((_, position) => results[position]?.status === 'fulfilled')
      await clear(app, put, keepsIn)
      moved += put.length
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    }
    if (bodies.length < BATCH) break
  }
  return moved
}

async function putOne(store: BlobStore, body: StoredBody): Promise<void> {
  if (body.content !== null) await store.put(nameOf(body), body.content)
}

async function clear({ db }: App, bodies: readonly StoredBody[], storedIn: 'folder' | 's3'): Promise<void> {
  if (bodies.length === 0) return
  const ids = bodies.map(({ id }) => id)
  const cleared = await db.query<{ id: string }>(
    `update page_body set content = null, stored_in = $2 where id = any ($1::bigint[]) and stored_in = 'postgres'
     returning id::text`,
    [ids, storedIn],
  )
  const isCleared = new Set(cleared.map(({ id }) => id))
  // Deleted meanwhile: the store has bytes that no page refers to.
  const unused = bodies.filter(({ id }) => !isCleared.has(id))
  if (unused.length === 0) return
  await db.query(
    `insert into page_removal (path, stored_in)
     select path, $3 from unnest($1::text[], $2::bigint[]) unused (path, id)
     where not exists (select from page_body where page_body.id = unused.id) on conflict do nothing`,
    [unused.map(nameOf), unused.map(({ id }) => id), storedIn],
  )
}

/**
 * Deletes in the stores outside what no page refers to. What is in a store without settings waits, with a line in the log: those
 * pages should be deleted and are still there.
 */
export async function removeUnused(app: App, signal: AbortSignal): Promise<number> {
  const stores = (['folder', 's3'] as const).filter((name) => app.pageStores[name] !== null)
  let removed = 0
  while (!signal.aborted) {
    const removals = await listRemovals(app.db, { stores, limit: BATCH })
    await Promise.all(removals.map(async ({ path, storedIn }) => app.pageStores[storedIn]?.remove(path)))
    await endRemovals(
      app.db,
      removals.map(({ path }) => path),
    )
    removed += removals.length
    if (removals.length < BATCH) break
  }
  if (await hasRemovalsElsewhere(app.db, stores)) app.log.warn({ event: 'page_archive.removals_without_store', stores })
  return removed
}
