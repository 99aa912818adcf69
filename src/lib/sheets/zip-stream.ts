/** A ZIP file of packed entries, written as they are made: only what the packer holds back is in memory. */
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface StreamedEntry {
  name: string
  content: AsyncIterable<string | Uint8Array>
}

const VERSION = 20
/** Sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const METHOD_DEFLATE = 8
/** 1 January 1980: the same content makes the same bytes. */
const [TIME, DATE] = [0, 0x21]
/** Beyond this a file needs the extended form, which this is not. */
const BYTES_MAX = 0xffff_0000
const LEVEL = 3
const PIECE_BYTES = 64 * 1_024

export async function* writePackedZip(entries: AsyncIterable<StreamedEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const start = offset
    const named = Buffer.from(name)
    const head = Buffer.concat([
      fields([0x04034b50, 4], [VERSION, 2], [FLAGS, 2], [METHOD_DEFLATE, 2], [TIME, 2], [DATE, 2]),
      fields([0, 4], [0, 4], [0, 4], [named.length, 2], [0, 2]),
      named,
    ])
    offset += head.length
    yield head
    const sizes = { checksum: 0, packed: 0, unpacked: 0 }
    for await (const packed of pack(content, sizes)) {
      offset += packed.length
      yield packed
    }
    if (sizes.unpacked > BYTES_MAX || offset > BYTES_MAX) throw new Error('too much for one ZIP file')
    const about = fields([sizes.checksum, 4], [sizes.packed, 4], [sizes.unpacked, 4])
    const tail = Buffer.concat([fields([0x08074b50, 4]), about])
    offset += tail.length
    yield tail
    directory.push(
      fields([0x02014b50, 4], [VERSION, 2], [VERSION, 2], [FLAGS, 2], [METHOD_DEFLATE, 2], [TIME, 2], [DATE, 2]),
      about,
      fields([named.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [start, 4]),
      named,
    )
  }
  const list = Buffer.concat(directory)
  const count = directory.length / 4
  yield list
  yield fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [list.length, 4], [offset, 4], [0, 2])
}

async function* pack(
  content: StreamedEntry['content'],
  sizes: { checksum: number; packed: number; unpacked: number },
): AsyncGenerator<Buffer> {
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      sizes.checksum = crc32(bytes, sizes.checksum)
      sizes.unpacked += bytes.length
      yield bytes
    }
  }
  const packer = createDeflateRaw({ level: LEVEL, chunkSize: PIECE_BYTES })
  // An error of the content reaches the reader through the packer; a reader that stops early ends the content.
  pipeline(Readable.from(count(), { highWaterMark: 1 }), packer, () => {})
  for await (const chunk of packer as AsyncIterable<Buffer>) {
    sizes.packed += chunk.length
    yield chunk
  }
}

/** Numbers as ZIP has them: the lowest byte first. */
function fields(...values: Array<[value: number, bytes: 2 | 4]>): Buffer {
  const written = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0))
  values.reduce((at, [value, bytes]) => written.writeUIntLE(value, at, bytes), 0)
  return written
}
