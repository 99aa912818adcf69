/** One attempt at one delivery: what is sent, and what its answer means. */
import type { WebhookConfig } from '../../config.ts'
import { addSeconds } from '../../lib/clock.ts'
import { GuardError, type WebAnswer, type WebSession } from '../../lib/web/guarded-client.ts'
import type { Verdict } from './health.ts'
import { type SigningSecrets, signatureHeaders } from './signature.ts'

/** An event on its way to one destination. */
export interface OutgoingEvent {
  eventNumber: number
  eventId: string
  signalType: string
  body: string
  /** 1 for the first, also of a replay. */
  attempt: number
  isReplay: boolean
}

export interface Attempt {
  event: OutgoingEvent
  startedAt: Date
  durationMs: number
  status: number | null
  /** The kind of failure when no answer came. */
  error: string | null
  /** The beginning of the answer's body. */
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
    secrets: SigningSecrets
    event: OutgoingEvent
    at: Date
    timeoutSeconds: number
    signal?: AbortSignal
  },
): Promise<Attempt> {
  const { url, secrets, event, at } = delivery
  const timestamp = Math.floor(at.getTime() / 1_000)
  const begun = performance.now()
  const ended = (answer: Pick<Attempt, 'status' | 'error' | 'response' | 'retryAfterSeconds'>): Attempt => {
    return { event, startedAt: at, durationMs: Math.round(performance.now() - begun), ...answer }
  }
  try {
    const answer = await session.send(url, {
      method: 'POST',
      body: event.body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-webhook-event': event.signalType,
        'x-webhook-attempt': String(event.attempt),
        ...signatureHeaders({ eventId: event.eventId, timestamp, body: event.body }, secrets),
      },
      timeoutMs: delivery.timeoutSeconds * 1_000,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      whenTooLarge: 'cut',
      schemes: SCHEMES,
      ports: WEBHOOK_PORTS,
      ...(delivery.signal ? { signal: delivery.signal } : {}),
    })
    const retryAfterSeconds = readRetryAfter(answer, at)
    return ended({ status: answer.status, error: null, response: toText(answer.body), retryAfterSeconds })
  } catch (error) {
    // A process that stops cuts off its own connections: what it saw then is not the receiver's doing.
    delivery.signal?.throwIfAborted()
    if (!(error instanceof GuardError)) throw error
    return ended({ status: null, error: error.reason, response: '', retryAfterSeconds: null })
  }
}

/** Any 2xx is a success; a redirect is not followed, so it is a failure like all the rest. */
export function judge({ status, error }: Pick<Attempt, 'status' | 'error'>): Verdict {
  if (status !== null && status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return error === 'blocked' ? 'blocked' : 'failed'
}

const WAIT_SECONDS_MAX = 86_400

/** When the next attempt is due; null when this was the last. ±20 %, so that what failed together does not return together. */
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
  const asked = Math.min(retryAfterSeconds ?? 0, WAIT_SECONDS_MAX)
  return addSeconds(startedAt, Math.max(planned * (0.8 + random * 0.4), asked))
}

const TELLS_WHEN = new Set([429, 503])

/** Seconds or a date (RFC 9110 §10.2.3), where the answer says that it is too much. */
function readRetryAfter({ status, headers }: WebAnswer, at: Date): number | null {
  const value = headers['retry-after']
  if (!TELLS_WHEN.has(status) || value === undefined) return null
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - at.getTime()) / 1_000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null
}

/** Shown as text: control characters other than tabs and line ends are left out. PostgreSQL takes no zero byte either. */
function toText(body: Buffer): string {
  return body.toString('utf8').replace(/\p{Cc}/gu, (character) => (/[\t\n\r]/.test(character) ? character : ''))
}
