/** Time stamps of RFC 3161: the request, and the check of a response or token. */
import type { X509Certificate } from 'node:crypto'
import { BadForm, childrenOf, expectTag, readDer, readInteger, readOid, readTime, TAG, writeDer } from './der.ts'
import { checkSigner, describeSubject, isValidAt, leadsTo, readSignedData } from './signed-data.ts'

export interface TimeStamp {
  at: Date
  /** The hash that it is about; always SHA-256. */
  imprint: Buffer
  nonce: bigint | null
  serial: bigint
  /** The authority, as its certificate names it. */
  authority: string
  /** True where its certificate leads to one that is trusted. */
  isTrusted: boolean
}

const OID = {
  sha256: '2.16.840.1.101.3.4.2.1',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const

export const TOKEN_BYTES_MAX = 64 * 1024

/** Writes a request for a stamp of a SHA-256 hash, with the certificates. The nonce ties the response to it. */
export function writeStampRequest(imprint: Buffer, nonce: Buffer): Buffer {
  const version = writeDer(TAG.integer, Buffer.from([1]))
  const algorithm = writeDer(TAG.sequence, writeDer(TAG.oid, Buffer.from('608648016503040201', 'hex')))
  const number = writeDer(TAG.integer, Buffer.concat([Buffer.from([1]), nonce]))
  const wantsCertificates = writeDer(TAG.boolean, Buffer.from([0xff]))
  return writeDer(
    TAG.sequence,
    version,
    writeDer(TAG.sequence, algorithm, writeDer(TAG.octets, imprint)),
    number,
    wantsCertificates,
  )
}

/** The nonce of a request as a stamp has it: a byte before it keeps it positive and its length the same. */
export const toNonce = (nonce: Buffer): bigint => BigInt(`0x01${nonce.toString('hex')}`)

/** Takes the token out of a response. Throws `BadForm` where the authority refused. */
export function openStampResponse(bytes: Buffer): Buffer {
  const [info, token] = childrenOf(readDer(bytes), TAG.sequence)
  const status = readInteger(childrenOf(info, TAG.sequence)[0])
  if (status !== 0n && status !== 1n) throw new BadForm(`the authority refused (status ${status})`)
  return expectTag(token, TAG.sequence).whole
}

/** Reads a token and checks its signature. Throws `BadForm`, with the reason, where any part of it does not hold. */
export function readTimeStamp(token: Buffer, trusted: readonly X509Certificate[]): TimeStamp {
  if (token.length > TOKEN_BYTES_MAX) throw new BadForm('it is too long')
  const signed = readSignedData(token, OID.stampInfo)
  if (!signed.content) throw new BadForm('it is empty')
  const info = childrenOf(readDer(signed.content), TAG.sequence)
  const [algorithm, imprint] = childrenOf(info[2], TAG.sequence)
  if (readOid(childrenOf(algorithm, TAG.sequence)[0]) !== OID.sha256) throw new BadForm('its hash is not SHA-256')
  const at = readTime(info[4])
  const { certificate } = checkSigner(signed, { content: [signed.content], type: OID.stampInfo })
  if (!certificate.keyUsage?.includes(OID.timeStamping)) throw new BadForm('its certificate is not for time stamps')
  if (!isValidAt(certificate, at)) throw new BadForm('its certificate was not valid at that time')
  const nonce = info.slice(5).find(({ tag }) => tag === TAG.integer)
  return {
    at,
    imprint: Buffer.from(expectTag(imprint, TAG.octets).content),
    nonce: nonce ? readInteger(nonce) : null,
    serial: readInteger(info[3]),
    authority: describeSubject(certificate),
    isTrusted: leadsTo(certificate, { at, trusted, between: signed.certificates }),
  }
}

/** The same; returns the reason in words where it does not hold. */
export function findStamp(token: Buffer, trusted: readonly X509Certificate[]): TimeStamp | string {
  try {
    return readTimeStamp(token, trusted)
  } catch (error) {
    // Node's own reader of certificates has errors of its own for hostile ones.
    return error instanceof BadForm ? error.message : 'a certificate in it cannot be read'
  }
}
