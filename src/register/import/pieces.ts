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

/** Cuts the stream into pieces at line ends; the header is checked and left out. Holds one piece in memory. */
export async function* cutPieces(stream: Readable): AsyncGenerator<Piece> {
  let index = 0
  let held: Buffer[] = []
  let heldBytes = 0
  let isHeaderRead = false
  for await (const data of stream as AsyncIterable<Buffer>) {
    let chunk = data
    if (!isHeaderRead) {
      const start = Buffer.concat([...held, chunk])
      const end = start.indexOf(NEWLINE)
      if (end < 0 && start.length < LINE_BYTES_MAX) {
        held = [start]
        continue
      }
      assertHeader(start.toString('utf8', 0, Math.max(end, 0)))
      isHeaderRead = true
      held = []
      chunk = start.subarray(end + 1)
    }
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
