import type { Tx } from '../../lib/db/db.ts'

/** Disables all destinations of an account. What waits is marked as missed, for a replay. */
export async function disableDestinations(tx: Tx, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  // A job that is sending loses its lease; publishers that saw a destination as active have committed before.
  await tx.query(
    `update webhook_destination set status = 'disabled', disabled_reason = 'account_disabled',
       drained_by = null, drained_until = null, wake_at = null
     where account_id = $1 and status = 'active' and deleted_at is null`,
    [accountId],
  )
  await tx.query(
    `update webhook_delivery set state = 'missed', ended_at = $2
     where state = 'pending' and destination_id in (select id from webhook_destination where account_id = $1)`,
    [accountId, at],
  )
}

/** Enables the destinations that were disabled with the account, and no others. */
export async function enableDestinations(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    `update webhook_destination set status = 'active', disabled_reason = null
     where account_id = $1 and disabled_reason = 'account_disabled'`,
    [accountId],
  )
}
