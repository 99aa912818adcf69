import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { webhookSeconds } from '../../lib/metrics.ts'
import type { SessionUse } from '../../lib/web/shared-sessions.ts'
import { composeMessage } from '../cards/message.ts'
import {
  type Attempt,
  attemptDelivery,
  attemptInSlot,
  type HostSlotRequest,
  leaveWebhookSession,
  type OutgoingDelivery,
  type OutgoingEvent,
  type TakenSlot,
  takeHostSlot,
  takeWebhookSession,
} from './attempt.ts'
import { AttemptLog } from './attempt-log.ts'
import { inFlightMax } from './health.ts'
import { type LeasedDestination, LeaseLost, leaseDestination, releaseDestination } from './lease.ts'

/** Then the job ends and another continues, so that no destination occupies a job slot for good. */
const RUN_MS_MAX = 30_000
/** How often a job looks for newly due deliveries while one is slow. */
const LOOK_AGAIN_MS = 1_000
/** The pause after a look that found fewer than a batch. */
const LOOK_PAUSE_MS = 250
/** Deliveries that are sent but not recorded. They are sent again when the worker dies, so there are never many. */
const UNRECORDED_MAX = 25

/**
 * Sends everything that is due at a destination. Running twice is harmless: one run at a time has the lease, and what a
 * dead worker sent but did not record is sent again with the same id.
 */
export async function deliverDue(app: App, { destinationId }: { destinationId: number }, run: JobRun): Promise<void> {
  const lease = await leaseDestination(app, { destinationId, jobId: run.id, attempt: run.attempt })
  if (!lease) return
  const log = new AttemptLog(app, lease)
  try {
    const waitUntil = await sendAllDue(app, { lease, log, run })
    await releaseDestination(app, lease, { lastSuccessAt: log.health.lastSuccessAt, waitUntil })
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}

interface Sending {
  lease: LeasedDestination
  log: AttemptLog
  run: JobRun
}

/** Events that are sent and not yet recorded. `inFlight` falls as soon as the receiver has responded. */
interface Underway {
  unrecorded: Map<number, Promise<void>>
  inFlight: number
  /** Thrown at the end, once everything else under way is recorded. */
  failures: unknown[]
  wakeUp: WakeUp
}

/** Returns until when its host takes no more; null when everything due was sent, or the job's time is over. */
async function sendAllDue(app: App, sending: Sending): Promise<Date | null> {
  const { lease, log, run } = sending
  const endsAt = performance.now() + RUN_MS_MAX
  const underway: Underway = { unrecorded: new Map(), inFlight: 0, failures: [], wakeUp: new WakeUp() }
  const { unrecorded, failures, wakeUp } = underway
  let waitUntil: Date | null = null
  const mayContinue = () => {
    return waitUntil === null && performance.now() < endsAt && !run.signal.aborted && log.isOpen(app.clock.now())
  }
  // People read messages in the order in which they arrive, and Slack takes about one a second.
  const sentAtOnce = () => (lease.kind === 'webhook' ? inFlightMax(log.health, log.accepted) : 1)
  const isFree = () => underway.inFlight < sentAtOnce() && unrecorded.size < UNRECORDED_MAX
  let waiting: OutgoingEvent[] = []
  let found = 0
  let looksAgainAt = 0
  while (failures.length === 0 && mayContinue()) {
    // Most jobs send one event. The release looks again, and another job sends what became due meanwhile.
    if (found === 1 && waiting.length === 0 && unrecorded.size === 0) break
    if (waiting.length === 0 && (unrecorded.size === 0 || performance.now() >= looksAgainAt)) {
      waiting = await findDue(app, sending, unrecorded)
      found += waiting.length
      looksAgainAt = waiting.length === DUE_EVENTS_MAX ? 0 : performance.now() + LOOK_PAUSE_MS
    }
    while (waiting.length > 0 && isFree()) {
      const permit = await takePermit(app, sending)
      if (permit instanceof Date) {
        waitUntil = permit
        break
      }
      const message = takeMessage(app, sending, waiting)
      waiting = waiting.slice(message.events.length)
      const sent = sendMessage(app, sending, underway, { ...message, ...permit })
      for (const { eventNumber } of message.events) unrecorded.set(eventNumber, sent)
    }
    if (unrecorded.size === 0) break
    await wakeUp.wait(LOOK_AGAIN_MS)
  }
  await Promise.all(unrecorded.values())
  run.signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
  return waitUntil
}

interface Permit {
  use: SessionUse
  slot: TakenSlot
}

/** Returns what one attempt needs, or until when its host takes no more. */
async function takePermit(app: App, sending: Sending): Promise<Permit | Date> {
  const use = await takeWebhookSession(app, sending.lease.at)
  try {
    const slot = await takeHostSlot(app, use.session, toSlotRequest(sending))
    if (slot.kind === 'taken') return { use, slot }
    use.leave()
    return addSeconds(app.clock.now(), slot.seconds)
  } catch (error) {
    use.retire()
    throw error
  }
}

function toSlotRequest({ lease, log: { health } }: Sending): HostSlotRequest {
  const isProven = health.lastSuccessAt !== null || lease.kind !== 'webhook'
  return { url: lease.at, isProven, isFailing: health.consecutiveFailures > 0, holder: lease.holder }
}

/**
 * After every other pause, events that were tried before go first: a receiver that refuses each event once, or is too slow
 * the first time, would otherwise get a new one after every pause and be disabled without accepting any. After the other
 * pauses the longest due goes first: a receiver that refuses certain events for good must get another.
 */
function findDue(
  app: App,
  { lease, log }: Sending,
  unrecorded: ReadonlyMap<number, unknown>,
): Promise<OutgoingEvent[]> {
  const query = { destinationId: lease.id, except: [...unrecorded.keys()] }
  if (log.health.pauses % 2 === 0) return listDue(app, query)
  return listOwnDue(app.db, { ...query, limit: DUE_EVENTS_MAX, at: app.clock.now(), triedFirst: true })
}

interface Message {
  /** At least one; several where people read them together. */
  events: OutgoingEvent[]
  message?: OutgoingDelivery['message']
}

/** After a failure events go one by one, so that one that is refused for good does not hold up the others. */
function takeMessage(app: App, { lease: { kind }, log }: Sending, waiting: readonly OutgoingEvent[]): Message {
  if (kind === 'webhook') return { events: waiting.slice(0, 1) }
  const offered = log.health.consecutiveFailures > 0 ? waiting.slice(0, 1) : waiting
  const { events, body } = composeMessage(app, kind, offered)
  return { events, message: { kind, body } }
}

async function sendMessage(
  app: App,
  { lease, log, run }: Sending,
  underway: Underway,
  { events, message, use, slot }: Permit & Message,
): Promise<void> {
  const { url, keys } = lease
  const { timeoutSeconds } = app.config.webhooks
  const [event] = events as [OutgoingEvent]
  const outgoing = { url, keys, event, message, at: app.clock.now(), timeoutSeconds, signal: run.signal }
  try {
    underway.inFlight += 1
    const attempt = await attemptInSession(use, slot, outgoing).finally(() => {
      underway.inFlight -= 1
    })
    const recorded = log.recordAll(events.map((one) => ({ ...attempt, event: one })))
    underway.wakeUp.wake()
    await recorded
    webhookSeconds.observe({ verdict: attempt.result }, attempt.durationMs / 1_000)
    logAttempt(app, lease, attempt)
  } catch (error) {
    underway.failures.push(error)
  } finally {
    for (const { eventNumber } of events) underway.unrecorded.delete(eventNumber)
    underway.wakeUp.wake()
  }
}

async function attemptInSession(use: SessionUse, slot: TakenSlot, outgoing: OutgoingDelivery): Promise<Attempt> {
  try {
    const attempt = await attemptInSlot(slot, () => attemptDelivery(use.session, outgoing))
    leaveWebhookSession(use, attempt)
    return attempt
  } catch (error) {
    use.retire()
    throw error
  }
}

function logAttempt({ log }: App, lease: LeasedDestination, { event, status, error, durationMs }: Attempt): void {
  log.info({
    event: 'delivery.attempted',
    destination_id: lease.id,
    account_id: lease.accountId,
    event_id: event.eventId,
    attempt: event.attempt,
    status,
    error,
    duration_ms: durationMs,
  })
}

/** Wakes the loop that waits for it. */
class WakeUp {
  #resolve: () => void = () => undefined
  #isWoken = false

  wake(): void {
    this.#isWoken = true
    this.#resolve()
  }

  /** Waits for `wake`, for at most `timeoutMs`. Returns at once when it was called since the last wait. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#resolve = resolve
      const timer = setTimeout(resolve, timeoutMs)
      await promise
      clearTimeout(timer)
    }
    this.#isWoken = false
  }
}

// Deliveries that are due.

/** The most that one look returns. */
const DUE_EVENTS_MAX = 50

interface DueQuery {
  destinationId: number
  /** Events that are on their way. */
  except: readonly number[]
}

/** Returns what is due at a destination, the longest due first. Looks of jobs that run at the same time go together. */
export async function listDue(app: App, { destinationId, except }: DueQuery): Promise<OutgoingEvent[]> {
  const look = { destination_id: destinationId, except }
  const found = await app.webhookBatches.looks.add(look, (looks) => listDueOfAll(app.db, looks, app.clock.now()))
  return found as OutgoingEvent[]
}

interface DueRow extends OutgoingEvent {
  look: number
}

async function listDueOfAll(db: Db, looks: readonly object[], at: Date): Promise<OutgoingEvent[][]> {
  const found = looks.map((): OutgoingEvent[] => [])
  for (const { look, ...event } of await db.query<DueRow>(DUE_OF_ALL, [JSON.stringify(looks), at, DUE_EVENTS_MAX])) {
    found[look - 1]?.push(event)
  }
  return found
}

const EVENT = `delivery.event_number as "eventNumber", event.event_id as "eventId", event.signal_type as "signalType",
  event.body, delivery.attempts + 1 as attempt, delivery.is_replay as "isReplay"`

/** Each look reads its fifty in the order of the index, whatever the planner thinks of the rest. */
const DUE_OF_ALL = `select looks.look::integer as look, ${EVENT}
  from rows from (jsonb_to_recordset($1::jsonb) as (destination_id integer, "except" bigint[])) with ordinality
    as looks (destination_id, excepted, look)
  cross join lateral (
    select event_number, attempts, is_replay, due_at from webhook_delivery
    where destination_id = looks.destination_id and state = 'pending' and due_at <= $2
      and not event_number = any (looks.excepted)
    order by due_at, event_number limit $3
  ) as delivery
  join webhook_event as event on event.id = delivery.event_number
  order by looks.look, delivery.due_at, delivery.event_number`

interface OwnDueQuery extends DueQuery {
  limit: number
  at: Date
  /** Puts the deliveries with most attempts first. */
  triedFirst?: boolean
}

/** Returns the same for one destination alone, the longest due first unless `triedFirst`. */
export async function listOwnDue(db: Db, query: OwnDueQuery): Promise<OutgoingEvent[]> {
  const statement = query.triedFirst ? DUE_TRIED_FIRST : DUE
  return db.query<OutgoingEvent>(statement, [query.destinationId, query.at, query.except, query.limit])
}

const DUE = toStatement('')
/** Sorts everything that is due, so it is used only for a destination that was paused. */
const DUE_TRIED_FIRST = toStatement('delivery.attempts desc,')

function toStatement(firstOrder: string): string {
  return `select ${EVENT}
    from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
    where delivery.destination_id = $1 and delivery.state = 'pending' and delivery.due_at <= $2
      and not delivery.event_number = any ($3)
    order by ${firstOrder} delivery.due_at, delivery.event_number limit $4`
}
