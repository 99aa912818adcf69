/** One attempt at one delivery: what is sent, and what the receiver's response means. */
import type { WebhookConfig } from '../../config.ts'
import { addSeconds } from '../../lib/clock.ts'
import { GuardError, type WebAnswer, type WebSession } from '../../lib/web/guarded-client.ts'
import type { AttemptResult } from './health.ts'
import { type SigningKeys, signatureHeaders } from './signature.ts'

/** An event on its way to one destination. */
export interface OutgoingEvent {
  eventNumber: number
  eventId: string
  signalType: string
  body: string
  /** Starts at 1, also for a replay. */
  attempt: number
  isReplay: boolean
}

export interface Attempt {
  event: OutgoingEvent
  result: AttemptResult
  startedAt: Date
  durationMs: number
  status: number | null
  /** The kind of failure when no response came. */
  error: string | null
  /** The beginning of the response's body. */
  response: string
  retryAfterSeconds: number | null
}

const RESPONSE_BYTES_MAX = 4_096
const SCHEMES = ['https']
export const WEBHOOK_PORTS = [443, 8443]

export async function attemptDelivery(
  session: WebSession,
  delivery: {
    url: string
    keys: SigningKeys
    event: OutgoingEvent
    at: Date
    timeoutSeconds: number
    signal?: AbortSignal
  },
): Promise<Attempt> {
  const { url, keys, event, at } = delivery
  const timestamp = Math.floor(at.getTime() / 1_000)
  const begun = performance.now()
  const ended = (outcome: Pick<Attempt, 'status' | 'error' | 'response' | 'retryAfterSeconds'>): Attempt => {
    const durationMs = Math.round(performance.now() - begun)
    return { event, result: classifyResponse(outcome), startedAt: at, durationMs, ...outcome }
  }
  try {
    const response = await session.send(url, {
      method: 'POST',
      body: event.body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-webhook-event': event.signalType,
        'x-webhook-attempt': String(event.attempt),
        ...signatureHeaders({ eventId: event.eventId, timestamp, body: event.body }, keys),
      },
      timeoutMs: delivery.timeoutSeconds * 1_000,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      whenTooLarge: 'cut',
      schemes: SCHEMES,
      ports: WEBHOOK_PORTS,
      ...(delivery.signal ? { signal: delivery.signal } : {}),
    })
    const retryAfterSeconds = readRetryAfter(response, at)
    return ended({ status: response.status, error: null, response: toText(response.body), retryAfterSeconds })
  } catch (error) {
    // A process that stops cuts its own connections, which is no failure of the receiver.
    delivery.signal?.throwIfAborted()
    if (!(error instanceof GuardError)) throw error
    return ended({ status: null, error: error.reason, response: '', retryAfterSeconds: null })
  }
}

/** Returns the columns of `webhook_attempt`, without its destination. */
export function toAttemptRow({ event, startedAt, durationMs, status, error, response }: Attempt) {
  return {
    event_number: event.eventNumber,
    attempt: event.attempt,
    is_replay: event.isReplay,
    started_at: startedAt,
    duration_ms: durationMs,
    status,
    error,
    response,
  }
}

/** Any 2xx is a success. A redirect is not followed, so it is a failure like all other statuses. */
export function classifyResponse({ status, error }: Pick<Attempt, 'status' | 'error'>): AttemptResult {
  if (status !== null && status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return error === 'blocked' ? 'blocked' : 'failed'
}

const WAIT_SECONDS_MAX = 86_400

/** Returns when the next attempt is due; null after the last. ±20 %, so that what failed together is not retried together. */
export function nextAttemptAt(
  {
    event,
    startedAt,
    retryAfterSeconds,
  }: Pick<Attempt, 'startedAt' | 'retryAfterSeconds'> & {
    event: Pick<OutgoingEvent, 'attempt'>
  },
  { retrySeconds }: Pick<WebhookConfig, 'retrySeconds'>,
  random = Math.random(),
): Date | null {
  const planned = retrySeconds[event.attempt]
  if (planned === undefined) return null
  const requested = Math.min(retryAfterSeconds ?? 0, WAIT_SECONDS_MAX)
  return addSeconds(startedAt, Math.max(planned * (0.8 + random * 0.4), requested))
}

const RETRY_AFTER_STATUSES = new Set([429, 503])

/** Reads seconds or a date (RFC 9110 §10.2.3) from a response that asks us to wait. */
function readRetryAfter({ status, headers }: WebAnswer, at: Date): number | null {
  const value = headers['retry-after']
  if (!RETRY_AFTER_STATUSES.has(status) || value === undefined) return null
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - at.getTime()) / 1_000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null
}

/** Drops control characters other than tabs and line ends: owners see this as text, and PostgreSQL stores no zero byte. */
function toText(body: Buffer): string {
  return body.toString('utf8').replace(/\p{Cc}/gu, (character) => (/[\t\n\r]/.test(character) ? character : ''))
}
