/** One attempt at one delivery: what is sent, what the response of the receiver means, the permission to send, and connections. */

import type { App } from '../../app.ts'
import type { WebhookConfig } from '../../config.ts'
import { addSeconds } from '../../lib/clock.ts'
import { GuardError, type WebAnswer, type WebSession } from '../../lib/web/guarded-client.ts'
import { releaseSlot, takeSlot, toSlotKeys } from '../../lib/web/outgoing-slot.ts'
import type { SessionUse } from '../../lib/web/shared-sessions.ts'
import { type CardKind, hideAddress } from '../cards/address.ts'
import { isGone } from '../cards/message.ts'
import { type SigningKeys, signatureHeaders } from '../destinations/secret.ts'
import { type AttemptResult, IN_FLIGHT_MAX } from './health.ts'

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

export interface OutgoingDelivery {
  url: string
  keys: SigningKeys
  event: OutgoingEvent
  /** Sent instead of the event's own body: a message that people read, which has no signature. */
  message?: { kind: CardKind; body: string } | undefined
  at: Date
  timeoutSeconds: number
  signal?: AbortSignal
}

export async function attemptDelivery(session: WebSession, delivery: OutgoingDelivery): Promise<Attempt> {
  const { url, keys, event, message, at } = delivery
  const timestamp = Math.floor(at.getTime() / 1_000)
  const begun = performance.now()
  const ended = (outcome: Pick<Attempt, 'status' | 'error' | 'response' | 'retryAfterSeconds'>): Attempt => {
    const durationMs = Math.round(performance.now() - begun)
    return { event, result: classifyResponse(outcome, message?.kind), startedAt: at, durationMs, ...outcome }
  }
  try {
    const response = await session.send(url, {
      method: 'POST',
      body: message?.body ?? event.body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(message
          ? {}
          : {
              'x-webhook-event': event.signalType,
              'x-webhook-attempt': String(event.attempt),
              ...signatureHeaders({ eventId: event.eventId, timestamp, body: event.body }, keys),
            }),
      },
      timeoutMs: delivery.timeoutSeconds * 1_000,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      whenTooLarge: 'cut',
      schemes: SCHEMES,
      ports: WEBHOOK_PORTS,
      ...(delivery.signal ? { signal: delivery.signal } : {}),
    })
    const retryAfterSeconds = readRetryAfter(response, at)
    const text = toText(response.body)
    const shown = message ? hideAddress(text, url) : text
    return ended({ status: response.status, error: null, response: shown, retryAfterSeconds })
  } catch (error) {
    // A process that stops cuts its own connections, which is no failure of the receiver.
    delivery.signal?.throwIfAborted()
    if (!(error instanceof GuardError) || session.isClosed) throw error
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
export function classifyResponse(
  { status, error, response = '' }: Pick<Attempt, 'status' | 'error'> & { response?: string },
  kind?: CardKind,
): AttemptResult {
  if (status !== null && status >= 200 && status < 300) return 'delivered'
  if (status === 410 || (kind && isGone(kind, { status, response }))) return 'gone'
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

// Permission to send one request to a destination. One host and one address get a limited number, from all accounts.

export interface TakenSlot {
  kind: 'taken'
  /** Never fails: a slot that is not released ends by itself. */
  release: (isAccepted: boolean) => Promise<void>
}

type HostSlot =
  | TakenSlot
  /** Nothing may be sent for so long. */
  | { kind: 'wait'; seconds: number }

export interface HostSlotRequest {
  url: Pick<URL, 'host' | 'hostname'>
  /** The destination has accepted an event before, or its host is one that takes messages for everyone. */
  isProven: boolean
  /** Its last attempt failed, so it waits longer: destinations that were never tried go first. */
  isFailing: boolean
  /** A unique name for the holder of the slot. */
  holder: string
}

/** More than the lookup of a name takes, on top of the request. */
const HOLD_MARGIN_SECONDS = 10
const PACE_WAIT_MS = 2_000
const BUSY_SECONDS = 5
const WAIT_SPREAD = 0.2
const SLOT_WAIT_SECONDS_MAX = 60

export async function takeHostSlot(app: App, session: WebSession, request: HostSlotRequest): Promise<HostSlot> {
  const { url } = request
  const addresses = await findAddresses(session, url.hostname)
  const target = { host: url.host, address: addresses[0] ?? url.hostname }
  if (!request.isProven) return takeUnprovenSlot(app, request, { addresses, target })
  const waitSeconds = await app.pace.admitToReceiver(target)
  return waitSeconds === null ? NOTHING_TO_RELEASE : waitFor(waitSeconds)
}

const NOTHING_TO_RELEASE: HostSlot = { kind: 'taken', release: async () => undefined }

async function takeUnprovenSlot(
  app: App,
  request: HostSlotRequest,
  at: { addresses: readonly string[]; target: { host: string; address: string } },
): Promise<HostSlot> {
  const { unprovenPerMinute, timeoutSeconds } = app.config.webhooks
  const everySeconds = (60 / unprovenPerMinute) * (request.isFailing ? 2 : 1)
  const keys = toSlotKeys(request.url.hostname, at.addresses, everySeconds)
  const { holder } = request
  const waitSeconds = await takeSlot(app.db, { keys, holder, holdSeconds: timeoutSeconds + HOLD_MARGIN_SECONDS })
  if (waitSeconds !== null) return waitFor(waitSeconds)
  const release = async (isAccepted: boolean) => {
    const warn = (error: unknown) => app.log.warn({ event: 'webhooks.turn_not_ended', error })
    await releaseSlot(app.db, { keys, holder, isAccepted }).catch(warn)
  }
  // Shared with crawls and documents of OAuth clients.
  if (await app.pace.waitToSend(at.target, PACE_WAIT_MS)) return { kind: 'taken', release }
  await release(false)
  return waitFor(BUSY_SECONDS)
}

/** Makes the attempt and then releases the slot. */
export async function attemptInSlot(slot: TakenSlot, makeAttempt: () => Promise<Attempt>): Promise<Attempt> {
  let isAccepted = false
  try {
    const attempt = await makeAttempt()
    isAccepted = attempt.result === 'delivered'
    return attempt
  } finally {
    await slot.release(isAccepted)
  }
}

/** Spreads the waits, so that not all destinations of one host return at the same moment. */
function waitFor(seconds: number): HostSlot {
  return { kind: 'wait', seconds: Math.min(seconds, SLOT_WAIT_SECONDS_MAX) * (1 + Math.random() * WAIT_SPREAD) }
}

/** Returns nothing for a name without an address: the request finds that out again, and its attempt is recorded. */
async function findAddresses(session: WebSession, host: string): Promise<string[]> {
  try {
    const addresses = await session.resolve(host)
    return addresses.length > 1 ? addresses.toSorted() : addresses
  } catch (error) {
    if (error instanceof GuardError) return []
    throw error
  }
}

// The connections of attempts.

/** As many jobs as a worker runs, each with all it may have in flight: no request waits for the connection of another. */
const CONNECTIONS_MAX = 500 * IN_FLIGHT_MAX

/** Opens a session that checks the address again. */
export function openWebhookSession({ web, config }: Pick<App, 'web' | 'config'>): WebSession {
  const userAgent = `Nameplate-Webhooks/1.0 (+${config.siteUrl.origin}/docs)`
  return web.openSession({ userAgent, connectionsPerOriginMax: CONNECTIONS_MAX })
}

/** Returns a session for one attempt, shared by all destinations at one origin. */
export function takeWebhookSession(app: App, at: Pick<URL, 'origin' | 'hostname'>): Promise<SessionUse> {
  return app.webhookSessions.take(at, () => openWebhookSession(app))
}

/** Failures after which the name may lead elsewhere, so the next attempt looks it up again. */
const RETIRES: ReadonlySet<string | null> = new Set([
  'blocked',
  'name_not_found',
  'name_timeout',
  'name_failed',
  'refused',
  'reset',
  'certificate',
  'tls',
  'network',
])

export function leaveWebhookSession(use: SessionUse, { error }: Pick<Attempt, 'error'>): void {
  if (RETIRES.has(error)) use.retire()
  else use.leave()
}
