/** One thread of an import: turns pieces of the file of persons with significant control into rows, or finds those that differ. */
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { copyPiece } from '../import/copy-piece.ts'
import { linesOf } from '../import/pieces.ts'
import { KnownLines, type KnownLinesMemory } from './known-lines.ts'
import type { PscRow } from './psc-row.ts'
import { hashPscLine, isPlain, PSC_COPY_COLUMNS, parsePscLine, toPscCopyLine } from './snapshot-line.ts'

export type PscThreadTask =
  | { kind: 'load'; databaseUrl: string; table: string; snapshotId: number; changedAt: string }
  | { kind: 'compare'; known: KnownLinesMemory }

export interface PscPieceResult {
  index: number
  bytes: number
  rows: number
  bad: number
  /** The beginnings of the first bad lines, to show. */
  badLines: string[]
  /** How many records all parts hold, where this piece says it. */
  totalRecords: number | null
  /** When comparing: the rows that are new or differ. */
  changed: Array<{ row: PscRow; hash: number }>
}

const BAD_LINES_SHOWN = 5
const BAD_LINE_CHARACTERS = 60

const task = workerData as PscThreadTask
const known = task.kind === 'compare' ? new KnownLines(task.known) : null
const client =
  task.kind === 'load'
    ? new pg.Client({ connectionString: task.databaseUrl, application_name: 'nameplate import' })
    : null

parentPort?.on('message', ({ index, bytes }: { index: number; bytes: Uint8Array }) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  void (known ? compare(index, buffer) : load(index, buffer)).then((result) => parentPort?.postMessage(result))
})

await client?.connect()
parentPort?.postMessage('ready')

async function load(index: number, buffer: Buffer): Promise<PscPieceResult> {
  if (task.kind !== 'load' || !client) throw new Error('this thread compares')
  const result = emptyResult(index, buffer)
  let copy = ''
  for (const line of linesOf(buffer)) {
    const row = readLine(line, result)
    if (row) copy += toPscCopyLine(row, { hash: hashPscLine(line), changedAt: task.changedAt, isPlain: isPlain(line) })
  }
  const { rows, bad } = result
  await copyPiece(client, {
    table: task.table,
    columns: PSC_COPY_COLUMNS,
    lines: copy,
    snapshotId: task.snapshotId,
    index,
    rows,
    bad,
  })
  return result
}

function compare(index: number, buffer: Buffer): Promise<PscPieceResult> {
  if (!known) throw new Error('this thread loads')
  const result = emptyResult(index, buffer)
  for (const line of linesOf(buffer)) {
    const hash = hashPscLine(line)
    if (known.has(hash)) {
      result.rows += 1
      continue
    }
    const row = readLine(line, result)
    if (row) result.changed.push({ row, hash })
  }
  return Promise.resolve(result)
}

function readLine(line: Buffer, result: PscPieceResult): PscRow | null {
  const text = line.toString('utf8')
  const parsed = parsePscLine(text)
  if (parsed.kind === 'totals') {
    result.totalRecords = parsed.records
    return null
  }
  result.rows += 1
  if (parsed.kind === 'row') return parsed.row
  result.bad += 1
  if (result.badLines.length < BAD_LINES_SHOWN) result.badLines.push(text.slice(0, BAD_LINE_CHARACTERS))
  return null
}

function emptyResult(index: number, buffer: Buffer): PscPieceResult {
  return { index, bytes: buffer.length, rows: 0, bad: 0, badLines: [], totalRecords: null, changed: [] }
}
