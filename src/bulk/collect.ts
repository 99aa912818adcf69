import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'
import { findCompanies, type NameCandidate } from '../register/index.ts'
import { type Charge, freeCharge, isOpenSql, type KnownResolution, readJob } from '../resolution/index.ts'
import type { RowState } from './bulk.ts'
import type { LeasedBulk } from './lease.ts'

const BATCH_MAX = 200
const READ_AT_ONCE = 4

interface OverRow {
  row: number
  job_id: string
  asked_at: Date
}

/** Stores the answers of rows whose jobs have ended. Returns how long each took. */
export async function collectEnded(app: App, bulk: LeasedBulk): Promise<Array<{ seconds: number }>> {
  const over = await listOver(app.db, bulk)
  if (over.length === 0) return []
  const left = [...over]
  const ended: EndedRow[] = []
  const readOneAfterAnother = async () => {
    for (let next = left.shift(); next; next = left.shift()) ended.push(await readEnd(app, bulk, next))
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readOneAfterAnother))
  // Ordered by row, so that two workers at once do not deadlock.
  ended.sort((one, other) => one.row - other.row)
  await storeEnded(app.db, bulk.id, 'running', ended)
  const at = app.clock.now().getTime()
  return over.map(({ asked_at: askedAt }) => ({ seconds: (at - askedAt.getTime()) / 1_000 }))
}

/** A job that is gone has outlived its time, and with it its row. */
async function listOver(db: Db, { id }: LeasedBulk): Promise<OverRow[]> {
  return db.query<OverRow>(
    `select bulk_row.row, job_id, asked_at from bulk_row
     where bulk_id = $1 and state = 'running' and not ${isOpenSql('job_id')}
     order by bulk_row.row limit ${BATCH_MAX}`,
    [id],
  )
}

/** Reads the job as its account does, so that both show the same answer. */
async function readEnd(app: App, { accountId }: LeasedBulk, { row, job_id: id }: OverRow): Promise<EndedRow> {
  const [reading, endedAt] = [await readJob(app, { id, accountId }), app.clock.now()]
  if (reading?.kind === 'answered') return toEnded(row, reading, endedAt)
  return {
    row,
    state: 'failed',
    resolutionId: null,
    companyNumber: null,
    confidence: null,
    reason: reading?.job.errorMessage ?? 'The answer was not stored. Nothing was charged for it here; ask again.',
    charge: reading?.charge ?? freeCharge('failed'),
    endedAt,
  }
}

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
  /** Companies of the register that a person can choose from; only where no site was read. */
  candidates?: readonly NameCandidate[]
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
  const names = await readNames(db, rows)
  const stored = await db.query(
    `update bulk_row set state = ended.state, resolution_id = ended.resolution_id,
       company_number = ended.company_number, confidence = ended.confidence, reason = ended.reason,
       charged = ended.charged, charge_reason = ended.charge_reason, ended_at = ended.ended_at,
       company_name = ended.company_name, candidates = ended.candidates
     from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::real[], $8::text[], $9::bool[], $10::text[],
       $11::timestamptz[], $12::text[], $13::jsonb[]) ended (row, state, resolution_id, company_number, confidence, reason,
       charged, charge_reason, ended_at, company_name, candidates)
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
      rows.map(({ companyNumber }) => (companyNumber === null ? null : (names.get(companyNumber) ?? null))),
      rows.map(({ candidates }) => (candidates ? JSON.stringify(candidates) : null)),
    ],
  )
  return stored.length
}

/** The name as it is at the end of the row: lists are sorted and searched by it. */
async function readNames(db: Db, rows: readonly EndedRow[]): Promise<ReadonlyMap<string, string>> {
  const numbers = new Set(rows.flatMap(({ companyNumber }) => companyNumber ?? []))
  if (numbers.size === 0) return new Map()
  return new Map((await findCompanies(db, [...numbers])).map(({ number, name }) => [number, name]))
}
