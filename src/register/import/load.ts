import type { App } from '../../app.ts'
import type { SnapshotFile } from './file.ts'
import { cutPieces, type Piece } from './pieces.ts'
import type { ImportProgress } from './progress.ts'
import { beginLoad } from './record.ts'
import { swapIn } from './swap.ts'
import type { PieceResult, ThreadTask } from './thread.ts'
import { runInThreads } from './threads.ts'

const LOAD_TABLE = 'company_load'
const IMPORT_THREADS = { url: new URL('./thread.ts', import.meta.url), threadCount: 2 }

export interface LoadResult {
  rowsRead: number
  rowsBad: number
  badLines: string[]
  /** For the indexes beyond the primary key, which serve searching and sweeping. */
  indexSeconds: number
}

/**
 * The first load: pieces are copied side by side into a table of their own, indexes are built afterwards, and the table
 * replaces the register in one step, so readers see nothing or all. Pieces that are in stay in: after a crash the
 * load goes on with the others.
 */
export async function loadSnapshot(
  app: App,
  file: SnapshotFile,
  snapshotId: number,
  progress: ImportProgress,
): Promise<LoadResult> {
  const done = await readDonePieces(app, snapshotId)
  const isResumed = done.pieces.size > 0
  await beginLoad(app, { product: 'companies', table: 'company', loadTable: LOAD_TABLE, isResumed })
  const result: LoadResult = { rowsRead: done.rowsRead, rowsBad: done.rowsBad, badLines: [], indexSeconds: 0 }
  const task: ThreadTask = {
    kind: 'load',
    databaseUrl: app.config.databaseUrl,
    table: LOAD_TABLE,
    snapshotId,
    changedAt: app.clock.now().toISOString(),
  }
  const pieces = skipDone(cutPieces(await file.open()), done.pieces, (bytes) => progress.advance(bytes, 0))
  for await (const piece of runInThreads<PieceResult>(pieces, { ...IMPORT_THREADS, task })) {
    result.rowsRead += piece.rows
    result.rowsBad += piece.bad
    result.badLines.push(...piece.badLines.slice(0, Math.max(0, 5 - result.badLines.length)))
    progress.advance(piece.bytes, piece.rows)
  }
  progress.say('building indexes')
  result.indexSeconds = await app.db.transaction((tx) =>
    swapIn(tx, { table: 'company', loadTable: LOAD_TABLE, key: 'number' }),
  )
  return result
}

export async function readDonePieces(
  app: Pick<App, 'db'>,
  snapshotId: number,
): Promise<{ pieces: Set<number>; rowsRead: number; rowsBad: number }> {
  const rows = await app.db.query<{ piece: number; rows_read: number; rows_bad: number }>(
    'select piece, rows_read, rows_bad from register_load_piece where snapshot_id = $1',
    [snapshotId],
  )
  return {
    pieces: new Set(rows.map((row) => row.piece)),
    rowsRead: rows.reduce((sum, row) => sum + row.rows_read, 0),
    rowsBad: rows.reduce((sum, row) => sum + row.rows_bad, 0),
  }
}

export async function* skipDone(
  pieces: AsyncIterable<Piece>,
  done: ReadonlySet<number>,
  onSkip: (bytes: number) => void,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (done.has(piece.index)) onSkip(piece.bytes.length)
    else yield piece
  }
}
