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
  and ($5::text[] is null or input ilike ($5)[1] or bulk_row.domain ilike ($5)[1]
    or (cells.cells ilike ($5)[2] and cells.cells ~* ($5)[3])
    or ((${COMPANY_NOW} ilike ($5)[1] or ${COMPANY_NAME_NOW} ilike ($5)[1]) and not ${IS_REFUNDED}))`

export function listFilterValues(filter: RowFilter = {}): unknown[] {
  const { states, confidenceFrom = null, confidenceTo = null, text = '' } = filter
  const wanted = text.trim() === '' ? null : toPatterns(text.trim())
  return [states && states.length > 0 ? states : null, confidenceFrom, confidenceTo, wanted]
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`

/**
 * The text as `ilike` finds it; as it is written in JSON, as cells are; and a regular expression for its position there: in a text
 * or a number, and not in the name of a member, in a format or in what stores an empty cell. The expression takes several times as
 * long as `ilike`, which leaves it few rows.
 */
function toPatterns(text: string): [plain: string, source: string, value: string] {
  const source = JSON.stringify(text).slice(1, -1)
  const escaped = source.replaceAll(/[!-/:-@[-^`{-~]/g, '\\$&')
  const inText = String.raw`(?:[[,]|"(?:text|href|date|error)":)"(?:[^"\\]|\\.)*${escaped}(?:[^"\\]|\\.)*"[],}]`
  const inNumber = String.raw`(?:[[,]|"number":)[-0-9.e+]*${escaped}`
  const found = /^[-\d.e+]+$/i.test(text) ? `(?:${inText}|${inNumber})` : inText
  return [toLike(text), toLike(source), `^(?:[^"]|${STRING})*${found}`]
}

function toLike(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
