/** The record of an import: which file, how far it came, and what it changed. */
import type { App } from '../../app.ts'
import { onlyRow } from '../../lib/db/db.ts'

type RecordApp = Pick<App, 'db' | 'clock'>

/** A file of the register, or all parts of one. */
export interface SnapshotSource {
  product: 'companies' | 'pscs'
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
