/** A reader of DER, the encoding of certificates and time stamps. It reads hostile bytes: every length is checked. */
export interface DerValue {
  tag: number
  content: Buffer
  /** With tag and length. */
  whole: Buffer
}

export class BadForm extends Error {}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  generalizedTime: 0x18,
  octetsInParts: 0x24,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context1: 0xa1,
} as const

const CHILDREN_MAX = 1_000
const OID_BYTES_MAX = 64

/** Reads the one value that these bytes are. */
export function readDer(bytes: Buffer): DerValue {
  const value = readAt(bytes, 0)
  if (value.whole.length !== bytes.length) throw new BadForm('there is more after the end')
  return value
}

/** Reads the value that these bytes begin with; the rest may be padding. */
export function readDerStart(bytes: Buffer): DerValue {
  return readAt(bytes, 0)
}

/** Reads the values inside a value, which must have this tag. */
export function childrenOf(value: DerValue | undefined, tag: number): DerValue[] {
  const { content } = expectTag(value, tag)
  const children: DerValue[] = []
  for (let offset = 0; offset < content.length; ) {
    if (children.length === CHILDREN_MAX) throw new BadForm('it has too many parts')
    const child = readAt(content, offset)
    children.push(child)
    offset += child.whole.length
  }
  return children
}

export function expectTag(value: DerValue | undefined, tag: number): DerValue {
  if (value?.tag !== tag) throw new BadForm('a part is missing or of another kind')
  return value
}

function readAt(bytes: Buffer, offset: number): DerValue {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) throw new BadForm('it ends too early')
  if ((tag & 0x1f) === 0x1f) throw new BadForm('it has a tag of several bytes')
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  if (first === 0x80 || lengthBytes > 4) throw new BadForm('it has a length that is not allowed')
  const start = offset + 2 + lengthBytes
  if (start > bytes.length) throw new BadForm('it ends too early')
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes)
  if (start + length > bytes.length) throw new BadForm('it ends too early')
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(offset, start + length) }
}

/** Reads octets. The content of a signed message may come in several parts, which are one after another. */
export function readOctets(value: DerValue | undefined): Buffer {
  if (value?.tag !== TAG.octetsInParts) return expectTag(value, TAG.octets).content
  return Buffer.concat(childrenOf(value, TAG.octetsInParts).map((part) => expectTag(part, TAG.octets).content))
}

/** Reads an object identifier such as `1.2.840.113549.1.7.2`. */
export function readOid(value: DerValue | undefined): string {
  const { content } = expectTag(value, TAG.oid)
  if (content.length === 0 || content.length > OID_BYTES_MAX) throw new BadForm('an identifier is too long')
  const numbers: bigint[] = []
  let number = 0n
  for (const byte of content) {
    number = (number << 7n) | BigInt(byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0n
  }
  const [first = 0n, ...rest] = numbers
  const top = first < 40n ? 0n : first < 80n ? 1n : 2n
  return [top, first - top * 40n, ...rest].join('.')
}

export function readInteger(value: DerValue | undefined): bigint {
  const { content } = expectTag(value, TAG.integer)
  if (content.length === 0 || content.length > 64) throw new BadForm('a number is too long')
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`))
}

/** Reads a time of RFC 3161: in UTC, to the second or finer. */
export function readTime(value: DerValue | undefined): Date {
  const text = expectTag(value, TAG.generalizedTime).content.toString('latin1')
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text)
  if (!parts) throw new BadForm('its time is not in UTC')
  const [, year, month, day, hour, minute, second, fraction = ''] = parts
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`)
  if (Number.isNaN(at.getTime())) throw new BadForm('its time is no time')
  return at
}

/** Writes a value: the request to a time-stamp authority needs no more than this. */
export function writeDer(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const sizes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  if (length > 0xffff) throw new Error('longer than any request')
  return Buffer.concat([Buffer.from([tag, ...sizes]), content])
}
