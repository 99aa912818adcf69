/** A zip archive of one file (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

const VERSION_DEFLATE = 20
const METHOD_DEFLATE = 8
/** Bit 11: the name is UTF-8. */
const FLAGS = 0x0800
/** Beyond this the format needs ZIP64, which a simulated register never reaches. */
const BYTES_MAX = 0xffff_ffff

export async function zipOneFile(name: string, modifiedAt: Date, content: Iterable<string>): Promise<Buffer> {
  let checksum = 0
  let size = 0
  function* counted(): Generator<Buffer> {
    for (const text of content) {
      const bytes = Buffer.from(text)
      checksum = crc32(bytes, checksum)
      size += bytes.length
      yield bytes
    }
  }
  const chunks: Buffer[] = []
  const deflated = Readable.from(counted()).pipe(createDeflateRaw())
  for await (const chunk of deflated) chunks.push(chunk as Buffer)
  const data = Buffer.concat(chunks)
  if (size > BYTES_MAX || data.length > BYTES_MAX) throw new Error('the archive is too large for a plain zip')

  const description = describeEntry({ checksum, size, compressedSize: data.length, modifiedAt, name })
  const local = Buffer.concat([u32(0x0403_4b50), description, Buffer.from(name)])
  const central = Buffer.concat([
    u32(0x0201_4b50),
    u16(VERSION_DEFLATE),
    description,
    // Comment, disk, internal and external attributes, and the offset of the local header: all zero.
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.concat([
    u32(0x0605_4b50),
    ...[0, 0, 1, 1].map(u16),
    u32(central.length),
    u32(local.length + data.length),
    u16(0),
  ])
  return Buffer.concat([local, data, central, end])
}

interface Entry {
  checksum: number
  size: number
  compressedSize: number
  modifiedAt: Date
  name: string
}

/** The fields that the local header and the central directory share. */
function describeEntry({ checksum, size, compressedSize, modifiedAt, name }: Entry): Buffer {
  const time = (modifiedAt.getUTCHours() << 11) | (modifiedAt.getUTCMinutes() << 5) | (modifiedAt.getUTCSeconds() >> 1)
  const date =
    ((modifiedAt.getUTCFullYear() - 1980) << 9) | ((modifiedAt.getUTCMonth() + 1) << 5) | modifiedAt.getUTCDate()
  return Buffer.concat([
    ...[VERSION_DEFLATE, FLAGS, METHOD_DEFLATE, time, date].map(u16),
    ...[checksum, compressedSize, size].map(u32),
    ...[Buffer.byteLength(name), 0].map(u16),
  ])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
