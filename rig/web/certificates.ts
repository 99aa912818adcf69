/** A certificate authority of its own, and the certificates of the simulated sites. */
import { webcrypto } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Name, PublicKey, X509Certificate } from '@peculiar/x509'
import { CERTIFICATE_FIELDS, type CertificateField } from './site-settings.ts'
import { x509 } from './x509-library.ts'

export type Subject = Partial<Record<CertificateField, string | undefined>>

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/** Of the fields that the library knows no name for. */
const OIDS: Partial<Record<CertificateField, string>> = {
  serialNumber: '2.5.4.5',
  businessCategory: '2.5.4.15',
  jurisdictionC: '1.3.6.1.4.1.311.60.2.1.3',
}
/** X.520 and the rules for extended validation allow these no other kind of string. */
const PRINTABLE: ReadonlySet<CertificateField> = new Set(['C', 'jurisdictionC', 'serialNumber'])

export class CertificateAuthority {
  readonly #root: X509Certificate
  readonly #rootKey: webcrypto.CryptoKey
  readonly #leafKeyPem: string
  readonly #leafPublicKey: PublicKey

  private constructor(
    root: { certificate: X509Certificate; key: webcrypto.CryptoKey },
    leaf: { pem: string; key: PublicKey },
  ) {
    this.#root = root.certificate
    this.#rootKey = root.key
    this.#leafKeyPem = leaf.pem
    this.#leafPublicKey = leaf.key
  }

  static async create(): Promise<CertificateAuthority> {
    const keys = await generateKeys()
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      ...validity(),
      name: 'CN=Simulated Web Root',
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      ],
    })
    // All sites share one key pair: making one per site would cost more than the certificate.
    const leafKeys = await generateKeys()
    const leafKey = await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey)
    return new CertificateAuthority(
      { certificate, key: keys.privateKey },
      {
        pem: x509.PemConverter.encode(leafKey, 'PRIVATE KEY'),
        key: new x509.PublicKey(await webcrypto.subtle.exportKey('spki', leafKeys.publicKey)),
      },
    )
  }

  /** For the list of authorities that a client trusts. */
  get pem(): string {
    return this.#root.toString('pem')
  }

  async issue({ subject, names }: { subject: Subject; names: readonly string[] }): Promise<SecureContext> {
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(),
      subject: toName(subject),
      issuer: this.#root.subjectName,
      publicKey: this.#leafPublicKey,
      signingKey: this.#rootKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ],
    })
    return createSecureContext({ key: this.#leafKeyPem, cert: certificate.toString('pem') })
  }
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 90 * DAY_MS) }
}

function toName(subject: Subject): Name {
  const fields = CERTIFICATE_FIELDS.flatMap((field) => {
    const value = subject[field]
    if (!value) return []
    return [{ [OIDS[field] ?? field]: [PRINTABLE.has(field) ? { printableString: value } : { utf8String: value }] }]
  })
  return new x509.Name(fields)
}
