/** The rows of a bulk job as a screen asks for them: a window of those that fit, in an order. */
import { type Db, onlyRow } from '../lib/db/db.ts'
import { IS_REFUNDED } from './bulk.ts'
import { COMPANY_NAME_NOW } from './decided-rows.ts'
import { type BulkResult, findRows } from './results.ts'
import { fromFitting, listFilterValues, OWN_STATE, type RowFilter, readsAnswers } from './row-filter.ts'

const ORDERS = {
  row: 'bulk_row.row',
  company: `(case when not ${IS_REFUNDED} then ${COMPANY_NAME_NOW} end)`,
  confidence: `(case when not ${IS_REFUNDED} then bulk_row.confidence end)`,
  state: OWN_STATE,
  input: 'lower(bulk_row.input)',
} as const
export const ROW_ORDERS = Object.keys(ORDERS) as Array<keyof typeof ORDERS>

export interface RowsAsk {
  bulkId: string
  filter: RowFilter
  sort: keyof typeof ORDERS
  isDescending: boolean
  offset: number
  limit: number
}

/** Returns a window of the rows that fit, and how many fit in all. */
export async function listRows(db: Db, ask: RowsAsk): Promise<{ rows: BulkResult[]; total: number }> {
  const filter = listFilterValues(ask.filter)
  const isAll = ask.sort === 'row' && filter.every((value) => value === null || value === false)
  const { rows, total } = isAll ? await findWindow(db, ask) : await findFitting(db, ask, filter)
  const found = new Map((await findRows(db, ask.bulkId, { rows, hasCells: true })).map((each) => [each.row, each]))
  return { rows: rows.flatMap((row) => found.get(row) ?? []), total }
}

interface Window {
  /** Their numbers, in the order that was asked for. */
  rows: number[]
  total: number
}

/** All rows in the order of the file, which most looks ask for: nothing is counted. */
async function findWindow(db: Db, { bulkId, isDescending, limit, offset }: RowsAsk): Promise<Window> {
  const [window] = await db.query<Window>(
    `select row_count as total, array(
       select row from bulk_row where bulk_id = $1 order by row ${isDescending ? 'desc' : 'asc'} limit $2 offset $3
     ) as rows from bulk where id = $1`,
    [bulkId, limit, offset],
  )
  return window ?? { rows: [], total: 0 }
}

const ANSWER_ORDERS: ReadonlySet<RowsAsk['sort']> = new Set(['company', 'confidence'])

/** Counts and sorts in one pass, with no more of each row than the order needs. */
async function findFitting(db: Db, ask: RowsAsk, filter: readonly unknown[]): Promise<Window> {
  const isShown = ANSWER_ORDERS.has(ask.sort) || readsAnswers(ask.filter)
  return onlyRow(
    await db.query<Window>(
      `with fitting as materialized (
         select bulk_row.row, ${ORDERS[ask.sort]} as key ${fromFitting(isShown)})
       select (select count(*) from fitting) as total, array(
         select row from fitting order by key ${ask.isDescending ? 'desc' : 'asc'} nulls last, row limit $7 offset $8
       ) as rows`,
      [ask.bulkId, ...filter, ask.limit, ask.offset],
    ),
  )
}
