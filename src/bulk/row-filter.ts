import { IS_REFUNDED, type RowState } from './bulk.ts'
import { COMPANY_NAME_NOW, COMPANY_NOW, JOIN_DECISION, STATE_NOW } from './decided-rows.ts'
import { toPatterns } from './text-patterns.ts'

/** Which rows of a bulk job are wanted. */
export interface RowFilter {
  states?: readonly RowState[] | undefined
  /** With the duplicates of rows in these states. */
  withDuplicates?: boolean | undefined
  confidenceFrom?: number | undefined
  confidenceTo?: number | undefined
  /** In the row as sent, in the customer's own cells, in the name or number of the company that counts now. */
  text?: string | undefined
}

/** SQL for the state by which a row is counted: a duplicate stays one, whatever became of the row that it repeats. */
export const OWN_STATE = `case when bulk_row.duplicate_of is not null then 'duplicate' else ${STATE_NOW} end`

/** A duplicate has no answer of its own. */
const AS_STORED = 'bulk_row join bulk on bulk.id = bulk_row.bulk_id'

/** A duplicate has the answer of the row that it repeats. */
const AS_SHOWN = `bulk_row sent join bulk on bulk.id = sent.bulk_id
  left join bulk_row repeated on repeated.bulk_id = sent.bulk_id and repeated.row = sent.duplicate_of
  cross join lateral (select sent.bulk_id, sent.row, sent.input, sent.domain, sent.duplicate_of,
    coalesce(repeated.state, sent.state) as state, coalesce(repeated.decision, sent.decision) as decision,
    coalesce(repeated.company_number, sent.company_number) as company_number,
    coalesce(repeated.company_name, sent.company_name) as company_name,
    coalesce(repeated.confidence, sent.confidence) as confidence) bulk_row`

/**
 * SQL for the rows that fit, as `bulk_row`: `from` to the end of the condition, with the bulk job as $1 and $2 to $6 as
 * `listFilterValues` lists them. It sees what the row shows: a refunded match has no company and no confidence. With
 * `isShown`, a duplicate has the answer of the row that it repeats, which takes a second look at each duplicate.
 */
export const fromFitting = (isShown: boolean) => `from ${isShown ? AS_SHOWN : AS_STORED} ${JOIN_DECISION}
  left join bulk_cells cells on cells.bulk_id = bulk_row.bulk_id and cells.row = bulk_row.row
  where bulk_row.bulk_id = $1
  and ($2::text[] is null or ${OWN_STATE} = any ($2) or ($6 and ${STATE_NOW} = any ($2)))
  and ($3::real is null or bulk_row.confidence >= $3) and ($4::real is null or bulk_row.confidence <= $4)
  and (coalesce($3::real, $4::real) is null or not ${IS_REFUNDED})
  and ($5::text[] is null or bulk_row.input ilike ($5)[1] or bulk_row.domain ilike ($5)[1]
    or (cells.cells ilike ($5)[2] and cells.cells ~* ($5)[3]) or (cells.cells ilike ($5)[4] and cells.cells ~* ($5)[5])
    or ((${COMPANY_NOW} ilike ($5)[1] or ${COMPANY_NAME_NOW} ilike ($5)[1]) and not ${IS_REFUNDED}))`

/** Whether it depends on the answer of the first row which duplicates fit. */
export function readsAnswers({ states = [], withDuplicates = false, ...filter }: RowFilter): boolean {
  const { confidenceFrom, confidenceTo, text = '' } = filter
  const isBounded = confidenceFrom !== undefined || confidenceTo !== undefined
  return isBounded || text.trim() !== '' || (withDuplicates && states.length > 0)
}

export function listFilterValues(filter: RowFilter = {}): unknown[] {
  const { states, withDuplicates = false, confidenceFrom = null, confidenceTo = null, text = '' } = filter
  const wanted = text.trim() === '' ? null : toPatterns(text.trim())
  return [states && states.length > 0 ? states : null, confidenceFrom, confidenceTo, wanted, withDuplicates]
}
