import type { Tx } from '../lib/db/db.ts'

/** Pauses all bulk jobs of an account. Rows under way end normally, and the owner may resume each later. */
export async function pauseBulkJobs(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    `update bulk set status = 'paused', paused_reason = 'account_disabled', fed_by = null
     where account_id = $1 and status = 'running'`,
    [accountId],
  )
}
