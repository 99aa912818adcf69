import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { App } from '../../app.ts'
import { describeSealedColumn } from '../../lib/db/reseal.ts'

export interface SealedSecrets {
  id: number
  secret_sealed: string
  previous_secret_sealed: string | null
  previous_secret_until: Date | null
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealSecret({ secrets }: Pick<App, 'secrets'>, destinationId: number, secret: string): string {
  return secrets.seal(secret, contextOf(destinationId))
}

/** Returns the keys that sign at this moment. */
export function readSigningKeys({ secrets }: Pick<App, 'secrets'>, sealed: SealedSecrets, at: Date): SigningKeys {
  const reveal = (text: string) => secrets.unseal(text, contextOf(sealed.id))
  const { previous_secret_sealed: previous, previous_secret_until: until } = sealed
  const signsStill = previous !== null && until !== null && until > at
  return toSigningKeys({ current: reveal(sealed.secret_sealed), previous: signsStill ? reveal(previous) : null })
}

function contextOf(destinationId: number): string {
  return `webhook_destination:${destinationId}`
}

/** The address of a destination that people read is a secret of its own. */
export function sealAddress({ secrets }: Pick<App, 'secrets'>, destinationId: number, address: string): string {
  return secrets.seal(address, contextOf(destinationId))
}

export function unsealAddress({ secrets }: Pick<App, 'secrets'>, destinationId: number, sealed: string): string {
  return secrets.unseal(sealed, contextOf(destinationId))
}

export const SEALED_WEBHOOK_SECRET = toSealedColumn('secret_sealed')
export const SEALED_WEBHOOK_ADDRESS = toSealedColumn('address_sealed')
export const SEALED_PREVIOUS_WEBHOOK_SECRET = toSealedColumn('previous_secret_sealed')

function toSealedColumn(column: 'secret_sealed' | 'previous_secret_sealed' | 'address_sealed') {
  return describeSealedColumn({ table: 'webhook_destination', column, key: ['id'], start: ['0'], sealedFor: ['id'] })
}

interface SecretKeys {
  /** Made of the secret as it is shown, with its prefix. */
  own: KeyObject
  /** Made of the bytes that its base64 encodes. */
  standard: KeyObject
}

/** The keys that sign: the current one, and for a while after a rotation the previous one as well. */
export interface SigningKeys {
  current: SecretKeys
  previous: SecretKeys | null
}

/** Makes the keys once for many events: a signature from plain text makes its own key, which takes five times as long. */
export function toSigningKeys(secrets: { current: string; previous: string | null }): SigningKeys {
  return { current: toKeys(secrets.current), previous: secrets.previous === null ? null : toKeys(secrets.previous) }
}

interface SignedParts {
  eventId: string
  /** Unix seconds of this attempt. */
  timestamp: number
  /** Exactly as it is sent. */
  body: string
}

/**
 * Returns the headers that prove to a receiver that a delivery is ours. Two schemes over the same bytes: our own, and that
 * of Standard Webhooks 1.0.0, which has libraries for most languages.
 */
export function signatureHeaders(parts: SignedParts, { current, previous }: SigningKeys): Record<string, string> {
  const { eventId, timestamp } = parts
  const standard = signStandard(parts, current)
  return {
    'x-webhook-id': eventId,
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': sign(parts, current),
    ...(previous === null ? {} : { 'x-webhook-signature-previous': sign(parts, previous) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': previous === null ? standard : `${standard} ${signStandard(parts, previous)}`,
  }
}

function toKeys(secret: string): SecretKeys {
  return {
    own: createSecretKey(secret, 'utf8'),
    standard: createSecretKey(secret.replace(/^whsec_/, ''), 'base64'),
  }
}

function sign({ timestamp, body }: SignedParts, { own }: SecretKeys): string {
  return createHmac('sha256', own).update(`${timestamp}.${body}`).digest('hex')
}

function signStandard({ eventId, timestamp, body }: SignedParts, { standard }: SecretKeys): string {
  return `v1,${createHmac('sha256', standard).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`
}
