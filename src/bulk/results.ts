import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'
import { describeStatus, findCompanies, type RegisteredStatus } from '../register/index.ts'
import { isRefundedSql } from '../resolution/index.ts'
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

interface ResultRow extends Omit<BulkResult, 'company'> {
  companyNumber: string | null
  isRefunded: boolean
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
    `select bulk_row.row, input, domain, state, duplicate_of as "duplicateOf", company_number as "companyNumber",
       confidence, reason, resolution_id as "resolutionId", charged, charge_reason as "chargeReason",
       ${isRefundedSql({ account: 'bulk.account_id', domain: 'bulk_row.domain', company: 'bulk_row.company_number' })} as "isRefunded"
     from bulk_row join bulk on bulk.id = bulk_id
     where bulk_id = $1 and bulk_row.row > $2 order by bulk_row.row limit ${PAGE_ROWS}`,
    [bulkId, after],
  )
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

async function withCompanies(db: Db, rows: ResultRow[]): Promise<BulkResult[]> {
  const found = await findCompanies(db, [...new Set(rows.flatMap((row) => row.companyNumber ?? []))])
  const byNumber = new Map(found.map((company) => [company.number, company]))
  return rows.map(({ companyNumber: number, isRefunded: _isRefunded, ...row }) => ({
    ...row,
    input: scrubAddress(row.input),
    company: number === null ? null : toCompany(number, byNumber.get(number)),
  }))
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
