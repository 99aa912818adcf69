import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { WebSession } from '../lib/guarded-client.ts'
import type { JobRun } from '../lib/jobs.ts'
import { webhookSeconds } from '../lib/metrics.ts'
import { type Attempt, attemptDelivery, judge, type OutgoingEvent } from './attempt.ts'
import { AttemptLog } from './attempt-log.ts'
import { ClaimLost, claimDestination, type Drain, releaseDestination } from './claim.ts'
import { listDue } from './due.ts'
import { inFlightMax } from './health.ts'
import { openWebhookSession } from './session.ts'

/** Then the job ends and another goes on, so that no destination keeps a slot for good. */
const DRAIN_MS_MAX = 30_000
const BATCH_EVENTS = 50
/** While one delivery is slow, others that have become due meanwhile are looked for this often. */
const LOOK_AGAIN_MS = 1_000

/**
 * Sends all that is due at a destination. Running twice is harmless: one job at a time holds the destination, and what
 * was sent but not noted when a worker died is sent again with the same id.
 */
export async function drainDestination(app: App, destinationId: number, run: JobRun): Promise<void> {
  const drain = await claimDestination(app, { destinationId, jobId: run.id })
  if (!drain) return
  const session = openWebhookSession(app)
  const log = new AttemptLog(app, drain)
  try {
    await sendAllDue(app, { drain, session, log, run })
    await app.db.transaction(async (tx) => {
      await releaseDestination(app, tx, { destinationId, jobId: run.id })
      await run.finish(tx)
    })
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error
  } finally {
    await session.close()
  }
}

interface Sending {
  drain: Drain
  session: WebSession
  log: AttemptLog
  run: JobRun
}

async function sendAllDue(app: App, sending: Sending): Promise<void> {
  const { log, run } = sending
  const endsAt = performance.now() + DRAIN_MS_MAX
  const inFlight = new Map<number, Promise<void>>()
  let waiting: OutgoingEvent[] = []
  const goesOn = () => performance.now() < endsAt && !run.signal.aborted && log.isOpen(app.clock.now())
  // Kept and thrown at the end: what else is in flight must be noted first.
  const failures: unknown[] = []
  while (failures.length === 0 && goesOn()) {
    if (waiting.length === 0) waiting = await findDue(app, sending.drain, inFlight)
    while (waiting.length > 0 && inFlight.size < inFlightMax(log.health)) {
      const event = waiting.shift() as OutgoingEvent
      const sent = sendOne(app, sending, event)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => inFlight.delete(event.eventNumber))
      inFlight.set(event.eventNumber, sent)
    }
    if (inFlight.size === 0) break
    await anyOf(inFlight.values(), LOOK_AGAIN_MS)
  }
  await Promise.all(inFlight.values())
  run.signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

function findDue(app: App, drain: Drain, inFlight: ReadonlyMap<number, unknown>): Promise<OutgoingEvent[]> {
  const at = app.clock.now()
  return listDue(app.db, { destinationId: drain.id, except: [...inFlight.keys()], limit: BATCH_EVENTS, at })
}

async function sendOne(app: App, { drain, session, log, run }: Sending, event: OutgoingEvent): Promise<void> {
  const { url, secrets } = drain
  const { timeoutSeconds } = app.config.webhooks
  const at = app.clock.now()
  const attempt = await attemptDelivery(session, { url, secrets, event, at, timeoutSeconds, signal: run.signal })
  await log.note(attempt)
  webhookSeconds.observe({ verdict: judge(attempt) }, attempt.durationMs / 1_000)
  logAttempt(app, drain, attempt)
}

function logAttempt(app: App, { id, accountId }: Drain, { event, status, error, durationMs }: Attempt): void {
  app.log.info({
    event: 'delivery.attempted',
    destination_id: id,
    account_id: accountId,
    event_id: event.eventId,
    attempt: event.attempt,
    status,
    error,
    duration_ms: durationMs,
  })
}

/** When the first of them has ended, or the time is over. */
async function anyOf(ended: Iterable<Promise<void>>, ms: number): Promise<void> {
  const timer = new AbortController()
  const over = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([...ended, over])
  timer.abort()
}
