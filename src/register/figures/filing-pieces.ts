import type yauzl from 'yauzl'
import { DomainError } from '../../errors.ts'
import type { AccountsFile } from './accounts-file.ts'
import { DOCUMENT_BYTES_MAX } from './read-accounts.ts'

/** Where the packed bytes of a filing are in its piece, and what they must become. */
export interface PackedFiling {
  name: string
  start: number
  end: number
  isDeflated: boolean
  unpackedBytes: number
  checksum: number
}

/** A few filings as they are in the archive: the threads unpack them. */
export interface FilingsPiece {
  bytes: Uint8Array
  filings: PackedFiling[]
  /** Files of the archive that no document can be: too large, encrypted or damaged. */
  unreadable: string[]
}

const FILINGS_PER_PIECE = 16
const PIECE_BYTES = 1 << 20
const UNPACKED_BYTES_MAX = 200e9

/** Yields the filings of an archive, a few at a time. Holds one piece in memory. */
export async function* cutFilings({ name, archive }: AccountsFile): AsyncGenerator<FilingsPiece> {
  let unpacked = 0
  let held = new HeldFilings()
  for await (const entry of readEntries(name, archive)) {
    if (entry.fileName.endsWith('/')) continue
    unpacked += entry.uncompressedSize
    // What entries say of themselves is enforced when they are unpacked.
    if (unpacked > UNPACKED_BYTES_MAX)
      throw new DomainError('invalid_request', `${name} unpacks to more than a month of accounts can be.`)
    const bytes = isPossible(entry) ? await readPacked(archive, entry) : null
    if (bytes === null) held.unreadable.push(entry.fileName)
    else held.add(entry, bytes)
    if (!held.isFull()) continue
    yield held.toPiece()
    held = new HeldFilings()
  }
  yield held.toPiece()
}

class HeldFilings {
  readonly unreadable: string[] = []
  readonly #filings: PackedFiling[] = []
  readonly #chunks: Buffer[] = []
  #bytes = 0

  add(entry: yauzl.Entry, bytes: Buffer): void {
    this.#filings.push({
      name: entry.fileName,
      start: this.#bytes,
      end: this.#bytes + bytes.length,
      isDeflated: entry.compressionMethod === 8,
      unpackedBytes: entry.uncompressedSize,
      checksum: entry.crc32,
    })
    this.#chunks.push(bytes)
    this.#bytes += bytes.length
  }

  isFull(): boolean {
    return this.#filings.length + this.unreadable.length >= FILINGS_PER_PIECE || this.#bytes >= PIECE_BYTES
  }

  toPiece(): FilingsPiece {
    return { bytes: Buffer.concat(this.#chunks), filings: this.#filings, unreadable: this.unreadable }
  }
}

async function* readEntries(name: string, archive: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  try {
    yield* archive.eachEntry()
  } catch (cause) {
    throw new DomainError('invalid_request', `${name} is damaged: its list of files cannot be read.`, { cause })
  }
}

function isPossible(entry: yauzl.Entry): boolean {
  return (
    entry.canDecodeFileData() &&
    entry.compressedSize <= DOCUMENT_BYTES_MAX &&
    entry.uncompressedSize <= DOCUMENT_BYTES_MAX
  )
}

/** Null when the archive is damaged here; the filings around may still be whole. */
async function readPacked(archive: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer | null> {
  try {
    const chunks: Buffer[] = []
    const stream = await archive.openReadStreamPromise(entry, { decodeFileData: false })
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return null
  }
}
