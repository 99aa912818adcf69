import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { revealSecrets, type SealedSecrets } from '../destinations/secret.ts'
import { queueDeliveryJobs } from '../publish/wake.ts'
import { findNextDue } from './due.ts'
import type { Health } from './health.ts'
import type { SigningSecrets } from './signature.ts'

/** A destination that one job sends to, and no other. */
export interface LeasedDestination {
  id: number
  accountId: string
  jobId: string
  url: string
  secrets: SigningSecrets
  health: Health
}

/** The destination was deleted, or leased to another job because this one was silent for too long. Nothing is left to do. */
export class LeaseLost extends Error {
  constructor(destinationId: number) {
    super(`destination ${destinationId} is no longer leased to this job`)
    this.name = 'LeaseLost'
  }
}

const LEASE_SECONDS = 45

/** Returns when a lease that starts or is renewed now ends: later than any job sends, see `RUN_MS_MAX`. */
export function leaseEnd({ config }: Pick<App, 'config'>, at: Date): Date {
  return addSeconds(at, config.webhooks.timeoutSeconds + LEASE_SECONDS)
}

interface LeasedRow extends SealedSecrets {
  account_id: string
  webhook_url: string
  last_success_at: Date | null
  last_failure_at: Date | null
  consecutive_failures: number
  consecutive_blocked: number
  failing_since: Date | null
  pauses: number
}

/** Returns null when another job has the destination, or it is paused, disabled or deleted. */
export async function leaseDestination(
  app: App,
  { destinationId, jobId }: { destinationId: number; jobId: string },
): Promise<LeasedDestination | null> {
  const at = app.clock.now()
  const [row] = await app.db.query<LeasedRow>(
    `update webhook_destination set drained_by = $2, drained_until = $4, wake_at = null
     where id = $1 and status = 'active' and deleted_at is null and webhook_url is not null
       and (drained_by is null or drained_by = $2 or drained_until <= $3)
       and (paused_until is null or paused_until <= $3)
     returning id, account_id, webhook_url, secret_sealed, previous_secret_sealed, previous_secret_until,
       last_success_at, last_failure_at, consecutive_failures, consecutive_blocked, failing_since, pauses`,
    [destinationId, jobId, at, leaseEnd(app, at)],
  )
  if (!row) return null
  return {
    id: destinationId,
    accountId: row.account_id,
    jobId,
    url: row.webhook_url,
    secrets: revealSecrets(app, row, at),
    health: {
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
      consecutiveFailures: row.consecutive_failures,
      consecutiveBlocked: row.consecutive_blocked,
      failingSince: row.failing_since,
      pausedUntil: null,
      pauses: row.pauses,
      disabledReason: null,
    },
  }
}

interface ReleasedRow {
  id: number
  status: string
  consecutive_failures: number
  paused_until: Date | null
  leased_by: string | null
}

/** Ends the lease, and queues the job that sends what is due next, not before `waitUntil`: see `wake.ts`. */
export async function releaseDestination(
  app: App,
  tx: Tx,
  {
    destinationId,
    jobId,
    lastSuccessAt,
    waitUntil,
  }: { destinationId: number; jobId: string; lastSuccessAt: Date | null; waitUntil: Date | null },
): Promise<void> {
  const at = app.clock.now()
  const [unlocked] = await tx.query<ReleasedRow>(`${SELECT_RELEASED} for update skip locked`, [destinationId])
  const [row] = unlocked ? [unlocked] : await tx.query<ReleasedRow>(SELECT_RELEASED, [destinationId])
  if (row?.leased_by !== jobId) throw new LeaseLost(destinationId)
  // A publisher holds the row: what it writes cannot be seen yet, and is due at once.
  const soonest = unlocked ? await findNextDue(tx, destinationId) : at
  const nextDue = row.status === 'active' ? soonest : null
  const notBeforeMs = Math.max(row.paused_until?.getTime() ?? 0, waitUntil?.getTime() ?? 0)
  const wakeAt = nextDue && new Date(Math.max(nextDue.getTime(), at.getTime(), notBeforeMs))
  await tx.query(
    `update webhook_destination set drained_by = null, drained_until = null, wake_at = $2, last_success_at = $3,
       paused_until = greatest(paused_until, $4)
     where id = $1`,
    [destinationId, wakeAt, lastSuccessAt, waitUntil],
  )
  if (wakeAt) await queueDeliveryJobs(app, tx, [{ ...row, wakeAt }], at)
}

const SELECT_RELEASED = `select id, status, consecutive_failures, paused_until, drained_by as leased_by from webhook_destination
  where id = $1`
