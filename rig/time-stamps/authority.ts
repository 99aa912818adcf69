/**
 * A time-stamp authority (RFC 3161) over loopback, with a root of its own. It is made of another library than the service's own
 * reader, so that a mistake of either shows. It can misbehave on request.
 */
import { createHash, webcrypto } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'

export type AuthorityMood =
  | 'well'
  | 'refuses'
  | 'fails'
  | 'hangs'
  | 'other imprint'
  | 'other nonce'
  | 'changed token'
  | 'garbage'
  | 'endless'

const OID = {
  sha256: '2.16.840.1.101.3.4.2.1',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  policy: '1.3.6.1.4.1.99999.1',
} as const
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const BODY_BYTES_MAX = 64 * 1024
const HANG_MS_MAX = 60_000

const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto })
pkijs.setEngine('node', engine)

export class SimulatedAuthority {
  mood: AuthorityMood = 'well'
  /** Requests that came. */
  asked = 0
  /** Replaces the time of stamps. */
  now: () => Date = () => new Date()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #root: pkijs.Certificate
  readonly #signer: { certificate: pkijs.Certificate; key: webcrypto.CryptoKey }
  #serial = 0

  private constructor(root: pkijs.Certificate, signer: { certificate: pkijs.Certificate; key: webcrypto.CryptoKey }) {
    this.#root = root
    this.#signer = signer
  }

  static async create(
    name = 'Simulated Time Stamps',
    endsAt = new Date('2049-12-31T00:00:00Z'),
  ): Promise<SimulatedAuthority> {
    const rootKeys = await createKeys()
    const root = await certify({
      subject: `${name} Root`,
      issuer: `${name} Root`,
      serial: 1,
      keys: rootKeys,
      by: rootKeys,
      endsAt,
    })
    const keys = await createKeys()
    const certificate = await certify({ subject: name, issuer: `${name} Root`, serial: 2, keys, by: rootKeys, endsAt })
    return new SimulatedAuthority(root, { certificate, key: keys.privateKey })
  }

  /** The root as PEM, for `TIME_STAMP_CA_FILE`. */
  get certificate(): string {
    const base64 = Buffer.from(this.#root.toSchema(true).toBER()).toString('base64')
    return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/(.{64})/g, '$1\n').trim()}\n-----END CERTIFICATE-----\n`
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tsa`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1
    try {
      const body = await readBody(request)
      if (this.mood === 'hangs') await sleep(HANG_MS_MAX, undefined, { ref: false })
      if (this.mood === 'fails') return void response.writeHead(503).end()
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' })
      if (this.mood === 'endless') return void response.end(Buffer.alloc(4_000_000, 0x30))
      response.end(this.mood === 'garbage' ? Buffer.from('this is no time stamp') : await this.#respond(body))
    } catch (error) {
      if (!response.headersSent) response.writeHead(400)
      response.end(String(error))
    }
  }

  async #respond(body: Buffer): Promise<Buffer> {
    const asked = pkijs.TimeStampReq.fromBER(toArrayBuffer(body))
    if (this.mood === 'refuses') {
      return encode(new pkijs.TimeStampResp({ status: new pkijs.PKIStatusInfo({ status: pkijs.PKIStatus.rejection }) }))
    }
    const token = await this.stamp({
      imprint:
        this.mood === 'other imprint'
          ? createHash('sha256').update('something else').digest()
          : Buffer.from(asked.messageImprint.hashedMessage.valueBlock.valueHexView),
      nonce: this.mood === 'other nonce' ? new asn1js.Integer({ value: 7 }) : asked.nonce,
    })
    const reply = encode(
      new pkijs.TimeStampResp({
        status: new pkijs.PKIStatusInfo({ status: pkijs.PKIStatus.granted }),
        timeStampToken: token,
      }),
    )
    // The last bytes are of the signature.
    if (this.mood === 'changed token') reply[reply.length - 1] = (reply.at(-1) ?? 0) ^ 1
    return reply
  }

  /** Signs a stamp of this hash. */
  async stamp({ imprint, nonce }: { imprint: Buffer; nonce?: asn1js.Integer | undefined }): Promise<pkijs.ContentInfo> {
    this.#serial += 1
    const info = new pkijs.TSTInfo({
      version: 1,
      policy: OID.policy,
      messageImprint: new pkijs.MessageImprint({
        hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: OID.sha256, algorithmParams: new asn1js.Null() }),
        hashedMessage: new asn1js.OctetString({ valueHex: toArrayBuffer(imprint) }),
      }),
      serialNumber: new asn1js.Integer({ value: this.#serial }),
      genTime: this.now(),
      ...(nonce ? { nonce } : {}),
    })
    const content = Buffer.from(info.toSchema().toBER())
    const { certificate, key } = this.#signer
    const signed = new pkijs.SignedData({
      version: 3,
      encapContentInfo: new pkijs.EncapsulatedContentInfo({
        eContentType: OID.stampInfo,
        eContent: new asn1js.OctetString({ valueHex: toArrayBuffer(content) }),
      }),
      signerInfos: [
        new pkijs.SignerInfo({
          version: 1,
          sid: new pkijs.IssuerAndSerialNumber({
            issuer: certificate.issuer,
            serialNumber: certificate.serialNumber,
          }),
          signedAttrs: new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes: this.#attributes(content) }),
        }),
      ],
      certificates: [certificate],
    })
    // The library would cut the content into parts, which authorities do not.
    signed.encapContentInfo.eContent = new asn1js.OctetString({ valueHex: toArrayBuffer(content) })
    await signed.sign(key, 0, 'SHA-256')
    return new pkijs.ContentInfo({ contentType: pkijs.ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
  }

  #attributes(content: Buffer): pkijs.Attribute[] {
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
    const octets = (bytes: Buffer) => new asn1js.OctetString({ valueHex: toArrayBuffer(bytes) })
    const certificate = Buffer.from(this.#signer.certificate.toSchema(true).toBER())
    const sequence = (...value: asn1js.AsnType[]) => new asn1js.Sequence({ value })
    return [
      new pkijs.Attribute({ type: OID.contentType, values: [new asn1js.ObjectIdentifier({ value: OID.stampInfo })] }),
      new pkijs.Attribute({ type: OID.messageDigest, values: [octets(hash(content))] }),
      new pkijs.Attribute({
        type: OID.signingCertificateV2,
        values: [sequence(sequence(sequence(octets(hash(certificate)))))],
      }),
    ]
  }
}

const createKeys = () => webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])

async function certify(of: {
  subject: string
  issuer: string
  serial: number
  keys: webcrypto.CryptoKeyPair
  by: webcrypto.CryptoKeyPair
  endsAt: Date
}): Promise<pkijs.Certificate> {
  const certificate = new pkijs.Certificate({ version: 2, serialNumber: new asn1js.Integer({ value: of.serial }) })
  const name = (text: string) =>
    new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value: new asn1js.Utf8String({ value: text }) })
  certificate.subject.typesAndValues.push(name(of.subject))
  certificate.issuer.typesAndValues.push(name(of.issuer))
  certificate.notBefore.value = new Date('2020-01-01T00:00:00Z')
  certificate.notAfter.value = of.endsAt
  const isRoot = of.subject === of.issuer
  const extension = (extnID: string, value: asn1js.AsnType) =>
    new pkijs.Extension({ extnID, critical: true, extnValue: value.toBER(false) })
  certificate.extensions = isRoot
    ? [extension('2.5.29.19', new pkijs.BasicConstraints({ cA: true }).toSchema())]
    : [extension('2.5.29.37', new pkijs.ExtKeyUsage({ keyPurposes: [OID.timeStamping] }).toSchema())]
  await certificate.subjectPublicKeyInfo.importKey(of.keys.publicKey)
  await certificate.sign(of.by.privateKey, 'SHA-256')
  return certificate
}

function encode(response: pkijs.TimeStampResp): Buffer {
  return Buffer.from(response.toSchema().toBER(false))
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) throw new Error('too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
