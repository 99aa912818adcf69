/** The frame of an import's thread: takes pieces, copies their rows in the order they came, and sends one result for each. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openConnection } from '../../lib/db/connection.ts'
import { CopyLines } from './copy-lines.ts'
import type { Piece } from './pieces.ts'
import { servePieces } from './serve-pieces.ts'

/** Where a first load is copied to. */
export interface LoadTarget {
  databaseUrl: string
  table: string
  snapshotId: number
}

export interface CopiedRows {
  columns: string
  lines: CopyLines
  index: number
  rows: number
  bad: number
}

export interface Copier {
  /** Returns room for the lines of a piece. */
  newLines(): CopyLines
  /** Copies the rows of a piece; the room of its lines is free afterwards. */
  copy(rows: CopiedRows): Promise<void>
}

/** `handle` gets no way to copy where there is no target: it compares. */
export async function serveThread<Result>(
  target: LoadTarget | null,
  handle: (piece: { index: number; buffer: Buffer }, copier: Copier | null) => Promise<Result>,
): Promise<void> {
  const copier = target && (await openCopier(target))
  servePieces(({ index }: Piece, buffer) => handle({ index, buffer }, copier))
}

/** Pieces that arrive while one is copied wait: each has a transaction of its own. */
async function openCopier(target: LoadTarget): Promise<Copier> {
  const client = await openConnection(target.databaseUrl, { application_name: 'nameplate import' })
  // Losing the last moments only means reading a piece again.
  await client.query('set synchronous_commit = off')
  // As many as a thread holds pieces.
  const free: CopyLines[] = []
  let last = Promise.resolve()
  return {
    newLines: () => free.pop() ?? new CopyLines(),
    copy: (rows) => {
      last = last.then(async () => {
        await copyPiece(client, target, rows)
        rows.lines.clear()
        free.push(rows.lines)
      })
      return last
    },
  }
}

/** Copies the rows of a piece and records the piece, in one transaction: after a crash it is there whole or not at all. */
async function copyPiece(client: pg.Client, { table, snapshotId }: LoadTarget, piece: CopiedRows): Promise<void> {
  await client.query('begin')
  await pipeline(
    Readable.from([piece.lines.bytes]),
    client.query(copyFrom(`copy ${table} (${piece.columns}) from stdin`)),
  )
  await client.query(
    'insert into register_load_piece (snapshot_id, piece, rows_read, rows_bad) values ($1, $2, $3, $4)',
    [snapshotId, piece.index, piece.rows, piece.bad],
  )
  await client.query('commit')
}
