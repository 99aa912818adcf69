import type { ResolutionCompletedEvent, SignalEvent, TestEvent } from './bodies.ts'
import { WebhookSignatureError } from './errors.ts'

export type WebhookEvent = SignalEvent | ResolutionCompletedEvent | TestEvent

export interface ReceivedWebhook {
  /** The secret of the destination, `whsec_` included. */
  secret: string
  headers: Headers | Record<string, string | string[] | undefined>
  /** The received body: JSON that was parsed and written again has other bytes. */
  body: string | Uint8Array
  /** The greatest difference from the sender's clock; by default 300. */
  toleranceSeconds?: number | undefined
  /** Unix seconds, for your tests. */
  nowSeconds?: number | undefined
}

const TOLERANCE_SECONDS = 300
/** The second is present for a day after a rotation, and is made with the previous secret. */
const SIGNATURES = ['x-webhook-signature', 'x-webhook-signature-previous']

/** Returns the event if it was signed with your secret a moment ago; throws `WebhookSignatureError` otherwise. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { secret, headers, toleranceSeconds = TOLERANCE_SECONDS, nowSeconds = Date.now() / 1_000 } = received
  if (secret === '') throw new TypeError('Give the secret of the destination.')
  const timestamp = readHeader(headers, 'x-webhook-timestamp')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookSignatureError('It has no timestamp.')
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookSignatureError(`It was not sent within ${toleranceSeconds} s of now.`)
  }
  const body = typeof received.body === 'string' ? new TextEncoder().encode(received.body) : received.body
  const signed = concatenate(new TextEncoder().encode(`${timestamp}.`), body)
  const key = await importSecret(secret)
  for (const name of SIGNATURES) {
    const signature = parseHex(readHeader(headers, name))
    // Compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) {
      return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
    }
  }
  throw new WebhookSignatureError('No signature fits the secret.')
}

async function importSecret(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
}

function readHeader(headers: ReceivedWebhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function concatenate(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + tail.length)
  joined.set(head)
  joined.set(tail, head.length)
  return joined
}

function parseHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
