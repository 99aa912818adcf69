/** Asks the operator's time-stamp authority (RFC 3161) for stamps, and checks them before they are stored. */
import { randomBytes, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  BadForm,
  openStampResponse,
  readTimeStamp,
  TOKEN_BYTES_MAX,
  toNonce,
  writeStampRequest,
} from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { openOwnServerFetch } from '../../lib/web/outgoing-fetch.ts'

const NONCE_BYTES = 8
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns the certificates of authorities that the operator trusts. Older records need them where none is asked any more. */
export async function readAuthorities({ config }: Pick<App, 'config'>): Promise<X509Certificate[]> {
  const file = config.timeStampCertificatesFile
  if (!file) return []
  const text = await readFile(file, 'utf8')
  return (text.match(CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem))
}

/**
 * Returns a stamp of this hash as DER. Throws `BadForm` for a response that does not hold: of another hash, with another nonce,
 * with a signature that fails, or by an authority that is not trusted.
 */
export async function requestStamp(app: Pick<App, 'config'>, imprint: Buffer): Promise<Buffer> {
  const { timeStamp } = app.config
  if (!timeStamp) throw new Error('no time-stamp authority is configured')
  const trusted = await readAuthorities(app)
  const nonce = randomBytes(NONCE_BYTES)
  const timeoutMs = timeStamp.timeoutSeconds * 1_000
  const server = openOwnServerFetch(timeStamp.url.origin, { connections: 1, timeoutMs, bodyBytesMax: TOKEN_BYTES_MAX })
  try {
    const response = await server.send(timeStamp.url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: new Uint8Array(writeStampRequest(imprint, nonce)),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) throw new BadForm(`the authority responded with status ${response.status}`)
    const token = openStampResponse(Buffer.from(await response.arrayBuffer()))
    const stamp = readTimeStamp(token, trusted)
    if (!stamp.imprint.equals(imprint)) throw new BadForm('the stamp is of another hash')
    if (stamp.nonce !== toNonce(nonce)) throw new BadForm('the stamp is for another request')
    if (trusted.length > 0 && !stamp.isTrusted) throw new BadForm('its authority is not one of TIME_STAMP_CA_FILE')
    return Buffer.from(token)
  } finally {
    await server.close()
  }
}
