import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'
import { freeCharge, readJob } from '../resolution/index.ts'
import { type EndedRow, storeEnded, toEnded } from './ended-row.ts'
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
    `select bulk_row.row, job_id, asked_at from bulk_row left join resolution_job as job on job.id = job_id
     where bulk_id = $1 and state = 'running' and (job.id is null or job.finished_at is not null)
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
