/** How a bulk job stops and goes on: cancelled, resumed, ended, paused. */
import { type Act, type Origin, recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import type { Tx } from '../lib/db/db.ts'
import { type BulkJob, type BulkOwner, bulkNotFound, getBulk } from './bulk.ts'
import { assertCredits, assertRoom } from './create.ts'
import { type LeasedBulk, queueFeed } from './lease.ts'

interface Own extends BulkOwner {
  id: string
  origin?: Origin | undefined
}

/** Cancels rows that were not requested; those under way end normally. Cancelling again changes nothing. */
export async function cancelBulk(app: App, own: Own): Promise<BulkJob> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const status = await lockBulk(tx, { ...own, at })
    if (status === 'running' || status === 'paused') {
      await tx.query(`update bulk_row set state = 'cancelled' where bulk_id = $1 and state = 'waiting'`, [own.id])
      await tx.query(
        `update bulk set status = 'cancelled', paused_reason = null,
           finished_at = case when exists (select from bulk_row where bulk_id = $1 and state = 'running') then null else $2::timestamptz end
         where id = $1`,
        [own.id, at],
      )
      await recordStatus(tx, { ...own, at }, 'bulk_cancelled', [status, 'cancelled'])
    }
    return getBulk(tx, { ...own, at })
  })
}

/** Requests every row without an answer again. Changes nothing in a bulk job that runs or has all its answers. */
export async function resumeBulk(app: App, own: Own): Promise<BulkJob> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const status = await lockBulk(tx, { ...own, at })
    if (status !== 'running' && (await putBackRows(tx, own.id)) > 0) {
      if (await hasWaitingDomains(tx, own.id)) assertCredits((await getBalance(tx, own.accountId)).available)
      await assertRoom(tx, own.accountId)
      await tx.query(
        `update bulk set status = 'running', paused_reason = null, finished_at = null, running_since = $2 where id = $1`,
        [own.id, at],
      )
      await queueFeed(app, tx, [own.id], at)
      await recordStatus(tx, { ...own, at }, 'bulk_resumed', [status, 'running'])
    }
    return getBulk(tx, { ...own, at })
  })
}

async function recordStatus(
  tx: Tx,
  { accountId, id, origin, at }: Own & { at: Date },
  action: Act,
  [before, after]: [string, string],
): Promise<void> {
  const changed = { details: { bulk_id: id }, before: { status: before }, after: { status: after } }
  await recordAudit(tx, { at, accountId, action, origin: origin ?? null, ...changed })
}

async function lockBulk(tx: Tx, own: Own & { at: Date }): Promise<BulkJob['status']> {
  if (own.mode === 'test') throw bulkNotFound()
  const [row] = await tx.query<{ status: BulkJob['status'] }>(
    'select status from bulk where id = $1 and account_id = $2 and expires_at > $3 for update',
    [own.id, own.accountId, own.at],
  )
  if (!row) throw bulkNotFound()
  return row.status
}

/** Returns how many rows wait now. */
async function putBackRows(tx: Tx, bulkId: string): Promise<number> {
  await tx.query(
    `update bulk_row set state = 'waiting', job_id = null, asked_at = null, ended_at = null, reason = null,
       charge_reason = null
     where bulk_id = $1 and state in ('cancelled', 'failed')`,
    [bulkId],
  )
  const rows = await tx.query(`select from bulk_row where bulk_id = $1 and state = 'waiting'`, [bulkId])
  return rows.length
}

/** Rows that are matched with the register cost nothing. */
async function hasWaitingDomains(tx: Tx, bulkId: string): Promise<boolean> {
  const rows = await tx.query(
    `select from bulk_row where bulk_id = $1 and kind = 'domain' and state = 'waiting' limit 1`,
    [bulkId],
  )
  return rows.length > 0
}

/** Ends a bulk job without open rows. False when one is open, or the job is paused. */
export async function endBulk(app: App, { id }: LeasedBulk): Promise<boolean> {
  const at = app.clock.now()
  const status = await app.db.transaction(async (tx) => {
    const [bulk] = await tx.query<{ status: string }>('select status from bulk where id = $1 for update', [id])
    if (!bulk) return 'deleted'
    // After the lock: a request that resumes the job has ended before, or waits.
    if (bulk.status === 'paused' || (await hasOpenRows(tx, id))) return null
    const [ended] = await tx.query<{ status: string }>(
      `update bulk set status = case status when 'running' then 'completed' else status end,
         finished_at = coalesce(finished_at, $2), fed_by = null
       where id = $1 returning status`,
      [id, at],
    )
    return ended?.status ?? null
  })
  if (status !== null) app.log.info({ event: 'bulk.ended', bulk_id: id, status })
  return status !== null
}

async function hasOpenRows(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select from bulk_row where bulk_id = $1 and state = 'waiting' union all
     select from bulk_row where bulk_id = $1 and state = 'running' limit 1`,
    [id],
  )
  return rows.length > 0
}

/** Pauses a bulk job until its account has credits and resumes it. False when it is not running. */
export async function pauseBulk(app: App, { id }: LeasedBulk): Promise<boolean> {
  const rows = await app.db.query(
    `update bulk set status = 'paused', paused_reason = 'insufficient_credits', fed_by = null
     where id = $1 and status = 'running' returning id`,
    [id],
  )
  if (rows.length > 0) app.log.info({ event: 'bulk.paused', bulk_id: id })
  return rows.length > 0
}

/** Pauses all bulk jobs of an account. Rows under way end normally, and the owner may resume each later. */
export async function pauseBulkJobs(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    `update bulk set status = 'paused', paused_reason = 'account_disabled', fed_by = null
     where account_id = $1 and status = 'running'`,
    [accountId],
  )
}
