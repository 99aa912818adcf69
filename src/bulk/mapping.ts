/** The columns that a customer chose for files with the same header. */
import type { Db, Tx } from '../lib/db/db.ts'
import { type Cell, isBlank } from '../lib/sheets/cell.ts'
import type { Holds } from './column-kinds.ts'
import { HEADER_ROWS_MAX, keyOfHeader } from './columns.ts'

/** The column of each kind, counted from 1. */
export type Mapping = { [Kind in Holds]?: number | undefined }

const MAPPINGS_MAX = 200

export async function findMapping(
  db: Db,
  { accountId, key }: { accountId: string; key: string | null },
): Promise<Mapping | null> {
  if (key === null) return null
  const [row] = await db.query<{ columns: Mapping }>(
    'select columns from bulk_mapping where account_id = $1 and header_key = $2',
    [accountId, key],
  )
  return row?.columns ?? null
}

/**
 * Finds the header of an earlier file among the first rows of a table, with the columns chosen then: how many rows are above the
 * data may be what the person corrected. Of several the last one that was used counts.
 */
export async function findSavedHeader(
  db: Db,
  { accountId, rows }: { accountId: string; rows: readonly (readonly Cell[])[] },
): Promise<{ headerRows: number; mapping: Mapping } | null> {
  const first = rows.slice(0, HEADER_ROWS_MAX)
  const keys = first.map((row) => (row.every(isBlank) ? null : keyOfHeader([row])))
  const [saved] = await db.query<{ key: string; mapping: Mapping }>(
    `select header_key as key, columns as mapping from bulk_mapping where account_id = $1 and header_key = any ($2)
     order by used_at desc, header_key limit 1`,
    [accountId, keys.filter((key) => key !== null)],
  )
  return saved ? { headerRows: keys.indexOf(saved.key) + 1, mapping: saved.mapping } : null
}

/** Stores the mapping for the next file with this header. The oldest ones make room. */
export async function saveMapping(
  tx: Tx,
  { accountId, key, mapping, at }: { accountId: string; key: string; mapping: Mapping; at: Date },
): Promise<void> {
  await tx.query(
    `insert into bulk_mapping (account_id, header_key, columns, used_at) values ($1, $2, $3, $4)
     on conflict (account_id, header_key) do update set columns = excluded.columns, used_at = excluded.used_at`,
    [accountId, key, JSON.stringify(mapping), at],
  )
  await tx.query(
    `delete from bulk_mapping where account_id = $1 and header_key in (
       select header_key from bulk_mapping where account_id = $1 order by used_at desc, header_key offset ${MAPPINGS_MAX})`,
    [accountId],
  )
}
