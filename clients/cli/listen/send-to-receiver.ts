import { createHmac } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { describeConnectionFailure, type FetchedEvent } from '../client.ts'

export interface Receiver {
  url: URL
  /** Signs the events, `whsec_` included. */
  secret: string
}

export type SendResult =
  | { kind: 'response'; status: number; durationMs: number }
  | { kind: 'no_response'; reason: string }

/** As long as the service waits for a receiver. */
const TIMEOUT_MS = 15_000
const RESPONSE_BYTES_MAX = 8 * 1_024 * 1_024

/**
 * Sends an event as the service would: the same bytes, headers and signatures. Any response counts, redirects too. Rejects
 * only when `signal` aborts. `fetch` is of no use here: it adds headers, and refuses some ports.
 */
export async function sendToReceiver(
  { url, secret }: Receiver,
  event: FetchedEvent,
  signal: AbortSignal,
): Promise<SendResult> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const startedAt = performance.now()
  try {
    const status = await post(url, {
      headers: {
        'user-agent': 'Nameplate-Webhooks/1.0 (nameplate listen)',
        'content-type': 'application/json; charset=utf-8',
        'x-webhook-event': event.signal_type,
        'x-webhook-attempt': String(event.attempt),
        ...signatureHeaders(event, secret),
      },
      body: event.body,
      signal: AbortSignal.any([timeout, signal]),
    })
    return { kind: 'response', status, durationMs: Math.round(performance.now() - startedAt) }
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return { kind: 'no_response', reason: `no answer within ${TIMEOUT_MS / 1_000} s` }
    return { kind: 'no_response', reason: describeConnectionFailure(error) }
  }
}

interface Message {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/** Resolves with the status once the whole response has arrived. */
function post(url: URL, { headers, body, signal }: Message): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = request(url, { method: 'POST', headers, signal }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > RESPONSE_BYTES_MAX) response.destroy(new Error('its answer is too large'))
      })
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Returns both signatures over the same bytes: the service's own, and that of Standard Webhooks 1.0.0. */
function signatureHeaders({ event_id: id, body }: FetchedEvent, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return {
    'x-webhook-id': id,
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  }
}
