/** The persons with significant control of one company, as we have them. */
import type { Db, Tx } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import type { FetchedItem } from '../details/part-items.ts'
import { applyPscs } from './apply-pscs.ts'
import { isPerson, PSC_COLUMN_NAMES, type PscRow, toPscRecord, toPscRow } from './psc-row.ts'

/** More than a company of the register has ever had. */
const PSCS_MAX = 10_000

/** Lists records in the register's shape: people, organisations, statements and exemptions. */
export async function listPscRecords(db: Db, companyNumber: string): Promise<LooseRecord[]> {
  const rows = await db.query<PscRow>(
    `select ${PSC_COLUMN_NAMES.join(', ')} from psc where company_number = $1 and not is_deleted limit ${PSCS_MAX}`,
    [companyNumber],
  )
  return rows.map(toPscRecord)
}

/**
 * Stores a list that was requested at `askedAt`. Records that a stream sent after that moment stay. With `isWhole`, those
 * that the list does not have are removed; statements and exemptions are not in it.
 */
export async function storeFetchedPscs(
  tx: Tx,
  fetched: { companyNumber: string; items: readonly FetchedItem[]; isWhole: boolean; askedAt: Date },
): Promise<void> {
  const { companyNumber, items, isWhole, askedAt: at } = fetched
  const reference = `/company/${companyNumber}/persons-with-significant-control`
  const incoming = items.map(({ id, data }) => {
    return { row: toPscRow(companyNumber, id, data), isDeletion: false, rowHash: null, timepoint: 0, at, reference }
  })
  await applyPscs(tx, incoming, { source: 'rest', isBaseline: true, isStale: (known) => known.changed_at >= at })
  if (!isWhole) return
  const others = await tx.query<PscRow>(
    `select ${PSC_COLUMN_NAMES.join(', ')} from psc
     where company_number = $1 and changed_at < $2 and not is_deleted and not psc_id = any ($3)`,
    [companyNumber, at, items.map(({ id }) => id)],
  )
  const gone = others
    .filter(({ kind }) => isPerson(kind))
    .map((row) => ({ row, isDeletion: true, rowHash: null, timepoint: 0, at, reference }))
  await applyPscs(tx, gone, { source: 'rest', isBaseline: true, isStale: (known) => known.changed_at >= at })
}
