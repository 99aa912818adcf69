import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import type { Tx } from '../lib/db/db.ts'
import { type BulkJob, bulkNotFound, getBulk } from './bulk.ts'
import { assertCredits, assertRoom } from './create.ts'
import { queueFeed } from './lease.ts'

interface Own {
  id: string
  accountId: string
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
      assertCredits((await getBalance(tx, own.accountId)).available)
      await assertRoom(tx, own.accountId)
      await tx.query(
        `update bulk set status = 'running', paused_reason = null, finished_at = null, running_since = $2 where id = $1`,
        [own.id, at],
      )
      await queueFeed(app, tx, [own.id], at)
    }
    return getBulk(tx, { ...own, at })
  })
}

async function lockBulk(tx: Tx, own: Own & { at: Date }): Promise<BulkJob['status']> {
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
