import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { type Asked, askForDomain, joinFreeAnswer, queueNewDomains } from '../resolution/index.ts'
import { scrubAddress, type TypedInput } from '../resolver/index.ts'
import { storeEnded, toEnded } from './collect.ts'
import type { LeasedBulk } from './lease.ts'

/** The counts of one batch of requests. */
interface AskedRows {
  /** Under way from now on. */
  queued: number
  /** Known at once. */
  answered: number
  /** No credit could be set aside for one of them. */
  isRefused: boolean
  /** No row waits any more. */
  isEmpty: boolean
}

const BATCH_MAX = 64
/** Each takes a connection of the pool while it asks. */
const AT_ONCE = 4

interface WaitingRow {
  row: number
  input: TypedInput
  domain: string
}

/** Requests the next rows, as many as there are slots; none while the job is cancelled. */
export async function askForRows(app: App, bulk: LeasedBulk, slots: number): Promise<AskedRows> {
  const asked: AskedRows = { queued: 0, answered: 0, isRefused: false, isEmpty: false }
  if (slots <= 0) return asked
  const waiting = await listWaiting(app.db, bulk, Math.min(slots, BATCH_MAX))
  if (waiting.length === 0) return { ...asked, isEmpty: true }
  const queued = await askForNew(app, bulk, waiting)
  asked.queued = queued.size
  const rows = waiting.filter(({ row }) => !queued.has(row))
  const askOneAfterAnother = async () => {
    for (let next = rows.shift(); next && !asked.isRefused; next = rows.shift()) {
      const answer = await askForRow(app, bulk, next)
      if (answer === 'refused') asked.isRefused = true
      else if (answer !== 'taken') asked[answer] += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOneAfterAnother))
  if (asked.isRefused) asked.answered += await askForFree(app, bulk)
  return asked
}

/** Requests free answers for rows behind a refused one. Returns how many have one now. */
async function askForFree(app: App, bulk: LeasedBulk): Promise<number> {
  let answered = 0
  for (const row of await listFree(app, bulk)) {
    if ((await askForRow(app, bulk, row)) === 'answered') answered += 1
  }
  return answered
}

async function listFree({ db, clock }: App, { id, accountId }: LeasedBulk): Promise<WaitingRow[]> {
  return db.query<WaitingRow>(
    `select bulk_row.row, input, bulk_row.domain from bulk_row
     join bulk on bulk.id = bulk_id ${joinFreeAnswer({ account: '$2', domain: 'bulk_row.domain', at: '$3' })}
     where bulk_id = $1 and kind = 'domain' and state = 'waiting' and status = 'running'
     order by bulk_row.row limit ${BATCH_MAX}`,
    [id, accountId, clock.now()],
  )
}

async function listWaiting(db: Db, { id }: LeasedBulk, limit: number): Promise<WaitingRow[]> {
  const rows = await db.query<Omit<WaitingRow, 'input'> & { input: string }>(
    `select bulk_row.row, input, domain from bulk_row join bulk on bulk.id = bulk_id
     where bulk_id = $1 and kind = 'domain' and state = 'waiting' and status = 'running' order by bulk_row.row limit $2`,
    [id, limit],
  )
  return rows.map((row) => ({ ...row, input: scrubAddress(row.input) }))
}

/** Requests new domains together, which most rows of most lists are. Returns the queued rows. */
async function askForNew(app: App, { id, accountId }: LeasedBulk, rows: WaitingRow[]): Promise<ReadonlySet<number>> {
  const queued = new Map<number, string>()
  const record = async (tx: Tx, jobIds: ReadonlyMap<string, string>) => {
    for (const { row, domain } of rows) {
      const jobId = jobIds.get(domain)
      if (jobId !== undefined) queued.set(row, jobId)
    }
    if ((await recordQueued(tx, id, queued, app.clock.now())) < queued.size) throw new RowTaken()
  }
  try {
    await queueNewDomains(app, { accountId, domains: rows, record })
    return new Set(queued.keys())
  } catch (error) {
    if (error instanceof RowTaken) return new Set()
    throw error
  }
}

/** The row was cancelled or requested by another job meanwhile: the request is undone. */
class RowTaken extends Error {}

async function askForRow(
  app: App,
  { id: bulkId, accountId }: LeasedBulk,
  { row, input, domain }: WaitingRow,
): Promise<'queued' | 'answered' | 'refused' | 'taken'> {
  const record = (tx: Tx, asked: Asked) => recordAsked(tx, { bulkId, row, at: app.clock.now() }, asked)
  try {
    const { kind } = await askForDomain(app, { accountId, input, domain, isBulk: true, record })
    return kind === 'queued' ? 'queued' : 'answered'
  } catch (error) {
    if (error instanceof RowTaken) return 'taken'
    if (error instanceof DomainError && error.code === 'insufficient_credits') return 'refused'
    throw error
  }
}

async function recordAsked(
  tx: Tx,
  { bulkId, row, at }: { bulkId: string; row: number; at: Date },
  asked: Asked,
): Promise<void> {
  const recorded =
    asked.kind === 'queued'
      ? await recordQueued(tx, bulkId, new Map([[row, asked.jobId]]), at)
      : await storeEnded(tx, bulkId, 'waiting', [toEnded(row, asked, at)])
  if (recorded === 0) throw new RowTaken()
}

/** Returns how many of the rows still waited. */
async function recordQueued(tx: Tx, bulkId: string, jobIds: ReadonlyMap<number, string>, at: Date): Promise<number> {
  const rows = await tx.query(
    `update bulk_row set state = 'running', job_id = queued.job_id, asked_at = $2
     from unnest($3::int[], $4::text[]) queued (row, job_id)
     where bulk_id = $1 and bulk_row.row = queued.row and state = 'waiting' returning state`,
    [bulkId, at, [...jobIds.keys()], [...jobIds.values()]],
  )
  return rows.length
}
