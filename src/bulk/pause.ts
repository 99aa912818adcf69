import type { Tx } from '../lib/db/db.ts'

/** No more rows are asked for; the owner may resume each later. Those under way come to their end. */
export async function pauseBulks(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    `update bulk set status = 'paused', paused_reason = 'account_disabled', fed_by = null
     where account_id = $1 and status = 'running'`,
    [accountId],
  )
}
