/** A ZIP file, written as it is made: one entry is in memory at a time. Entries are stored as they are, without compression. */
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  name: string
  at: Date
  content: Buffer
}

/** Beyond these a file needs the extended form, which this is not. */
const ENTRIES_MAX = 60_000
const BYTES_MAX = 0xffff_0000
const IS_UTF8 = 0x0800
const VERSION = 20

/** Yields the file piece by piece. Throws where it would be larger than the usual form can be. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, at, content } of entries) {
    const about = describe(name, at, content)
    const head = Buffer.concat([toBytes([0x04034b50, 4], [VERSION, 2]), about, toBytes([0, 2]), Buffer.from(name)])
    directory.push(
      Buffer.concat([
        toBytes([0x02014b50, 4], [VERSION, 2], [VERSION, 2]),
        about,
        toBytes([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        Buffer.from(name),
      ]),
    )
    offset += head.length + content.length
    if (directory.length > ENTRIES_MAX || offset > BYTES_MAX) throw new Error('too much for one ZIP file')
    yield head
    yield content
  }
  const list = Buffer.concat(directory)
  yield list
  const count = directory.length
  yield toBytes([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [list.length, 4], [offset, 4], [0, 2])
}

/** The part that the entry and the directory have in common: from the flags to the length of the name. */
function describe(name: string, at: Date, content: Buffer): Buffer {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const { length } = content
  const nameBytes = Buffer.byteLength(name)
  return toBytes(
    [IS_UTF8, 2],
    [0, 2],
    [time, 2],
    [date, 2],
    [crc32(content), 4],
    [length, 4],
    [length, 4],
    [nameBytes, 2],
  )
}

/** Numbers as ZIP has them: the lowest byte first. */
function toBytes(...values: Array<[value: number, bytes: 2 | 4]>): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const written = Buffer.alloc(bytes)
      written.writeUIntLE(value, 0, bytes)
      return written
    }),
  )
}
