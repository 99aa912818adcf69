import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from 'undici'
import { DomainError, isRetryable } from '../../errors.ts'
import { handOn } from './hand-on.ts'
import type { ListenOutput } from './listen-output.ts'
import type { FetchedEvent, ListenerClient } from './listener-client.ts'

export interface Listening {
  client: ListenerClient
  agent: Agent
  listener: { id: number; secret: string }
  to: URL
  say: ListenOutput
  signal: AbortSignal
}

/** About five minutes: a listener that has not asked for so long is gone. */
const SERVICE_TRIES_MAX = 30
/** About ten minutes. */
const RECEIVER_TRIES_MAX = 60
const WAIT_MS_MAX = 10_000
const RETRY_AFTER_MS_MAX = 60_000
/** A service with too much to do does not wait for events. */
const BETWEEN_FETCHES_MS = 1_000

/** Goes on until `signal` ends it by throwing. Any answer of the receiver counts; without one the event comes again. */
export async function forwardEvents(listening: Listening): Promise<never> {
  const service = new Patience(SERVICE_TRIES_MAX)
  const receiver = new Patience(RECEIVER_TRIES_MAX)
  let received: string[] = []
  for (;;) {
    const askedAt = performance.now()
    const events = await fetchPatiently(listening, received, service)
    received = await handOnAll(listening, events, receiver)
    const isEarly = performance.now() - askedAt < BETWEEN_FETCHES_MS
    if (events.length === 0 && isEarly) await sleep(BETWEEN_FETCHES_MS, undefined, { signal: listening.signal })
  }
}

async function fetchPatiently(
  { client, listener, say, signal }: Listening,
  received: readonly string[],
  service: Patience,
): Promise<FetchedEvent[]> {
  for (;;) {
    try {
      const events = await client.fetchEvents(listener.id, { received, signal })
      service.renew()
      return events
    } catch (error) {
      const waitMs = error instanceof DomainError && isRetryable(error.code) ? service.spend() : null
      if (waitMs === null || !(error instanceof DomainError)) throw error
      const askedMs = Math.min((error.retryAfterSeconds ?? 0) * 1_000, RETRY_AFTER_MS_MAX)
      say.serviceAway(error.message, Math.max(waitMs, askedMs))
      await sleep(Math.max(waitMs, askedMs), undefined, { signal })
    }
  }
}

/** In their order, up to the first that gets no answer. Answers the ids of those that did. */
async function handOnAll(
  { agent, listener, to, say, signal }: Listening,
  events: readonly FetchedEvent[],
  receiver: Patience,
): Promise<string[]> {
  const received: string[] = []
  for (const event of events) {
    const again = { ...event, attempt: event.attempt + receiver.spent }
    const { outcome, durationMs } = await handOn(agent, again, { to, secret: listener.secret, signal })
    if (outcome.kind === 'unanswered') {
      const waitMs = receiver.spend()
      if (waitMs === null) throw gaveUp(to, outcome.reason)
      say.unanswered(again, { to, reason: outcome.reason, waitMs })
      await sleep(waitMs, undefined, { signal })
      break
    }
    receiver.renew()
    say.handedOn(again, { status: outcome.status, durationMs })
    received.push(event.event_id)
  }
  return received
}

function gaveUp(to: URL, reason: string): DomainError {
  const message = `${to.href} did not answer ${RECEIVER_TRIES_MAX} times in a row: ${reason}. Start your receiver, then listen again.`
  return new DomainError('unavailable', message)
}

/** Waits longer each time that something fails, and not for ever. */
class Patience {
  spent = 0
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** How long to wait before the next try; null when this was the last. */
  spend(): number | null {
    this.spent += 1
    return this.spent < this.#max ? Math.min(1_000 * 2 ** (this.spent - 1), WAIT_MS_MAX) : null
  }

  renew(): void {
    this.spent = 0
  }
}
