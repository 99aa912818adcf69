import type { Db, Tx } from '../../src/lib/db/db.ts'

/** Counts how often the work reads a whole table. The counts of a connection may hold what it did before, so both ends are read. */
export async function countScans(
  db: { transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> },
  table: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    const before = await readScans(tx, table)
    await work(tx)
    return (await readScans(tx, table)) - before
  })
}

async function readScans(db: Db, table: string): Promise<number> {
  const [row] = await db.query<{ scans: number }>(
    'select seq_scan as scans from pg_stat_xact_user_tables where relname = $1',
    [table],
  )
  return row?.scans ?? 0
}
