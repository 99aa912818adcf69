/** Reads all pieces of the file in threads, and checks that it is complete. */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Piece } from '../import/pieces.ts'
import type { ImportProgress } from '../import/progress.ts'
import { readStated, recordStated } from '../import/record.ts'
import { runInThreads } from '../import/threads.ts'
import type { PscPieceResult, PscThreadTask } from './thread.ts'

const PSC_THREADS = { url: new URL('./thread.ts', import.meta.url), threadCount: 2 }
const BAD_LINES_SHOWN = 5

export interface SnapshotRead {
  rowsRead: number
  rowsBad: number
  badLines: string[]
}

export interface SnapshotReading {
  snapshotId: number
  pieces: AsyncIterable<Piece>
  task: PscThreadTask
  progress: ImportProgress
  /** The figures of a run that was cut off. */
  before?: SnapshotRead
  onChanged?: (changed: PscPieceResult['changed']) => Promise<void>
}

export async function readSnapshot(app: Pick<App, 'db'>, reading: SnapshotReading): Promise<SnapshotRead> {
  const { snapshotId, pieces, task, progress, before, onChanged } = reading
  const read: SnapshotRead = { rowsRead: before?.rowsRead ?? 0, rowsBad: before?.rowsBad ?? 0, badLines: [] }
  for await (const piece of runInThreads<PscPieceResult>(pieces, { ...PSC_THREADS, task })) {
    read.rowsRead += piece.rows
    read.rowsBad += piece.bad
    read.badLines.push(...piece.badLines.slice(0, Math.max(0, BAD_LINES_SHOWN - read.badLines.length)))
    if (piece.totalRecords !== null) await recordStated(app, snapshotId, piece.totalRecords)
    progress.advance(piece.bytes, piece.rows)
    await onChanged?.(piece.changed)
  }
  assertComplete(read.rowsRead, await readStated(app, snapshotId))
  return read
}

/** The last line of the last part states how many records there are. */
function assertComplete(rowsRead: number, stated: number | null): void {
  const message =
    stated === null
      ? 'The file does not end with the number of its records. It may be cut off; nothing was changed.'
      : `The file states ${stated} records and holds ${rowsRead}. It may be cut off; nothing was changed.`
  if (stated === null || rowsRead < stated) throw new DomainError('invalid_request', message)
}
