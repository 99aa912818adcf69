/** Reads all pieces of the file in threads, and checks that it is complete. */
import { DomainError } from '../../errors.ts'
import type { Piece } from '../import/pieces.ts'
import type { ImportProgress } from '../import/progress.ts'
import { runInThreads } from '../import/threads.ts'
import type { PscPieceResult, PscThreadTask } from './thread.ts'

const PSC_THREADS = { url: new URL('./thread.ts', import.meta.url), threadCount: 2 }
const BAD_LINES_SHOWN = 5

export interface SnapshotRead {
  rowsRead: number
  rowsBad: number
  badLines: string[]
}

export async function readSnapshot(
  pieces: AsyncIterable<Piece>,
  task: PscThreadTask,
  progress: ImportProgress,
  { before, onChanged }: { before?: SnapshotRead; onChanged?: (changed: PscPieceResult['changed']) => Promise<void> },
): Promise<SnapshotRead> {
  const read: SnapshotRead = { rowsRead: before?.rowsRead ?? 0, rowsBad: before?.rowsBad ?? 0, badLines: [] }
  let totalRecords: number | null = null
  for await (const piece of runInThreads<PscPieceResult>(pieces, { ...PSC_THREADS, task })) {
    read.rowsRead += piece.rows
    read.rowsBad += piece.bad
    read.badLines.push(...piece.badLines.slice(0, Math.max(0, BAD_LINES_SHOWN - read.badLines.length)))
    totalRecords = piece.totalRecords ?? totalRecords
    progress.advance(piece.bytes, piece.rows)
    await onChanged?.(piece.changed)
  }
  // The last line states how many records there are; fewer mean that a part was cut off.
  if (totalRecords !== null && read.rowsRead < totalRecords) {
    throw new DomainError(
      'invalid_request',
      `The file states ${totalRecords} records and holds ${read.rowsRead}. It may be cut off; nothing was changed.`,
    )
  }
  return read
}
