import { type Origin, recordAudit } from '../../accounts/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { Own } from './owner.ts'

export type WebhookChange =
  | 'webhook_created'
  | 'webhook_deleted'
  | 'webhook_enabled'
  | 'webhook_secret_rotated'
  | 'webhook_replayed'
  | 'listener_opened'
  | 'listener_closed'

/** Writes a change of a destination or listener to the audit trail, in the transaction of the change. */
export async function auditChange(
  tx: Tx,
  action: WebhookChange,
  change: Own & { origin?: Origin | undefined; at: Date; details?: Record<string, string | number> },
): Promise<void> {
  const { accountId, mode, id, origin, at, details } = change
  await recordAudit(tx, {
    at,
    accountId,
    action,
    outcome: 'success',
    origin: origin ?? null,
    details: { destination_id: id, mode, ...details },
  })
}
