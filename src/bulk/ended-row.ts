import type { Db } from '../lib/db/db.ts'
import type { Charge, KnownResolution } from '../resolution/index.ts'
import type { RowState } from './bulk.ts'

/** A row that has ended, with its answer or without one. */
export interface EndedRow {
  row: number
  state: RowState
  resolutionId: string | null
  companyNumber: string | null
  confidence: number | null
  reason: string | null
  charge: Charge
  endedAt: Date
}

export function toEnded(row: number, answer: { known: KnownResolution; charge: Charge }, endedAt: Date): EndedRow {
  const { id, outcome, companyNumber, confidence, reason } = answer.known
  return { row, state: outcome, resolutionId: id, companyNumber, confidence, reason, charge: answer.charge, endedAt }
}

/** Stores rows that are still in the given state. Returns how many were. */
export async function storeEnded(
  db: Db,
  bulkId: string,
  from: 'waiting' | 'running',
  rows: readonly EndedRow[],
): Promise<number> {
  const stored = await db.query(
    `update bulk_row set state = ended.state, resolution_id = ended.resolution_id,
       company_number = ended.company_number, confidence = ended.confidence, reason = ended.reason,
       charged = ended.charged, charge_reason = ended.charge_reason, ended_at = ended.ended_at
     from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::real[], $8::text[], $9::bool[], $10::text[],
       $11::timestamptz[]) ended (row, state, resolution_id, company_number, confidence, reason, charged,
       charge_reason, ended_at)
     where bulk_id = $1 and bulk_row.row = ended.row and bulk_row.state = $2 returning bulk_row.state`,
    [
      bulkId,
      from,
      rows.map(({ row }) => row),
      rows.map(({ state }) => state),
      rows.map(({ resolutionId }) => resolutionId),
      rows.map(({ companyNumber }) => companyNumber),
      rows.map(({ confidence }) => confidence),
      rows.map(({ reason }) => reason),
      rows.map(({ charge }) => charge.charged),
      rows.map(({ charge }) => charge.reason),
      rows.map(({ endedAt }) => endedAt),
    ],
  )
  return stored.length
}
