/** Signed messages (CMS, RFC 5652) with one signer: time stamps, and signatures of documents. Certificates are Node's own work. */
import { constants, createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { BadForm, childrenOf, type DerValue, expectTag, readDer, readOctets, readOid, TAG } from './der.ts'

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  pss: '1.2.840.113549.1.1.10',
  ed25519: '1.3.101.112',
} as const

const HASHES: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
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
const CHAIN_MAX = 6
const CERTIFICATES_MAX = 20

export interface SignedData {
  /** Null where the content is not in it, as in the signature of a document. */
  content: Buffer | null
  certificates: X509Certificate[]
  signer: DerValue[]
}

/** Reads a message whose content is of this type. */
export function readSignedData(message: Buffer, expectedType: string): SignedData {
  const [type, wrapped] = childrenOf(readDer(message), TAG.sequence)
  if (readOid(type) !== OID.signedData) throw new BadForm('it is not signed')
  const parts = childrenOf(childrenOf(wrapped, TAG.context0)[0], TAG.sequence)
  const [contentType, content] = childrenOf(parts[2], TAG.sequence)
  if (readOid(contentType) !== expectedType) throw new BadForm('it is about something else than it must be')
  const certificates = parts.slice(3).find(({ tag }) => tag === TAG.context0)
  const signers = childrenOf(parts.at(-1), TAG.set)
  if (signers.length !== 1) throw new BadForm('it does not have one signer')
  const listed = certificates ? childrenOf(certificates, TAG.context0) : []
  return {
    content: content ? readOctets(childrenOf(content, TAG.context0)[0]) : null,
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

export interface CheckedSigner {
  certificate: X509Certificate
  /** The value of the signature, which a time stamp is about. */
  signature: Buffer
}

/** Returns the signer, once everything that the signature covers is as it must be. The content may come in several parts. */
export function checkSigner(
  { certificates, signer }: SignedData,
  { content, type }: { content: readonly Buffer[]; type: string },
): CheckedSigner {
  const [, , digestAlgorithm, attributes, signatureAlgorithm, signature] = signer
  const hash = HASHES[readOid(childrenOf(digestAlgorithm, TAG.sequence)[0])]
  if (!hash) throw new BadForm('its hash is of an unknown kind')
  const values = readAttributes(expectTag(attributes, TAG.context0))
  if (readOid(values.get(OID.contentType)) !== type) throw new BadForm('its signature is about something else')
  const digest = expectTag(values.get(OID.messageDigest), TAG.octets).content
  const hashed = createHash(hash)
  for (const part of content) hashed.update(part)
  if (!isSame(digest, hashed.digest())) throw new ContentChanged('its content was changed')
  const certificate = findCertificate(values, certificates)
  // What is signed are the attributes as a set, while the token has them under another tag.
  const covered = Buffer.concat([Buffer.from([TAG.set]), expectTag(attributes, TAG.context0).whole.subarray(1)])
  const algorithm = readOid(childrenOf(signatureAlgorithm, TAG.sequence)[0])
  const value = expectTag(signature, TAG.octets).content
  if (!isSignedBy(certificate, covered, { algorithm, hash, signature: value })) {
    throw new BadForm('its signature is not the one of its certificate')
  }
  return { certificate, signature: value }
}

/** The signature is about other bytes than these. */
export class ContentChanged extends BadForm {}

const UNSIGNED = TAG.context1

/** Returns an attribute that the signature does not cover, such as a time stamp of it. */
export function findUnsigned({ signer }: SignedData, type: string): DerValue | null {
  const attributes = signer.find(({ tag }) => tag === UNSIGNED)
  for (const attribute of attributes ? childrenOf(attributes, UNSIGNED) : []) {
    const [name, set] = childrenOf(attribute, TAG.sequence)
    if (readOid(name) === type) return childrenOf(set, TAG.set)[0] ?? null
  }
  return null
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

/** Returns true where the certificate is trusted at that time, or leads to one that is. */
export function leadsTo(
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

export const isValidAt = ({ validFrom, validTo }: X509Certificate, at: Date) =>
  at >= new Date(validFrom) && at <= new Date(validTo)

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** The common name, or else the whole subject on one line. */
export function describeSubject({ subject }: X509Certificate): string {
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}
