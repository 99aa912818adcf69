import { setTimeout as sleep } from 'node:timers/promises'
import { type FetchedEvent, type Nameplate, NameplateError } from '../client.ts'
import { describeFailure } from '../failure.ts'
import type { ListenOutput } from './listen-output.ts'
import { type Receiver, sendToReceiver } from './send-to-receiver.ts'

export interface Listening {
  nameplate: Nameplate
  listenerId: number
  receiver: Receiver
  output: ListenOutput
  signal: AbortSignal
}

/** The service waits this long for an event before it returns none. */
const WAIT_SECONDS = 25
/** About five minutes: after that the service has closed the listener. */
const SERVICE_TRIES_MAX = 30
/** About ten minutes. */
const RECEIVER_TRIES_MAX = 60
const WAIT_MS_MAX = 10_000
const RETRY_AFTER_MS_MAX = 60_000
/** A service under load returns at once instead of waiting for an event. */
const BETWEEN_FETCHES_MS = 1_000

/**
 * Fetches events and sends them to the receiver until `signal` aborts, which rejects. An event that got any response is
 * reported as received; without a response the service returns it again.
 */
export async function forwardEvents(listening: Listening): Promise<never> {
  const serviceBackoff = new Backoff(SERVICE_TRIES_MAX)
  const receiverBackoff = new Backoff(RECEIVER_TRIES_MAX)
  let received: string[] = []
  for (;;) {
    const startedAt = performance.now()
    const events = await fetchWithRetries(listening, received, serviceBackoff)
    received = await sendAll(listening, events, receiverBackoff)
    const isEarly = performance.now() - startedAt < BETWEEN_FETCHES_MS
    if (events.length === 0 && isEarly) await sleep(BETWEEN_FETCHES_MS, undefined, { signal: listening.signal })
  }
}

async function fetchWithRetries(
  { nameplate, listenerId, output, signal }: Listening,
  received: readonly string[],
  backoff: Backoff,
): Promise<FetchedEvent[]> {
  for (;;) {
    try {
      const events = await nameplate.listeners.fetchEvents(listenerId, { received, waitSeconds: WAIT_SECONDS, signal })
      backoff.reset()
      return events
    } catch (error) {
      if (!(error instanceof NameplateError) || !(error.retryable || error.status >= 500)) throw error
      const delayMs = backoff.next()
      if (delayMs === null) throw error
      const retryAfterMs = Math.min((error.retryAfterSeconds ?? 0) * 1_000, RETRY_AFTER_MS_MAX)
      const waitMs = Math.max(delayMs, retryAfterMs)
      output.serviceAway(describeFailure(error), waitMs)
      await sleep(waitMs, undefined, { signal })
    }
  }
}

/** Sends events in their order, up to the first without a response. Returns the ids of those with one. */
async function sendAll(
  { receiver, output, signal }: Listening,
  events: readonly FetchedEvent[],
  backoff: Backoff,
): Promise<string[]> {
  const received: string[] = []
  for (const event of events) {
    const attempt = { ...event, attempt: event.attempt + backoff.failures }
    const result = await sendToReceiver(receiver, attempt, signal)
    if (result.kind === 'no_response') {
      const waitMs = backoff.next()
      if (waitMs === null) throw new Error(describeAbsence(receiver.url, result.reason))
      output.unanswered(attempt, { to: receiver.url, reason: result.reason, waitMs })
      await sleep(waitMs, undefined, { signal })
      break
    }
    backoff.reset()
    output.forwarded(attempt, result)
    received.push(event.event_id)
  }
  return received
}

function describeAbsence(url: URL, reason: string): string {
  return `${url.href} did not respond ${RECEIVER_TRIES_MAX} times in a row: ${reason}. Start your receiver, then listen again.`
}

/** Counts failures in a row and returns a longer pause after each. */
class Backoff {
  failures = 0
  readonly #failuresMax: number

  constructor(failuresMax: number) {
    this.#failuresMax = failuresMax
  }

  /** Returns how long to wait before the next try; null when this was the last. */
  next(): number | null {
    this.failures += 1
    return this.failures < this.#failuresMax ? Math.min(1_000 * 2 ** (this.failures - 1), WAIT_MS_MAX) : null
  }

  reset(): void {
    this.failures = 0
  }
}
