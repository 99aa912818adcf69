/** Time stamps of RFC 3161: the request, and the check of a response or token. Certificates are Node's own work. */
import { constants, createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import {
  BadForm,
  childrenOf,
  type DerValue,
  expectTag,
  readDer,
  readInteger,
  readOctets,
  readOid,
  readTime,
  TAG,
  writeDer,
} from './der.ts'

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
  signedData: '1.2.840.113549.1.7.2',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  pss: '1.2.840.113549.1.1.10',
  ed25519: '1.3.101.112',
} as const

const HASHES: Readonly<Record<string, string>> = {
  [OID.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
/** Algorithms whose identifier names the hash; the others take the hash of the signer's own field. */
const SIGNATURE_HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}
export const TOKEN_BYTES_MAX = 64 * 1024
const CHAIN_MAX = 6
const CERTIFICATES_MAX = 20

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
  const signed = readSignedData(token)
  const info = childrenOf(readDer(signed.content), TAG.sequence)
  const [algorithm, imprint] = childrenOf(info[2], TAG.sequence)
  if (readOid(childrenOf(algorithm, TAG.sequence)[0]) !== OID.sha256) throw new BadForm('its hash is not SHA-256')
  const at = readTime(info[4])
  const certificate = checkSigner(signed, at)
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

interface SignedData {
  content: Buffer
  certificates: X509Certificate[]
  signer: DerValue[]
}

function readSignedData(token: Buffer): SignedData {
  const [type, wrapped] = childrenOf(readDer(token), TAG.sequence)
  if (readOid(type) !== OID.signedData) throw new BadForm('it is not signed')
  const parts = childrenOf(childrenOf(wrapped, TAG.context0)[0], TAG.sequence)
  const [contentType, content] = childrenOf(parts[2], TAG.sequence)
  if (readOid(contentType) !== OID.stampInfo) throw new BadForm('it is no time stamp')
  const certificates = parts.slice(3).find(({ tag }) => tag === TAG.context0)
  const signers = childrenOf(parts.at(-1), TAG.set)
  if (signers.length !== 1) throw new BadForm('it does not have one signer')
  const listed = certificates ? childrenOf(certificates, TAG.context0) : []
  return {
    content: readOctets(childrenOf(content, TAG.context0)[0]),
    certificates: listed.slice(0, CERTIFICATES_MAX).map(({ whole }) => openCertificate(whole)),
    signer: childrenOf(signers[0], TAG.sequence),
  }
}

function openCertificate(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (cause) {
    throw new BadForm('a certificate in it cannot be read', { cause })
  }
}

/** Returns the signer's certificate, once everything that the signature covers is as it must be. */
function checkSigner({ content, certificates, signer }: SignedData, at: Date): X509Certificate {
  const [, , digestAlgorithm, attributes, signatureAlgorithm, signature] = signer
  const hash = HASHES[readOid(childrenOf(digestAlgorithm, TAG.sequence)[0])]
  if (!hash) throw new BadForm('its hash is of an unknown kind')
  const values = readAttributes(expectTag(attributes, TAG.context0))
  if (readOid(values.get(OID.contentType)) !== OID.stampInfo) throw new BadForm('its signature is about something else')
  const digest = expectTag(values.get(OID.messageDigest), TAG.octets).content
  if (!isSame(digest, createHash(hash).update(content).digest())) throw new BadForm('its content was changed')
  const certificate = findCertificate(values, certificates)
  // What is signed are the attributes as a set, while the token has them under another tag.
  const covered = Buffer.concat([Buffer.from([TAG.set]), expectTag(attributes, TAG.context0).whole.subarray(1)])
  const algorithm = readOid(childrenOf(signatureAlgorithm, TAG.sequence)[0])
  if (!isSignedBy(certificate, covered, { algorithm, hash, signature: expectTag(signature, TAG.octets).content })) {
    throw new BadForm('its signature is not the authority’s')
  }
  if (!certificate.keyUsage?.includes(OID.timeStamping)) throw new BadForm('its certificate is not for time stamps')
  if (!isValidAt(certificate, at)) throw new BadForm('its certificate was not valid at that time')
  return certificate
}

function readAttributes(attributes: DerValue): Map<string, DerValue> {
  const values = new Map<string, DerValue>()
  for (const attribute of childrenOf(attributes, TAG.context0)) {
    const [type, set] = childrenOf(attribute, TAG.sequence)
    const [value, more] = childrenOf(set, TAG.set)
    const name = readOid(type)
    if (!value || more || values.has(name)) throw new BadForm('a signed attribute is not there once')
    values.set(name, value)
  }
  return values
}

/** The signed attributes name the certificate by its hash, so that no other with the same key is accepted. */
function findCertificate(values: Map<string, DerValue>, certificates: readonly X509Certificate[]): X509Certificate {
  const second = values.get(OID.signingCertificateV2)
  const [list] = childrenOf(second ?? values.get(OID.signingCertificate), TAG.sequence)
  const named = childrenOf(childrenOf(list, TAG.sequence)[0], TAG.sequence)
  const isHashNamed = second !== undefined && named[0]?.tag === TAG.sequence
  const hash = isHashNamed ? HASHES[readOid(childrenOf(named[0], TAG.sequence)[0])] : second ? 'sha256' : 'sha1'
  if (!hash) throw new BadForm('its certificate is named by an unknown hash')
  const wanted = expectTag(isHashNamed ? named[1] : named[0], TAG.octets).content
  const found = certificates.find(({ raw }) => isSame(createHash(hash).update(raw).digest(), wanted))
  if (!found) throw new BadForm('it lacks the certificate of its signer')
  return found
}

function isSignedBy(
  { publicKey }: X509Certificate,
  covered: Buffer,
  { algorithm, hash, signature }: { algorithm: string; hash: string; signature: Buffer },
): boolean {
  try {
    if (algorithm === OID.ed25519) return verify(null, covered, publicKey, signature)
    const padding = algorithm === OID.pss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}
    return verify(SIGNATURE_HASHES[algorithm] ?? hash, covered, { key: publicKey, ...padding }, signature)
  } catch {
    // A key of another kind than the signature says.
    return false
  }
}

function leadsTo(
  certificate: X509Certificate,
  { at, trusted, between }: { at: Date; trusted: readonly X509Certificate[]; between: readonly X509Certificate[] },
): boolean {
  const known = new Set(trusted.map(({ fingerprint256 }) => fingerprint256))
  let current: X509Certificate | undefined = certificate
  for (let step = 0; step < CHAIN_MAX && current; step += 1) {
    if (known.has(current.fingerprint256)) return true
    const below: X509Certificate = current
    current = [...trusted, ...between].find(
      (one) => one.ca && isValidAt(one, at) && below.checkIssued(one) && below.verify(one.publicKey),
    )
  }
  return false
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, at: Date) =>
  at >= new Date(validFrom) && at <= new Date(validTo)

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** The common name, or else the whole subject on one line. */
function describeSubject({ subject }: X509Certificate): string {
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}
