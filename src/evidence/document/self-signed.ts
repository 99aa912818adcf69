/** A certificate of our own for signing documents: X.509 (RFC 5280) with a key on P-256, which every reader of PDF knows. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { TAG, writeDer } from '../../../packages/evidence-check/index.ts'

const YEARS = 10
const oid = (hex: string) => writeDer(TAG.oid, Buffer.from(hex, 'hex'))
const OID = {
  ecdsaWithSha256: oid('2a8648ce3d040302'),
  commonName: oid('550403'),
  organization: oid('55040a'),
  basicConstraints: oid('551d13'),
  keyUsage: oid('551d0f'),
  subjectKeyId: oid('551d0e'),
  extendedUsage: oid('551d25'),
  documentSigning: oid('2b06010505070324'),
}
const TRUE = writeDer(TAG.boolean, Buffer.from([0xff]))
const UTF8 = 0x0c
const SET = TAG.set
const BITS = 0x03

export interface SelfSigned {
  certificate: Buffer
  key: KeyObject
}

/** Makes a key and a certificate that says whose it is: the name of the service, from now on for ten years. */
export function makeSelfSigned(of: { service: string; at: Date }): SelfSigned {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const algorithm = writeDer(TAG.sequence, OID.ecdsaWithSha256)
  const name = writeDer(
    TAG.sequence,
    attribute(OID.organization, 'Nameplate'),
    attribute(OID.commonName, `${of.service.slice(0, 40)} evidence documents`),
  )
  const end = new Date(of.at)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  const body = writeDer(
    TAG.sequence,
    writeDer(TAG.context0, writeDer(TAG.integer, Buffer.from([2]))),
    // The first byte keeps it positive and its length the same.
    writeDer(TAG.integer, Buffer.concat([Buffer.from([0x4e]), randomBytes(15)])),
    algorithm,
    name,
    writeDer(TAG.sequence, writeTime(of.at), writeTime(end)),
    name,
    spki,
    writeDer(0xa3, writeDer(TAG.sequence, ...extensions(spki))),
  )
  const signature = sign('sha256', body, key)
  return { certificate: writeDer(TAG.sequence, body, algorithm, bits(signature)), key }
}

function attribute(type: Buffer, value: string): Buffer {
  return writeDer(SET, writeDer(TAG.sequence, type, writeDer(UTF8, Buffer.from(value, 'utf8'))))
}

function extensions(spki: Buffer): Buffer[] {
  const id = createHash('sha256').update(spki).digest().subarray(0, 20)
  const extension = (type: Buffer, isCritical: boolean, value: Buffer) =>
    writeDer(TAG.sequence, type, ...(isCritical ? [TRUE] : []), writeDer(TAG.octets, value))
  return [
    extension(OID.basicConstraints, true, writeDer(TAG.sequence)),
    // Digital signature and non-repudiation.
    extension(OID.keyUsage, true, writeDer(BITS, Buffer.from([6, 0xc0]))),
    extension(OID.extendedUsage, false, writeDer(TAG.sequence, OID.documentSigning)),
    extension(OID.subjectKeyId, false, writeDer(TAG.octets, id)),
  ]
}

const bits = (bytes: Buffer) => writeDer(BITS, Buffer.from([0]), bytes)

/** RFC 5280: two digits of the year until 2049, four after it. */
function writeTime(at: Date): Buffer {
  const digits = `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050
    ? writeDer(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : writeDer(TAG.generalizedTime, Buffer.from(digits, 'latin1'))
}
