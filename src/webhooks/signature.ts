import { createHmac } from 'node:crypto'

/** The secrets that sign: the current one, and for a while after a rotation the previous one as well. */
export interface SigningSecrets {
  current: string
  previous: string | null
}

export interface SignedParts {
  eventId: string
  /** Unix seconds of this attempt. */
  timestamp: number
  /** Exactly as it is sent. */
  body: string
}

/**
 * The headers by which a receiver knows that a delivery is ours. Two schemes over the same bytes: our own, and that of
 * Standard Webhooks 1.0.0, whose libraries exist for most languages.
 */
export function signatureHeaders(parts: SignedParts, secrets: SigningSecrets): Record<string, string> {
  const { eventId, timestamp } = parts
  const all = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])]
  return {
    'x-webhook-id': eventId,
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': sign(parts, secrets.current),
    ...(secrets.previous === null ? {} : { 'x-webhook-signature-previous': sign(parts, secrets.previous) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': all.map((secret) => signStandard(parts, secret)).join(' '),
  }
}

/** Keyed with the secret as it is shown, prefix and all. */
export function sign({ timestamp, body }: Omit<SignedParts, 'eventId'>, secret: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

/** Keyed with the bytes that the secret's base64 stands for. */
function signStandard({ eventId, timestamp, body }: SignedParts, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`
}
