/** Zip archives of one file or many (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

const VERSION_DEFLATE = 20
const METHOD_DEFLATE = 8
/** Bit 11: the name is UTF-8. */
const FLAGS = 0x0800
/** Beyond this the format needs ZIP64, which a simulated register never reaches. */
const BYTES_MAX = 0xffff_ffff
const FILES_MAX = 0xffff

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

  const entry = { checksum, size, compressedSize: data.length, modifiedAt, name }
  const local = localHeader(entry)
  const central = centralHeader(entry, 0)
  return Buffer.concat([local, data, central, endOf([central], local.length + data.length)])
}

export interface ZippedFile {
  name: string
  bytes: Uint8Array
}

/** Yields the archive piece by piece, a file at a time, so that any number of them takes the memory of one. */
export function* zipFiles(modifiedAt: Date, files: Iterable<ZippedFile>): Generator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const data = deflateRawSync(bytes, { level: 3 })
    const entry = { checksum: crc32(bytes), size: bytes.length, compressedSize: data.length, modifiedAt, name }
    const local = localHeader(entry)
    directory.push(centralHeader(entry, offset))
    offset += local.length + data.length
    if (offset > BYTES_MAX || directory.length > FILES_MAX) throw new Error('the archive is too large for a plain zip')
    yield local
    yield data
  }
  yield* directory
  yield endOf(directory, offset)
}

function localHeader(entry: Entry): Buffer {
  return Buffer.concat([u32(0x0403_4b50), describeEntry(entry), Buffer.from(entry.name)])
}

function centralHeader(entry: Entry, offset: number): Buffer {
  return Buffer.concat([
    u32(0x0201_4b50),
    u16(VERSION_DEFLATE),
    describeEntry(entry),
    // Comment, disk, internal and external attributes: all zero.
    Buffer.alloc(10),
    u32(offset),
    Buffer.from(entry.name),
  ])
}

function endOf(directory: readonly Buffer[], offset: number): Buffer {
  const bytes = directory.reduce((sum, { length }) => sum + length, 0)
  const counts = [0, 0, directory.length, directory.length]
  return Buffer.concat([u32(0x0605_4b50), ...counts.map(u16), u32(bytes), u32(offset), u16(0)])
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
