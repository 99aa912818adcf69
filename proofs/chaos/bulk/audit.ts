/** Goes through what the run left behind and names what should not be there. */
import type { OpenedAccount } from '../../../rig/accounts.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { findWrongBooks } from '../resolution/audit.ts'
import type { BulkSeen, ResultLine } from './customer.ts'
import type { SentRow } from './world.ts'

export function findWrongLines(lines: readonly ResultLine[], rows: readonly SentRow[]): string[] {
  if (lines.length !== rows.length) return [`${lines.length} lines for ${rows.length} rows`]
  return lines.flatMap((line, index) => {
    const row = rows[index]
    const right =
      row &&
      line['row'] === String(index + 1) &&
      (row.website === '' || line['input'] === withoutQuery(row.website)) &&
      isRight(line, row.expected)
    return right
      ? []
      : [`row ${index + 1} ${line['input']} is ${line['status']} ${line['outcome']} ${line['company_number']}`]
  })
}

function isRight(line: ResultLine, expected: SentRow['expected']): boolean {
  // Given up on, which costs nothing: every attempt met the death of its worker.
  if (line['status'] === 'failed') return expected.status === 'completed' && line['charged'] === 'false'
  if (line['status'] !== expected.status) return false
  if (expected.status === 'duplicate') return line['duplicate_of'] === String(expected.of)
  if (expected.status === 'invalid') return line['reason'] !== '' && line['charged'] === 'false'
  if (isTooSlow(line, expected)) return line['charged'] === 'false'
  const { outcome, companyNumber, by } = expected
  const charged = outcome === 'matched' && by === 'site' ? 'true' : 'false'
  return line['outcome'] === outcome && line['company_number'] === (companyNumber ?? '') && line['charged'] === charged
}

/** A site that was there and could not be read in time. */
function isTooSlow(line: ResultLine | undefined, expected: SentRow['expected']): boolean {
  return (
    expected.status === 'completed' &&
    expected.by === 'site' &&
    expected.outcome !== 'scrape_failed' &&
    line?.['outcome'] === 'scrape_failed'
  )
}

export function countTooSlow(lines: readonly ResultLine[], rows: readonly SentRow[]): number {
  return rows.filter(({ expected }, index) => isTooSlow(lines[index], expected)).length
}

/** The account's jobs, charges and ledger must be what the rows of the result say. */
export async function findWrongTotals(
  db: Database,
  { owner, lines, last }: { owner: OpenedAccount; lines: readonly ResultLine[]; last: BulkSeen },
): Promise<string[]> {
  const charges = lines
    .filter((line) => line['charged'] === 'true')
    .map((line) => ({ accountId: owner.id, domain: line['domain'] ?? '' }))
  const hasEnded = (line: ResultLine) => line['status'] === 'completed' || line['status'] === 'failed'
  const asked = lines.filter((line) => line['domain'] !== '' && hasEnded(line)).length
  const jobs = await db.query('select from resolution_job where account_id = $1', [owner.id])
  const spent = last.credits_spent
  return [
    ...(charges.length === spent ? [] : [`${charges.length} rows were charged and credits_spent is ${spent}`]),
    ...(jobs.length === asked ? [] : [`${jobs.length} jobs for ${asked} rows that were asked for`]),
    ...(await findWrongBooks(db, [owner], charges)),
  ]
}

/** The service stores the input without its query, which may hold a secret. */
function withoutQuery(input: string): string {
  return input.replace(/[?#].*$/, '')
}
