import type { Readable } from 'node:stream'
import { DomainError } from '../../errors.ts'
import { FIRST_FIELDS } from './row.ts'

/** A run of whole lines. The same file always falls into the same pieces, so a piece can be named by its number. */
export interface Piece {
  index: number
  bytes: Buffer
}

const PIECE_BYTES = 1 << 20
const LINE_BYTES_MAX = 64 << 10
const NEWLINE = 10

/** Cuts the companies' file into pieces; its header is checked and left out. */
export function cutPieces(stream: Readable): AsyncGenerator<Piece> {
  return cutLines(withoutHeader(stream))
}

/** Cuts a stream of lines into pieces at line ends. Holds one piece in memory. */
export async function* cutLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let index = 0
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of stream) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < PIECE_BYTES) continue
    const all = Buffer.concat(held)
    const cut = all.lastIndexOf(NEWLINE) + 1
    if (cut === 0)
      throw new DomainError('invalid_request', 'This is not a snapshot of the register: a line has no end.')
    yield { index, bytes: all.subarray(0, cut) }
    index += 1
    held = [all.subarray(cut)]
    heldBytes = all.length - cut
  }
  if (heldBytes > 0) yield { index, bytes: Buffer.concat(held) }
}

async function* withoutHeader(stream: Readable): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0)
  let isHeaderRead = false
  for await (const chunk of stream as AsyncIterable<Buffer>) {
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
