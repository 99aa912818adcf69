/** Certificates for tests, made on the spot by an authority of their own. */
import { KeyObject, webcrypto } from 'node:crypto'
import type { JsonNameParams } from '@peculiar/x509'

interface CertificateWish {
  names: string[]
  /** Names of fields or their object identifiers. */
  subject?: JsonNameParams
  validTo?: Date
  isSelfSigned?: boolean
}

export interface Authority {
  /** PEM text. */
  certificate: string
  certify(wish: CertificateWish): Promise<{ key: string; cert: string }>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export async function createAuthority(): Promise<Authority> {
  const { BasicConstraintsExtension, Name, SubjectAlternativeNameExtension, X509CertificateGenerator } =
    await loadX509()
  const createKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const issuer = 'CN=Small Web Root, O=Small Web Trust'
  const keys = await createKeys()
  const valid = { notBefore: new Date(Date.now() - 30 * DAY_MS), notAfter: new Date(Date.now() + 30 * DAY_MS) }
  const root = await X509CertificateGenerator.createSelfSigned({
    ...valid,
    name: issuer,
    serialNumber: '01',
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  })
  let issued = 1
  return {
    certificate: root.toString('pem'),
    async certify({ names, subject = [{ CN: names.slice(0, 1) }], validTo = valid.notAfter, isSelfSigned = false }) {
      issued += 1
      const own = await createKeys()
      const name = new Name(subject)
      const certificate = await X509CertificateGenerator.create({
        subject: name,
        issuer: isSelfSigned ? name : issuer,
        serialNumber: issued.toString(16).padStart(4, '0'),
        notBefore: valid.notBefore,
        notAfter: validTo,
        publicKey: own.publicKey,
        signingKey: isSelfSigned ? own.privateKey : keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
      })
      const key = KeyObject.from(own.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
      return { key, cert: certificate.toString('pem') }
    },
  }
}

/** The library's container only starts where metadata can be kept; it keeps none of its own that we need. */
async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  const kept = new WeakMap<object, Map<unknown, unknown>>()
  const get = (key: unknown, target: object) => kept.get(target)?.get(key)
  const define = (key: unknown, value: unknown, target: object) => {
    const own = kept.get(target) ?? new Map<unknown, unknown>()
    kept.set(target, own.set(key, value))
  }
  if (!('getMetadata' in Reflect)) {
    Object.assign(Reflect, { getMetadata: get, getOwnMetadata: get, defineMetadata: define })
  }
  return import('@peculiar/x509')
}
