/** Gives a table that was loaded aside the indexes of the one it replaces, then its name: readers see the old or the new one. */
import type { Tx } from '../../lib/db/db.ts'

const BUILD_TIMEOUT = '2h'

export interface Swap {
  table: string
  loadTable: string
  /** The columns of the primary key. */
  key: string
  /** Runs when all indexes are there, just before the tables change names. */
  beforeSwap?: (tx: Tx) => Promise<void>
}

/** Keeps the last of rows with the same key. Returns the seconds that the indexes beyond the primary key took. */
export async function swapIn(tx: Tx, swap: Swap): Promise<number> {
  const { table, loadTable } = swap
  await tx.query(`set local statement_timeout = '${BUILD_TIMEOUT}'`)
  await tx.query(`set local maintenance_work_mem = '256MB'`)
  const indexes = await tx.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass and not i.indisprimary order by c.relname`,
    [table],
  )
  await addPrimaryKey(tx, swap)
  const startedAt = performance.now()
  for (const { name, definition } of indexes) {
    await tx.query(
      definition
        .replace(` ${name} `, ` ${name}_load `)
        .replace(new RegExp(` ON (?:ONLY )?(?:\\w+\\.)?${table} `), ` on ${loadTable} `),
    )
  }
  const indexSeconds = (performance.now() - startedAt) / 1_000
  await swap.beforeSwap?.(tx)
  await tx.query(`drop table ${table}`)
  await tx.query(`alter table ${loadTable} rename to ${table}`)
  await tx.query(`alter index ${loadTable}_pkey rename to ${table}_pkey`)
  for (const { name } of indexes) await tx.query(`alter index ${name}_load rename to ${name}`)
  return indexSeconds
}

async function addPrimaryKey(tx: Tx, { loadTable, key }: Swap): Promise<void> {
  await tx.query('savepoint before_key')
  const addKey = `alter table ${loadTable} add constraint ${loadTable}_pkey primary key (${key})`
  try {
    await tx.query(addKey)
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    await tx.query('rollback to before_key')
    await tx.query(
      `delete from ${loadTable} a using ${loadTable} b where (${aliased('a', key)}) = (${aliased('b', key)}) and a.ctid < b.ctid`,
    )
    await tx.query(addKey)
  }
}

function aliased(alias: string, key: string): string {
  return key
    .split(', ')
    .map((column) => `${alias}.${column}`)
    .join(', ')
}
