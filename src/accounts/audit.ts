import type { Db } from '../lib/db/db.ts'
import type { Admission, BucketPolicy } from '../lib/limits/leased-limiter.ts'

/** Where a request came from, for the audit trail and the throttles. */
export interface Origin {
  ip: string
  requestId: string
  /** Is called with what is left of each limit of this address, so that the answer can say so. */
  reportLimit?: ((policy: BucketPolicy, admission: Admission) => void) | undefined
}

export interface AuditEvent {
  at: Date
  accountId: string | null
  action:
    | 'signup'
    | 'email_verified'
    | 'login'
    | 'signed_out'
    | 'sessions_ended'
    | 'program_connected'
    | 'program_disconnected'
    | 'password_reset_requested'
    | 'password_reset'
    | 'password_changed'
    | 'password_confirmed'
    | 'api_key_shown'
    | 'api_key_rotated'
    | 'api_key_ended'
    | 'plan_changed'
    | 'credits_granted'
    | 'account_created'
    | 'account_disabled'
    | 'account_enabled'
    | 'account_erased'
    | 'webhook_created'
    | 'webhook_deleted'
    | 'webhook_enabled'
    | 'webhook_secret_rotated'
    | 'webhook_replayed'
    | 'listener_opened'
    | 'listener_closed'
  /** A success unless said. */
  outcome?: 'success' | 'failure'
  origin: Origin | null
  details?: Record<string, string | number>
}

/** Append-only: the table refuses changes. Never put a secret in `details`. */
export async function recordAudit(db: Db, event: AuditEvent): Promise<void> {
  const { at, accountId, action, outcome = 'success', origin, details = {} } = event
  await db.query(
    `insert into audit_event (at, account_id, action, outcome, ip, request_id, details)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [at, accountId, action, outcome, origin?.ip ?? null, origin?.requestId ?? null, JSON.stringify(details)],
  )
}
