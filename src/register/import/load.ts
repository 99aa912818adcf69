import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { SnapshotFile } from './file.ts'
import { cutPieces, type Piece } from './pieces.ts'
import type { ImportProgress } from './progress.ts'
import type { PieceResult, ThreadTask } from './thread.ts'
import { runInThreads } from './threads.ts'

const LOAD_TABLE = 'company_load'
const IMPORT_THREADS = { url: new URL('./thread.ts', import.meta.url), threadCount: 2 }
const BUILD_TIMEOUT = '2h'

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
  // An abandoned load of another file may have left rows.
  if (done.pieces.size === 0) await app.db.query(`drop table if exists ${LOAD_TABLE}`)
  await app.db.query(`create table if not exists ${LOAD_TABLE} (like company including defaults including constraints)`)
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
  result.indexSeconds = await app.db.transaction((tx) => putInPlace(tx))
  return result
}

async function readDonePieces(
  app: App,
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

async function* skipDone(
  pieces: AsyncIterable<Piece>,
  done: ReadonlySet<number>,
  onSkip: (bytes: number) => void,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (done.has(piece.index)) onSkip(piece.bytes.length)
    else yield piece
  }
}

/**
 * Gives the loaded table the register's indexes, then its name. A number that came twice keeps its last row. Returns the
 * seconds that the indexes beyond the primary key took.
 */
async function putInPlace(tx: Tx): Promise<number> {
  await tx.query(`set local statement_timeout = '${BUILD_TIMEOUT}'`)
  await tx.query(`set local maintenance_work_mem = '256MB'`)
  const indexes = await tx.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'company'::regclass and not i.indisprimary order by c.relname`,
  )
  await addPrimaryKey(tx)
  const startedAt = performance.now()
  for (const { name, definition } of indexes) {
    await tx.query(
      definition
        .replace(` ${name} `, ` ${name}_load `)
        .replace(/ ON (?:ONLY )?(?:\w+\.)?company /, ` on ${LOAD_TABLE} `),
    )
  }
  const indexSeconds = (performance.now() - startedAt) / 1_000
  await tx.query('drop table company')
  await tx.query(`alter table ${LOAD_TABLE} rename to company`)
  await tx.query(`alter index ${LOAD_TABLE}_pkey rename to company_pkey`)
  for (const { name } of indexes) await tx.query(`alter index ${name}_load rename to ${name}`)
  return indexSeconds
}

async function addPrimaryKey(tx: Tx): Promise<void> {
  await tx.query('savepoint before_key')
  const addKey = `alter table ${LOAD_TABLE} add constraint ${LOAD_TABLE}_pkey primary key (number)`
  try {
    await tx.query(addKey)
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    await tx.query('rollback to before_key')
    await tx.query(`delete from ${LOAD_TABLE} a using ${LOAD_TABLE} b where a.number = b.number and a.ctid < b.ctid`)
    await tx.query(addKey)
  }
}
