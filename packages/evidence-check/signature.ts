/** The signature of a text: a JWS (RFC 7515) by Ed25519 whose payload is detached, as its Appendix F describes. */
import { createHash, type KeyObject, sign, verify } from 'node:crypto'

const SIGNED_TYPE = 'nameplate-evidence'
const ALGORITHM = 'EdDSA'

/** Signs the text; the result has no payload between its two dots. */
export function signText(text: string, { id, key }: { id: string; key: KeyObject }): string {
  const header = Buffer.from(JSON.stringify({ alg: ALGORITHM, kid: id, typ: SIGNED_TYPE })).toString('base64url')
  return `${header}..${sign(null, toSigned(header, text), key).toString('base64url')}`
}

/** Returns the id of the key that a signature names; null where it is none of ours. */
export function findKeyId(jws: string): string | null {
  const { alg, kid, typ } = readHeader(jws)
  return alg === ALGORITHM && typ === SIGNED_TYPE && typeof kid === 'string' ? kid : null
}

export function isSignatureOf(text: string, jws: string, key: KeyObject): boolean {
  const [header = '', payload, signature = '', more] = jws.split('.')
  if (payload !== '' || more !== undefined) return false
  const bytes = Buffer.from(signature, 'base64url')
  return bytes.toString('base64url') === signature && verify(null, toSigned(header, text), key, bytes)
}

function toSigned(header: string, text: string): Buffer {
  return Buffer.from(`${header}.${Buffer.from(text).toString('base64url')}`)
}

function readHeader(jws: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString('utf8'))
    return typeof header === 'object' && header !== null ? (header as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The hash that is time-stamped: of a text and its signature, with a line feed between them. */
export function sealOf(text: string, jws: string): Buffer {
  return createHash('sha256').update(`${text}\n${jws}`).digest()
}
