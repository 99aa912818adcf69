/** Goes through what the run left behind and names what should not be there. */
import { findUnbalancedAccounts } from '../../../src/credits/index.ts'
import { type Database, onlyRow } from '../../../src/lib/db/db.ts'
import type { BulkSeen, ResultLine } from './customer.ts'
import type { SentRow } from './world.ts'

export interface Books {
  granted: number
  balance: number
  held: number
  captures: number
  /** Jobs of the account: one for every domain. */
  jobs: number
}

export async function readBooks(db: Database, accountId: string): Promise<Books> {
  const rows = await db.query<Books>(
    `select balance, held,
       (select sum(amount)::bigint from ledger_entry where account_id = $1 and kind = 'grant') as granted,
       (select count(*) from ledger_entry where account_id = $1 and kind = 'capture') as captures,
       (select count(*) from resolution_job where account_id = $1) as jobs
     from credit_balance where account_id = $1`,
    [accountId],
  )
  return onlyRow(rows)
}

export function findWrongLines(lines: readonly ResultLine[], rows: readonly SentRow[]): string[] {
  if (lines.length !== rows.length) return [`${lines.length} lines for ${rows.length} rows`]
  return lines.flatMap((line, index) => {
    const row = rows[index]
    const right =
      row &&
      line['row'] === String(index + 1) &&
      line['input'] === withoutQuery(row.input) &&
      isRight(line, row.expected)
    return right
      ? []
      : [`row ${index + 1} ${row?.input} is ${line['status']} ${line['outcome']} ${line['company_number']}`]
  })
}

function isRight(line: ResultLine, expected: SentRow['expected']): boolean {
  // Given up on, which costs nothing: every attempt met the death of its worker.
  if (line['status'] === 'failed') return expected.status === 'completed' && line['charged'] === 'false'
  if (line['status'] !== expected.status) return false
  if (expected.status === 'duplicate') return line['duplicate_of'] === String(expected.of)
  if (expected.status === 'invalid') return line['reason'] !== '' && line['charged'] === 'false'
  if (isTooSlow(line, expected)) return line['charged'] === 'false'
  const { outcome, companyNumber } = expected
  const charged = outcome === 'matched' ? 'true' : 'false'
  return line['outcome'] === outcome && line['company_number'] === (companyNumber ?? '') && line['charged'] === charged
}

/** A site that was there and could not be read in time. */
function isTooSlow(line: ResultLine | undefined, expected: SentRow['expected']): boolean {
  return (
    expected.status === 'completed' && expected.outcome !== 'scrape_failed' && line?.['outcome'] === 'scrape_failed'
  )
}

export function countTooSlow(lines: readonly ResultLine[], rows: readonly SentRow[]): number {
  return rows.filter(({ expected }, index) => isTooSlow(lines[index], expected)).length
}

export async function findWrongBooks(
  db: Database,
  { books, lines, last }: { books: Books; lines: readonly ResultLine[]; last: BulkSeen },
): Promise<string[]> {
  const charged = lines.filter((line) => line['charged'] === 'true').length
  const asked = lines.filter((line) => line['status'] === 'completed' || line['status'] === 'failed').length
  const open = await db.query(`select from credit_hold where state = 'held'`)
  const unbalanced = await findUnbalancedAccounts(db)
  return [
    ...(charged === last.credits_spent
      ? []
      : [`${charged} rows were charged and credits_spent is ${last.credits_spent}`]),
    ...(charged === books.captures
      ? []
      : [`${charged} rows were charged and the ledger has ${books.captures} captures`]),
    ...(books.balance === books.granted - charged ? [] : [`of ${books.granted} granted ${books.balance} are left`]),
    ...(books.held === 0 && open.length === 0 ? [] : [`${open.length} credits are still held`]),
    ...(books.jobs === asked ? [] : [`${books.jobs} jobs for ${asked} rows that were asked for`]),
    ...unbalanced.map((id) => `the balance of ${id} is not its ledger`),
  ]
}

/** Returns how many jobs of this kind were begun again because their worker had died. */
export async function countInterrupted(db: Database, name: string): Promise<number> {
  return (await db.query('select from pgboss.job where name = $1 and retry_count > 0', [name])).length
}

/** The service stores the input without its query, which may hold a secret. */
function withoutQuery(input: string): string {
  return input.replace(/[?#].*$/, '')
}
