import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export interface CopiedPiece {
  table: string
  columns: string
  /** Lines for COPY, each with its end. */
  lines: string
  snapshotId: number
  index: number
  rows: number
  bad: number
}

/** Copies the rows of a piece and records the piece, in one transaction: after a crash it is there whole or not at all. */
export async function copyPiece(client: pg.Client, piece: CopiedPiece): Promise<void> {
  await client.query('begin')
  // Losing the last moments only means reading the piece again.
  await client.query('set local synchronous_commit = off')
  await pipeline(
    Readable.from([Buffer.from(piece.lines)]),
    client.query(copyFrom(`copy ${piece.table} (${piece.columns}) from stdin`)),
  )
  await client.query(
    'insert into register_load_piece (snapshot_id, piece, rows_read, rows_bad) values ($1, $2, $3, $4)',
    [piece.snapshotId, piece.index, piece.rows, piece.bad],
  )
  await client.query('commit')
}
