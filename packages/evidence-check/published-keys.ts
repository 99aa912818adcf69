/** The published document of keys: every key that ever signed records, and the time-stamp authorities that are trusted. */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

export interface PublishedKey {
  id: string
  key: KeyObject
  activeFrom: Date
  /** Null while it signs. */
  activeUntil: Date | null
}

export interface PublishedKeys {
  keys: PublishedKey[]
  authorities: X509Certificate[]
  /** All that ever signed documents. */
  certificates: X509Certificate[]
}

const KEYS_MAX = 10_000
const AUTHORITIES_MAX = 100
const CERTIFICATES_MAX = 1_000

/** Throws where it is not such a document. */
export function parsePublishedKeys(document: unknown): PublishedKeys {
  const listed = (document ?? {}) as Record<string, unknown>
  const { keys, time_stamp_authorities: authorities, document_certificates: certificates } = listed
  if (!Array.isArray(keys) || keys.length > KEYS_MAX) throw new Error('this is not a document of keys')
  return {
    keys: keys.map(parseKey),
    authorities: parseCertificates(authorities, AUTHORITIES_MAX),
    certificates: parseCertificates(certificates, CERTIFICATES_MAX),
  }
}

function parseCertificates(list: unknown, max: number): X509Certificate[] {
  const texts: unknown[] = Array.isArray(list) ? list.slice(0, max) : []
  return texts.map((text) => new X509Certificate(Buffer.from(String(text), 'base64')))
}

function parseKey(value: unknown): PublishedKey {
  const { kid, kty, crv, x, active_from: from, active_until: until } = value as Record<string, unknown>
  const activeFrom = new Date(String(from))
  if (typeof kid !== 'string' || kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') {
    throw new Error('a key is not of the kind Ed25519')
  }
  if (Number.isNaN(activeFrom.getTime())) throw new Error('a key does not say since when it signs')
  return {
    id: kid,
    key: createPublicKey({ key: { kty, crv, x }, format: 'jwk' }),
    activeFrom,
    activeUntil: typeof until === 'string' ? new Date(until) : null,
  }
}

/** Clocks of two machines differ a little. */
export const CLOCKS_MS = 5 * 60_000
/** A process that had read the key just before the next one began signs with it for a moment longer. */
const GRACE_MS = 10 * 60_000

export function isActiveAt({ activeFrom, activeUntil }: PublishedKey, at: Date): boolean {
  const isBegun = at.getTime() >= activeFrom.getTime() - CLOCKS_MS
  return isBegun && (activeUntil === null || at.getTime() <= activeUntil.getTime() + GRACE_MS)
}
