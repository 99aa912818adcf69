import { DomainError } from '../../errors.ts'
import { FIRST_FIELDS } from './row.ts'

/** A run of whole lines. The same file always falls into the same pieces, so a piece can be named by its number. */
export interface Piece {
  index: number
  /** Only until the next piece is asked for: its memory is used again. */
  bytes: Buffer
}

const PIECE_BYTES = 1 << 20
const LINE_BYTES_MAX = 64 << 10
const NEWLINE = 10

/** Cuts the companies' file into pieces; its header is checked and left out. */
export function cutPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  return cutLines(withoutHeader(chunks))
}

/**
 * Cuts chunks into pieces at line ends. All pieces share one memory: a buffer for each would have the collector read the whole
 * heap every few pieces.
 */
export async function* cutLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let memory = Buffer.allocUnsafeSlow(2 * PIECE_BYTES)
  let length = 0
  let index = 0
  for await (const chunk of chunks) {
    if (length + chunk.length > memory.length) memory = Buffer.concat([memory], 2 * (length + chunk.length))
    length += chunk.copy(memory, length)
    if (length < PIECE_BYTES) continue
    const cut = memory.lastIndexOf(NEWLINE, length - 1) + 1
    if (cut === 0)
      throw new DomainError('invalid_request', 'This is not a snapshot of the register: a line has no end.')
    yield { index, bytes: memory.subarray(0, cut) }
    index += 1
    memory.copyWithin(0, cut, length)
    length -= cut
  }
  if (length > 0) yield { index, bytes: memory.subarray(0, length) }
}

async function* withoutHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0)
  let isHeaderRead = false
  for await (const chunk of chunks) {
    if (isHeaderRead) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    const end = start.indexOf(NEWLINE)
    if (end < 0 && start.length < LINE_BYTES_MAX) continue
    assertHeader(start.toString('utf8', 0, Math.max(end, 0)))
    isHeaderRead = true
    yield start.subarray(end + 1)
  }
}

/** Yields the lines of a piece without their ends; empty ones are left out. */
export function* linesOf(buffer: Buffer): Generator<Buffer> {
  let start = 0
  while (start < buffer.length) {
    let end = buffer.indexOf(NEWLINE, start)
    if (end < 0) end = buffer.length
    if (end > start + 1) yield buffer.subarray(start, end)
    start = end + 1
  }
}

function assertHeader(line: string): void {
  const names = line
    .split(',', FIRST_FIELDS.length)
    .map((name) => name.replaceAll('"', '').replace('\uFEFF', '').trim())
  if (names.join() !== FIRST_FIELDS.join()) {
    throw new DomainError(
      'invalid_request',
      `This is not a snapshot of the register: its first columns are ${names.join(', ')}.`,
    )
  }
}
