import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import type { LeasedBulk } from './lease.ts'

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
