/** The frame of an import's thread: takes pieces, copies their rows in the order they came, and sends one result for each. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parentPort } from 'node:worker_threads'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Where a first load is copied to. */
export interface LoadTarget {
  databaseUrl: string
  table: string
  snapshotId: number
}

export interface CopiedRows {
  columns: string
  /** Lines for COPY, each with its end. */
  lines: string
  index: number
  rows: number
  bad: number
}

export type CopyRows = (rows: CopiedRows) => Promise<void>

/** `handle` gets no way to copy where there is no target: it compares. */
export async function serveThread<Result>(
  target: LoadTarget | null,
  handle: (piece: { index: number; buffer: Buffer }, copyRows: CopyRows | null) => Promise<Result>,
): Promise<void> {
  const copyRows = target && (await openCopier(target))
  parentPort?.on('message', ({ index, bytes }: { index: number; bytes: Uint8Array }) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    void handle({ index, buffer }, copyRows).then((result) => parentPort?.postMessage(result))
  })
  parentPort?.postMessage('ready')
}

/** Pieces that arrive while one is copied wait: each has a transaction of its own. */
async function openCopier(target: LoadTarget): Promise<CopyRows> {
  const client = new pg.Client({ connectionString: target.databaseUrl, application_name: 'nameplate import' })
  await client.connect()
  // Losing the last moments only means reading a piece again.
  await client.query('set synchronous_commit = off')
  let last = Promise.resolve()
  return (rows) => {
    last = last.then(() => copyPiece(client, target, rows))
    return last
  }
}

/** Copies the rows of a piece and records the piece, in one transaction: after a crash it is there whole or not at all. */
async function copyPiece(client: pg.Client, { table, snapshotId }: LoadTarget, piece: CopiedRows): Promise<void> {
  await client.query('begin')
  await pipeline(
    Readable.from([Buffer.from(piece.lines)]),
    client.query(copyFrom(`copy ${table} (${piece.columns}) from stdin`)),
  )
  await client.query(
    'insert into register_load_piece (snapshot_id, piece, rows_read, rows_bad) values ($1, $2, $3, $4)',
    [snapshotId, piece.index, piece.rows, piece.bad],
  )
  await client.query('commit')
}
