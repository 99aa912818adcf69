import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'
import type { Cell } from '../lib/sheets/cell.ts'
import { type Company, describeStatus, findCompanies, type NameCandidate } from '../register/index.ts'
import { scrubAddress, toTypedCompany } from '../resolver/index.ts'
import { IS_REFUNDED, type RowState } from './bulk.ts'
import { COMPANY_NOW, DECISION_NOW, JOIN_DECISION, STATE_NOW } from './decided-rows.ts'
import { fromFitting, listFilterValues, type RowFilter, readsAnswers } from './row-filter.ts'

/** One row as it was sent, with what became of it. */
export interface BulkResult {
  row: number
  /** `register`: matched with the register by name or number; no site was read. */
  kind: 'domain' | 'register'
  input: string
  domain: string | null
  /** A row that needed review and was decided is matched, or none of its candidates is. */
  state: RowState
  duplicateOf: number | null
  /** The state of the row that a duplicate repeats, where that is filled in. */
  repeatedState: RowState | null
  /** When matched, with the register's record of the day it is read. */
  company: ResultCompany | null
  confidence: number | null
  reason: string | null
  resolutionId: string | null
  charged: boolean
  chargeReason: string | null
  /** Only of a row of the register; those of a domain are in its answer. */
  candidates: NameCandidate[]
  decision: RowDecision | null
  /** The customer's own cells, where they were asked for. */
  cells: Cell[] | null
}

export interface ResultCompany {
  number: string
  name: string | null
  status: string | null
  statusDetail: string | null
  /** Both in words. */
  statusText: string | null
  postcode: string | null
  /** Null for one that has left the register since. */
  record: Company | null
}

/** A person's decision on a row that needed review. */
export interface RowDecision {
  action: 'accept' | 'reject' | 'reassign' | 'dispute'
  companyNumber: string | null
  by: string
  reason: string | null
  at: string
}

interface ResultRow extends Omit<BulkResult, 'company' | 'cells' | 'candidates' | 'repeatedState'> {
  companyNumber: string | null
  isRefunded: boolean
  candidates: NameCandidate[] | null
  cells: string | null
}

const PAGE_ROWS = 500

const selectRows = (
  hasCells = false,
) => `select bulk_row.row, kind, input, bulk_row.domain, ${STATE_NOW} as state, duplicate_of as "duplicateOf",
    ${COMPANY_NOW} as "companyNumber", bulk_row.confidence, bulk_row.reason, bulk_row.resolution_id as "resolutionId", charged,
    charge_reason as "chargeReason", candidates, ${DECISION_NOW} as decision, ${hasCells ? 'cells.cells' : 'null::text as cells'},
    ${IS_REFUNDED} as "isRefunded"
  from bulk_row join bulk on bulk.id = bulk_id ${JOIN_DECISION}
  left join bulk_cells cells on cells.bulk_id = bulk_row.bulk_id and cells.row = bulk_row.row`

export interface ResultsAsk {
  bulkId: string
  afterRow?: number | undefined
  filter?: RowFilter | undefined
  /** Reads the customer's own cells too; they are the most of a row. */
  hasCells?: boolean | undefined
  /** Duplicates are filled in afterwards, and fit by what they show then. */
  isFilled?: boolean | undefined
}

/**
 * Every row that fits, after the given one and in the order in which they were sent, a page at a time: as much memory for ten
 * thousand as for ten.
 */
export async function* streamResults(app: App, ask: ResultsAsk): AsyncGenerator<BulkResult[]> {
  const { filter = {}, isFilled = false } = ask
  const isShown = (isFilled && readsAnswers(filter)) || filter.withDuplicates === true
  // By their numbers, which have no gaps: a limit would read and sort all that is left for every page.
  const last = await countRows(app.db, ask.bulkId)
  for (let after = ask.afterRow ?? 0; after < last; after += PAGE_ROWS) {
    const rows = await app.db.query<ResultRow>(
      `${selectRows(ask.hasCells)} where bulk_row.bulk_id = $1 and bulk_row.row = any (array(
         select bulk_row.row ${fromFitting(isShown)} and bulk_row.row > $7 and bulk_row.row <= $8)) order by bulk_row.row`,
      [ask.bulkId, ...listFilterValues(filter), after, after + PAGE_ROWS],
    )
    if (rows.length > 0) yield await presentRows(app.db, rows)
  }
}

async function countRows(db: Db, bulkId: string): Promise<number> {
  const [job] = await db.query<{ count: number }>('select row_count as count from bulk where id = $1', [bulkId])
  return job?.count ?? 0
}

/** Returns how many links the customer's own cells have. A sign of text is escaped in JSON, so that it is never taken for one. */
export async function countOwnLinks(db: Db, bulkId: string): Promise<number> {
  const [counted] = await db.query<{ count: number }>(
    `select coalesce(sum((length(cells) - length(replace(cells, '"href":"', ''))) / 8), 0)::int as count
     from bulk_cells where bulk_id = $1`,
    [bulkId],
  )
  return counted?.count ?? 0
}

/** Returns these rows; those that are not there are left out. */
export async function findRows(
  db: Db,
  bulkId: string,
  { rows, hasCells }: { rows: readonly number[]; hasCells: boolean },
): Promise<BulkResult[]> {
  const found = await db.query<ResultRow>(
    `${selectRows(hasCells)} where bulk_row.bulk_id = $1 and bulk_row.row = any ($2) order by 1`,
    [bulkId, rows],
  )
  return presentRows(db, found)
}

/** A duplicate with the answer of the row that it repeats; it stays a duplicate. */
export async function fillDuplicates(db: Db, bulkId: string, results: readonly BulkResult[]): Promise<BulkResult[]> {
  const wanted = new Set(results.flatMap(({ duplicateOf }) => duplicateOf ?? []))
  if (wanted.size === 0) return [...results]
  const firsts = new Map(
    (await findRows(db, bulkId, { rows: [...wanted], hasCells: false })).map((first) => [first.row, first]),
  )
  return results.map((result) => {
    const first = result.duplicateOf === null ? undefined : firsts.get(result.duplicateOf)
    if (!first) return result
    const { state: repeatedState, company, confidence, resolutionId, candidates, decision } = first
    return { ...result, repeatedState, company, confidence, resolutionId, candidates, decision }
  })
}

async function presentRows(db: Db, rows: readonly ResultRow[]): Promise<BulkResult[]> {
  const shown = rows.map(hideRefunded)
  const found = await findCompanies(db, [...new Set(shown.flatMap((row) => row.companyNumber ?? []))])
  const byNumber = new Map(found.map((company) => [company.number, company]))
  return shown.map(({ companyNumber: number, isRefunded: _isRefunded, ...row }) => ({
    ...row,
    repeatedState: null,
    input: row.kind === 'domain' ? scrubAddress(row.input) : toTypedCompany(row.input),
    candidates: row.candidates ?? [],
    cells: row.cells === null ? null : (JSON.parse(row.cells) as Cell[]),
    company: number === null ? null : toCompany(number, byNumber.get(number)),
  }))
}

/** A refunded match is not shown again. */
function hideRefunded(row: ResultRow): ResultRow {
  if (!row.isRefunded) return row
  return {
    ...row,
    companyNumber: null,
    confidence: null,
    resolutionId: null,
    reason: 'You disputed this match and we refunded its credit.',
    charged: false,
    chargeReason: 'refunded',
  }
}

/** One that has left the register since keeps its number. */
function toCompany(number: string, company: Company | undefined): ResultCompany {
  return {
    number,
    name: company?.name ?? null,
    status: company?.status ?? null,
    statusDetail: company?.statusDetail ?? null,
    statusText: company ? describeStatus(company) : null,
    postcode: company?.address.postcode ?? null,
    record: company ?? null,
  }
}
