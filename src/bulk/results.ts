import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'
import { describeStatus, findCompanies, type RegisteredStatus } from '../register/index.ts'
import { scrubAddress } from '../resolver/index.ts'
import type { RowState } from './bulk.ts'

/** One row as it was sent, with what became of it. */
export interface BulkResult {
  row: number
  input: string
  domain: string | null
  state: RowState
  duplicateOf: number | null
  /** When matched, with the register's record of the day it is read. */
  company: {
    number: string
    name: string | null
    status: string | null
    statusDetail: string | null
    /** Both in words. */
    statusText: string | null
    postcode: string | null
  } | null
  confidence: number | null
  reason: string | null
  resolutionId: string | null
  charged: boolean
  chargeReason: string | null
}

interface ResultRow {
  row: number
  input: string
  domain: string | null
  state: RowState
  duplicate_of: number | null
  company_number: string | null
  confidence: number | null
  reason: string | null
  resolution_id: string | null
  charged: boolean
  charge_reason: string | null
  is_refunded: boolean
}

const PAGE_ROWS = 500

/** Every row in the order in which they were sent, a page at a time: as much memory for ten thousand as for ten. */
export async function* streamResults(app: App, bulkId: string): AsyncGenerator<BulkResult[]> {
  let after = 0
  for (;;) {
    const rows = await listPage(app.db, bulkId, after)
    if (rows.length > 0) yield await withCompanies(app.db, rows.map(hideRefunded))
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.row ?? after
  }
}

async function listPage(db: Db, bulkId: string, after: number): Promise<ResultRow[]> {
  return db.query<ResultRow>(
    `select bulk_row.row, input, domain, state, duplicate_of, company_number, confidence, reason, resolution_id,
       charged, charge_reason, exists (
         select from bulk join paid_fact fact on fact.account_id = bulk.account_id
         where bulk.id = bulk_id and fact.domain = bulk_row.domain
           and fact.company_number = bulk_row.company_number and fact.refunded_at is not null
       ) as is_refunded
     from bulk_row where bulk_id = $1 and bulk_row.row > $2 order by bulk_row.row limit ${PAGE_ROWS}`,
    [bulkId, after],
  )
}

/** A refunded match is not shown again. */
function hideRefunded(row: ResultRow): ResultRow {
  if (!row.is_refunded) return row
  const hidden = { company_number: null, confidence: null, resolution_id: null }
  return {
    ...row,
    ...hidden,
    reason: 'You disputed this match and we refunded its credit.',
    charged: false,
    charge_reason: 'refunded',
  }
}

async function withCompanies(db: Db, rows: ResultRow[]): Promise<BulkResult[]> {
  const found = await findCompanies(db, [...new Set(rows.flatMap((row) => row.company_number ?? []))])
  const byNumber = new Map(found.map((company) => [company.number, company]))
  return rows.map((row) => {
    const number = row.company_number
    const company = number === null ? undefined : byNumber.get(number)
    return {
      row: row.row,
      input: scrubAddress(row.input),
      domain: row.domain,
      state: row.state,
      duplicateOf: row.duplicate_of,
      company: number === null ? null : toCompany(number, company),
      confidence: row.confidence,
      reason: row.reason,
      resolutionId: row.resolution_id,
      charged: row.charged,
      chargeReason: row.charge_reason,
    }
  })
}

/** One that has left the register since keeps its number. */
function toCompany(
  number: string,
  company: (RegisteredStatus & { name: string; address: { postcode: string | null } }) | undefined,
): BulkResult['company'] {
  return {
    number,
    name: company?.name ?? null,
    status: company?.status ?? null,
    statusDetail: company?.statusDetail ?? null,
    statusText: company ? describeStatus(company) : null,
    postcode: company?.address.postcode ?? null,
  }
}
