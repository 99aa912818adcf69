import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { Semaphore } from '../../lib/limits/semaphore.ts'
import { sendDisabledJob } from '../destinations/disabled-email.ts'
import { type Attempt, judge, nextAttemptAt } from './attempt.ts'
import { ClaimLost, claimEnd, type Drain } from './claim.ts'
import { DeliveredLog } from './delivered-log.ts'
import { afterAttempt, type Health, isWell, type Verdict } from './health.ts'

interface Noted {
  attempt: Attempt
  verdict: Verdict
  nextAt: Date | null
}

/**
 * Notes what became of each attempt: the log, the delivery and the health of the destination, in one transaction.
 * Attempts that end while one is being written go out together with the next, so a busy destination costs few commits.
 */
export class AttemptLog {
  /** As it will be once everything is written. */
  health: Health
  /** By this drain. */
  accepted = 0
  readonly #app: App
  readonly #drain: Drain
  #noted: Noted[] = []
  #isDisabled = false
  #writing: Promise<void> | undefined

  constructor(app: App, drain: Drain) {
    this.#app = app
    this.#drain = drain
    this.health = drain.health
  }

  /** Whether more may be sent: not to one that is disabled, or paused. */
  isOpen(at: Date): boolean {
    const { disabledReason, pausedUntil } = this.health
    return disabledReason === null && (pausedUntil === null || pausedUntil <= at)
  }

  /** Answers when it is written. Throws `ClaimLost` when the destination is not this job's any more. */
  async note(attempt: Attempt): Promise<void> {
    const { webhooks } = this.#app.config
    const verdict = judge(attempt)
    if (verdict === 'delivered') this.accepted += 1
    const at = addSeconds(attempt.startedAt, attempt.durationMs / 1_000)
    const { retryAfterSeconds } = attempt
    const before = this.health
    // One that was disabled while this was under way stays disabled.
    if (before.disabledReason === null) {
      this.health = afterAttempt(before, { verdict, retryAfterSeconds, at }, webhooks)
    }
    // The time of the last success is told when the destination is let go.
    if (verdict === 'delivered' && isWell(before)) {
      await DeliveredLog.of(this.#app).note({ drain: this.#drain, attempt })
      return
    }
    const nextAt = verdict === 'delivered' ? null : nextAttemptAt({ ...attempt, startedAt: at }, webhooks)
    this.#noted.push({ attempt, verdict, nextAt })
    // Whoever comes while a write is under way waits for it, and then for the one that has its own.
    while (this.#noted.some((noted) => noted.attempt === attempt)) {
      this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
      await this.#writing
    }
  }

  async #write(): Promise<void> {
    const batch = [...this.#noted]
    const { health } = this
    const isNewlyDisabled = health.disabledReason !== null && !this.#isDisabled
    const leave = await writing.enter()
    try {
      await this.#app.db.transaction((tx) =>
        writeBatch(this.#app, tx, { drain: this.#drain, batch, health, isNewlyDisabled }),
      )
    } finally {
      leave?.()
    }
    this.#isDisabled ||= isNewlyDisabled
    this.#noted = this.#noted.slice(batch.length)
  }
}

/** Receivers that hang end their time together: what is noted of them must not take all of the database's connections. */
const writing = new Semaphore({ slots: 4, queueMax: Number.POSITIVE_INFINITY })

interface Batch {
  drain: Drain
  batch: readonly Noted[]
  health: Health
  isNewlyDisabled: boolean
}

async function writeBatch(app: App, tx: Tx, { drain, batch, health, isNewlyDisabled }: Batch): Promise<void> {
  const at = app.clock.now()
  if (health.disabledReason !== null) await waitForPublishers(tx, drain.id)
  await writeHealth(tx, drain, health, claimEnd(app, at))
  await writeAttempts(tx, drain.id, batch)
  await writeDeliveries(tx, drain.id, batch, at)
  if (health.disabledReason !== null) await missWaiting(tx, drain.id, at)
  if (isNewlyDisabled) await app.jobs.enqueue(tx, sendDisabledJob, { destinationId: drain.id })
}

/** First of all, and only while the job holds the destination: a job that was given up on writes nothing. */
async function writeHealth(tx: Tx, drain: Drain, health: Health, heldUntil: Date): Promise<void> {
  const held = await tx.query(
    `update webhook_destination set last_success_at = $3, last_failure_at = $4, consecutive_failures = $5,
       failing_since = $6, paused_until = $7, pauses = $8, drained_until = $9, consecutive_blocked = $11,
       status = case when $10::text is null then status else 'disabled' end,
       disabled_reason = coalesce($10, disabled_reason)
     where id = $1 and drained_by = $2 and deleted_at is null
     returning id`,
    [
      drain.id,
      drain.jobId,
      health.lastSuccessAt,
      health.lastFailureAt,
      health.consecutiveFailures,
      health.failingSince,
      health.pausedUntil,
      health.pauses,
      heldUntil,
      health.disabledReason,
      health.consecutiveBlocked,
    ],
  )
  if (held.length === 0) throw new ClaimLost(drain.id)
}

export async function writeAttempts(
  tx: Tx,
  destinationId: number,
  noted: ReadonlyArray<Pick<Noted, 'attempt'>>,
): Promise<void> {
  const rows = noted.map(({ attempt }) => ({
    event_number: attempt.event.eventNumber,
    attempt: attempt.event.attempt,
    is_replay: attempt.event.isReplay,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    response: attempt.response,
  }))
  await tx.query(
    `insert into webhook_attempt (destination_id, event_number, attempt, is_replay, started_at, duration_ms, status,
       error, response)
     select $1, event_number, attempt, is_replay, started_at, duration_ms, status, error, response
     from jsonb_to_recordset($2::jsonb) as noted (event_number bigint, attempt integer, is_replay boolean,
       started_at timestamptz, duration_ms integer, status integer, error text, response text)`,
    [destinationId, JSON.stringify(rows)],
  )
}

async function writeDeliveries(tx: Tx, destinationId: number, batch: readonly Noted[], at: Date): Promise<void> {
  const stateOf = ({ verdict, nextAt }: Noted) =>
    verdict === 'delivered' ? 'delivered' : nextAt === null ? 'failed' : 'pending'
  await tx.query(
    `update webhook_delivery as delivery set state = noted.state, attempts = noted.attempt,
       due_at = coalesce(noted.next_at, delivery.due_at), ended_at = case when noted.state = 'pending' then null else $6::timestamptz end
     from unnest($2::bigint[], $3::text[], $4::integer[], $5::timestamptz[]) as noted (event_number, state, attempt, next_at)
     where delivery.destination_id = $1 and delivery.event_number = noted.event_number`,
    [
      destinationId,
      batch.map(({ attempt }) => attempt.event.eventNumber),
      batch.map(stateOf),
      batch.map(({ attempt }) => attempt.event.attempt),
      batch.map(({ nextAt }) => nextAt),
      at,
    ],
  )
}

/** They have taken it for active: what they are writing for it must be seen when it is given up on. */
async function waitForPublishers(tx: Tx, destinationId: number): Promise<void> {
  await tx.query('select id from webhook_destination where id = $1 for update', [destinationId])
}

/** What still waits at one that is disabled is kept as missed, for a replay once the receiver is mended. */
async function missWaiting(tx: Tx, destinationId: number, at: Date): Promise<void> {
  await tx.query(
    `update webhook_delivery set state = 'missed', ended_at = $2 where destination_id = $1 and state = 'pending'`,
    [destinationId, at],
  )
}
