import { type Secrets, UnreadableSecret } from '../secrets.ts'
import type { Db } from './db.ts'

/** One stored value that is sealed, with the key of its row and the context it was sealed for. */
interface SealedRow {
  key: readonly string[]
  /** Null where the row has none. */
  sealed: string | null
  context: string
}

/** One column with sealed values. The module that owns the table exports it; `nameplated secrets reseal` walks it. */
export interface SealedColumn {
  /** As `table.column`. */
  name: string
  /** A row key that is lower than every other. */
  start: readonly string[]
  /** The next rows after a key, in the order of their keys; at most `limit`. */
  listAfter(db: Db, key: readonly string[], limit: number): Promise<SealedRow[]>
  /** Replaces the value if it is still the one that was read. Returns false when another process changed it meanwhile. */
  replace(db: Db, row: SealedRow, resealed: string): Promise<boolean>
}

/**
 * Describes a column by its table, the columns of its rows' key and the lowest key. Its values are sealed for the table and
 * the columns `sealedFor` of their row, joined by colons.
 */
export function describeSealedColumn(of: {
  table: string
  column: string
  key: readonly string[]
  start: readonly string[]
  sealedFor: readonly string[]
}): SealedColumn {
  const { table, column, key, start, sealedFor } = of
  const columns = key.join(', ')
  const read = [...new Set([...key, ...sealedFor])].join(', ')
  const values = key.map((_, index) => `$${index + 1}`).join(', ')
  return {
    name: `${table}.${column}`,
    start,
    async listAfter(db, after, limit) {
      const rows = await db.query<Record<string, unknown> & { sealed_value: string | null }>(
        `select ${read}, ${column} as sealed_value from ${table} where (${columns}) > (${values})
         order by ${columns} limit $${key.length + 1}`,
        [...after, limit],
      )
      const valuesOf = (row: Record<string, unknown>, names: readonly string[]) =>
        names.map((name) => String(row[name]))
      return rows.map((row) => ({
        key: valuesOf(row, key),
        sealed: row.sealed_value,
        context: [table, ...valuesOf(row, sealedFor)].join(':'),
      }))
    },
    async replace(db, row, resealed) {
      const replaced = await db.query(
        `update ${table} set ${column} = $${key.length + 2}
         where (${columns}) = (${values}) and ${column} = $${key.length + 1} returning ${columns}`,
        [...row.key, row.sealed, resealed],
      )
      return replaced.length > 0
    },
  }
}

export interface ResealCount {
  column: string
  rows: number
  resealed: number
  /** No configured key opens them. */
  unreadable: number
}

const BATCH_ROWS = 500

/**
 * Seals every value of the column with the newest key. It may run twice and beside the service: a value that changes
 * meanwhile is left alone, as the service seals with its own newest key.
 */
export async function resealColumn(
  { db, secrets }: { db: Db; secrets: Secrets },
  column: SealedColumn,
  onProgress: (count: ResealCount) => void,
): Promise<ResealCount> {
  const count: ResealCount = { column: column.name, rows: 0, resealed: 0, unreadable: 0 }
  let key = column.start
  for (;;) {
    const rows = await column.listAfter(db, key, BATCH_ROWS)
    const last = rows.at(-1)
    if (!last) return count
    key = last.key
    for (const row of rows) {
      if (row.sealed === null) continue
      count.rows += 1
      if (secrets.isNewest(row.sealed)) continue
      const plaintext = unsealOrNull(secrets, row.sealed, row.context)
      if (plaintext === null) count.unreadable += 1
      else if (await column.replace(db, row, secrets.seal(plaintext, row.context))) count.resealed += 1
    }
    onProgress(count)
  }
}

/** Null when no configured key opens it. */
export function unsealOrNull(secrets: Secrets, sealed: string, context: string): string | null {
  try {
    return secrets.unseal(sealed, context)
  } catch (error) {
    if (error instanceof UnreadableSecret) return null
    throw error
  }
}
