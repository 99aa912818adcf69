import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { webhookSeconds } from '../../lib/metrics.ts'
import type { WebSession } from '../../lib/web/guarded-client.ts'
import { type Attempt, attemptDelivery, judge, type OutgoingEvent } from './attempt.ts'
import { AttemptLog } from './attempt-log.ts'
import { ClaimLost, claimDestination, type Drain, releaseDestination } from './claim.ts'
import { listDue } from './due.ts'
import { inFlightMax } from './health.ts'
import { findTurn, type Turn, type TurnWish } from './host-slot.ts'
import { openWebhookSession } from './session.ts'

/** Then the job ends and another goes on, so that no destination keeps a slot for good. */
const DRAIN_MS_MAX = 30_000
const BATCH_EVENTS = 50
/** While one delivery is slow, others that have become due meanwhile are looked for this often. */
const LOOK_AGAIN_MS = 1_000
/** After a look that found few, another is worth its while when more may have come. */
const LOOK_PAUSE_MS = 250
/** Answered but not yet written. They are sent again when the worker dies, so there are never many. */
const UNNOTED_MAX = 25

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
    const waitUntil = await sendAllDue(app, { drain, session, log, run })
    const { lastSuccessAt } = log.health
    await app.db.transaction(async (tx) => {
      await releaseDestination(app, tx, { destinationId, jobId: run.id, lastSuccessAt, waitUntil })
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

/** Events that are sent and not yet noted; a slot is free again as soon as the receiver has answered. */
interface Underway {
  unnoted: Map<number, Promise<void>>
  inFlight: number
  /** Thrown at the end: what else is under way must be noted first. */
  failures: unknown[]
  bell: Bell
}

/** Returns until when its host has had enough; null when all that is due was sent, or the job's time is over. */
async function sendAllDue(app: App, sending: Sending): Promise<Date | null> {
  const { log, run } = sending
  const endsAt = performance.now() + DRAIN_MS_MAX
  const underway: Underway = { unnoted: new Map(), inFlight: 0, failures: [], bell: new Bell() }
  const { unnoted, failures, bell } = underway
  let waitUntil: Date | null = null
  const goesOn = () => {
    return waitUntil === null && performance.now() < endsAt && !run.signal.aborted && log.isOpen(app.clock.now())
  }
  const isFree = () => underway.inFlight < inFlightMax(log.health, log.accepted) && unnoted.size < UNNOTED_MAX
  let waiting: OutgoingEvent[] = []
  let looksAgainAt = 0
  while (failures.length === 0 && goesOn()) {
    if (waiting.length === 0 && (unnoted.size === 0 || performance.now() >= looksAgainAt)) {
      waiting = await findDue(app, sending, unnoted)
      looksAgainAt = waiting.length === BATCH_EVENTS ? 0 : performance.now() + LOOK_PAUSE_MS
    }
    while (waiting.length > 0 && isFree()) {
      const turn = await findTurn(app, sending.session, toTurnWish(sending))
      if (turn.kind === 'wait') {
        waitUntil = addSeconds(app.clock.now(), turn.seconds)
        break
      }
      const event = waiting.shift() as OutgoingEvent
      unnoted.set(event.eventNumber, sendOne(app, sending, underway, { event, turn }))
    }
    if (unnoted.size === 0) break
    await bell.wait(LOOK_AGAIN_MS)
  }
  await Promise.all(unnoted.values())
  run.signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
  return waitUntil
}

function toTurnWish({ drain, log: { health } }: Sending): TurnWish {
  const isProven = health.lastSuccessAt !== null
  return { url: drain.url, isProven, isFailing: health.consecutiveFailures > 0, holder: drain.jobId }
}

/**
 * After every other pause, what was tried before goes first. Else a receiver that refuses each event once, or is too slow
 * the first time, would after a pause always be shown a new one, and be given up on with all of them unaccepted. After the
 * others the longest due goes first: a receiver that refuses certain events for good must be shown another.
 */
function findDue(app: App, { drain, log }: Sending, unnoted: ReadonlyMap<number, unknown>): Promise<OutgoingEvent[]> {
  return listDue(app.db, {
    destinationId: drain.id,
    except: [...unnoted.keys()],
    limit: BATCH_EVENTS,
    at: app.clock.now(),
    triedFirst: log.health.pauses % 2 === 1,
  })
}

interface Outgoing {
  event: OutgoingEvent
  turn: Turn & { kind: 'taken' }
}

async function sendOne(app: App, sending: Sending, underway: Underway, { event, turn }: Outgoing): Promise<void> {
  const { drain, log } = sending
  try {
    underway.inFlight += 1
    const attempt = await attemptInTurn(app, sending, { event, turn }).finally(() => (underway.inFlight -= 1))
    const noted = log.note(attempt)
    underway.bell.ring()
    await noted
    webhookSeconds.observe({ verdict: judge(attempt) }, attempt.durationMs / 1_000)
    logAttempt(app, drain, attempt)
  } catch (error) {
    underway.failures.push(error)
  } finally {
    underway.unnoted.delete(event.eventNumber)
    underway.bell.ring()
  }
}

async function attemptInTurn(app: App, sending: Sending, { event, turn }: Outgoing): Promise<Attempt> {
  let isAccepted = false
  try {
    const attempt = await attemptOne(app, sending, event)
    isAccepted = judge(attempt) === 'delivered'
    return attempt
  } finally {
    await turn.end(isAccepted)
  }
}

function attemptOne(app: App, { drain, session, run }: Sending, event: OutgoingEvent): Promise<Attempt> {
  const { url, secrets } = drain
  const { timeoutSeconds } = app.config.webhooks
  return attemptDelivery(session, { url, secrets, event, at: app.clock.now(), timeoutSeconds, signal: run.signal })
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

/** Wakes the one who waits for it. */
class Bell {
  #wake: () => void = () => undefined
  #isRung = false

  ring(): void {
    this.#isRung = true
    this.#wake()
  }

  /** Until it rings, or has rung since the last wait; no longer than this. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, timeoutMs)
      await promise
      clearTimeout(timer)
    }
    this.#isRung = false
  }
}
