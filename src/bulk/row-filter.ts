import { IS_REFUNDED, type RowState } from './bulk.ts'
import { COMPANY_NAME_NOW, COMPANY_NOW, STATE_NOW } from './decided-rows.ts'

/** Which rows of a bulk job are wanted. */
export interface RowFilter {
  states?: readonly RowState[] | undefined
  confidenceFrom?: number | undefined
  confidenceTo?: number | undefined
  /** In the row as sent, in the customer's own cells, in the name or number of the company that counts now. */
  text?: string | undefined
}

/**
 * The condition, with $2 to $5 as `listFilterValues` lists them. It sees what the row shows: a refunded match has no company
 * and no confidence.
 */
export const FILTER_SQL = `($2::text[] is null or ${STATE_NOW} = any ($2))
  and ($3::real is null or bulk_row.confidence >= $3) and ($4::real is null or bulk_row.confidence <= $4)
  and (coalesce($3::real, $4::real) is null or not ${IS_REFUNDED})
  and ($5::text is null or input ilike $5 or bulk_row.domain ilike $5 or cells.cells ilike $5
    or ((${COMPANY_NOW} ilike $5 or ${COMPANY_NAME_NOW} ilike $5) and not ${IS_REFUNDED}))`

export function listFilterValues(filter: RowFilter = {}): unknown[] {
  const { states, confidenceFrom = null, confidenceTo = null, text = '' } = filter
  const wanted = text.trim() === '' ? null : `%${text.trim().replaceAll(/[\\%_]/g, '\\$&')}%`
  return [states && states.length > 0 ? states : null, confidenceFrom, confidenceTo, wanted]
}
