/** The record of an import: which file, how far it came, and what it changed. */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { onlyRow } from '../../lib/db/db.ts'

type RecordApp = Pick<App, 'db' | 'clock'>

/** A file of the register, or all parts of one. */
export interface SnapshotSource {
  product: 'companies' | 'pscs' | 'figures'
  name: string
  bytes: number
  asOf: string | null
}

/** Continues an import of the same file that did not finish, or begins one. */
export async function openSnapshot(app: RecordApp, file: SnapshotSource): Promise<number> {
  const source = `${file.name} ${file.bytes}`
  const [unfinished] = await app.db.query<{ id: number }>(
    `update register_snapshot set state = 'running'
     where id = (select id from register_snapshot where source = $1 and product = $2 and state <> 'finished' order by id desc limit 1)
     returning id`,
    [source, file.product],
  )
  if (unfinished) return unfinished.id
  const rows = await app.db.query<{ id: number }>(
    `insert into register_snapshot (source, as_of, product, state, started_at) values ($1, $2, $3, 'running', $4) returning id`,
    [source, file.asOf, file.product, app.clock.now()],
  )
  return onlyRow(rows).id
}

export const NOTHING_READ = { rowsRead: 0, rowsBad: 0, added: 0, changed: 0, removed: 0 }

export async function closeSnapshot(
  app: RecordApp,
  id: number,
  state: 'finished' | 'failed',
  { rowsRead, rowsBad, added, changed, removed }: typeof NOTHING_READ,
): Promise<void> {
  await app.db.query(
    `update register_snapshot set state = $2, finished_at = $3, rows_read = $4, rows_bad = $5, added = $6, changed = $7, removed = $8
     where id = $1`,
    [id, state, app.clock.now(), rowsRead, rowsBad, added, changed, removed],
  )
}

/** Runs an import alone: a second one at the same time would drop the table that the first one fills. */
export async function importAlone<Result>(
  { db }: Pick<App, 'db'>,
  product: SnapshotSource['product'],
  run: () => Promise<Result>,
): Promise<Result> {
  const client = await db.pool.connect()
  const lock = [`register import ${product}`]
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as locked',
      lock,
    )
    if (!rows[0]?.locked) {
      throw new DomainError('invalid_request', 'Another import of this kind is running. Start again when it has ended.')
    }
    return await run()
  } finally {
    // At once, so that the next import can start. The end of the session frees the lock too, but later.
    await client.query('select pg_advisory_unlock(hashtext($1))', lock).catch(() => undefined)
    client.release(true)
  }
}

/** Makes room for a load from its beginning: rows and pieces of an abandoned load are dropped together. */
export async function beginLoad(
  { db }: Pick<App, 'db'>,
  load: { product: SnapshotSource['product']; table: string; loadTable: string; isResumed: boolean },
): Promise<void> {
  const { product, table, loadTable, isResumed } = load
  await db.transaction(async (tx) => {
    if (!isResumed) {
      await tx.query(`drop table if exists ${loadTable}`)
      await tx.query(
        'delete from register_load_piece where snapshot_id in (select id from register_snapshot where product = $1)',
        [product],
      )
    }
    await tx.query(`create table if not exists ${loadTable} (like ${table} including defaults including constraints)`)
  })
}

/** Records how many records a file states to hold. */
export async function recordStated({ db }: Pick<App, 'db'>, id: number, rows: number): Promise<void> {
  await db.query('update register_snapshot set rows_stated = $2 where id = $1', [id, rows])
}

/** Returns how many records a file states to hold; null until its last line was read. */
export async function readStated({ db }: Pick<App, 'db'>, id: number): Promise<number | null> {
  const [row] = await db.query<{ stated: number | null }>(
    'select rows_stated as stated from register_snapshot where id = $1',
    [id],
  )
  return row?.stated ?? null
}
