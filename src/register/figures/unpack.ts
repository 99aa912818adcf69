import { crc32, inflateRawSync } from 'node:zlib'
import yauzl from 'yauzl'
import type { PackedFiling } from './filing-pieces.ts'
import { DOCUMENT_BYTES_MAX } from './read-accounts.ts'

const NESTED_ENTRIES_MAX = 20
const NESTED_ACCOUNTS = /^(?:[^/]+\/)?accounts\/[^/]+\.(?:xhtml|html|xml)$/i

/**
 * Returns the document of a filing; null when it is damaged or larger than it says. Community interest companies file a
 * zip of their accounts and a report. A zip inside that one is never opened.
 */
export async function unpackFiling(filing: PackedFiling, piece: Buffer): Promise<Buffer | null> {
  const bytes = inflate(piece.subarray(filing.start, filing.end), filing)
  if (bytes === null || crc32(bytes) !== filing.checksum) return null
  return /\.zip$/i.test(filing.name) ? readNested(bytes) : bytes
}

function inflate(packed: Buffer, { isDeflated, unpackedBytes }: PackedFiling): Buffer | null {
  if (!isDeflated) return packed
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, Math.min(unpackedBytes, DOCUMENT_BYTES_MAX)) })
  } catch {
    return null
  }
}

async function readNested(bytes: Buffer): Promise<Buffer | null> {
  try {
    const archive = await yauzl.fromBufferPromise(bytes, { lazyEntries: true })
    if (archive.entryCount > NESTED_ENTRIES_MAX) return null
    for await (const entry of archive.eachEntry()) {
      if (!NESTED_ACCOUNTS.test(entry.fileName) || entry.uncompressedSize > DOCUMENT_BYTES_MAX) continue
      const chunks: Buffer[] = []
      // The stream ends with an error where there is more than the entry says.
      const stream = await archive.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    return null
  } catch {
    return null
  }
}
