/** One thread of an import: turns pieces of the file of persons with significant control into rows, or finds those that differ. */
import { workerData } from 'node:worker_threads'
import { linesOf } from '../import/pieces.ts'
import { type Copier, type LoadTarget, serveThread } from '../import/serve-thread.ts'
import { KnownLines, type KnownLinesMemory } from './known-lines.ts'
import type { PscRow } from './psc-row.ts'
import { hashPscLine, isPlain, PSC_COPY_COLUMNS, parsePscLine, toPscCopyLine } from './snapshot-line.ts'

export type PscThreadTask =
  | ({ kind: 'load'; changedAt: string } & LoadTarget)
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

await serveThread(task.kind === 'load' ? task : null, ({ index, buffer }, copier) =>
  copier ? load(index, buffer, copier) : compare(index, buffer),
)

async function load(index: number, buffer: Buffer, copier: Copier): Promise<PscPieceResult> {
  if (task.kind !== 'load') throw new Error('this thread compares')
  const result = emptyResult(index, buffer)
  const lines = copier.newLines()
  for (const line of linesOf(buffer)) {
    const row = readLine(line, result)
    if (row)
      lines.add(toPscCopyLine(row, { hash: hashPscLine(line), changedAt: task.changedAt, isPlain: isPlain(line) }))
  }
  await copier.copy({ columns: PSC_COPY_COLUMNS, lines, index, rows: result.rows, bad: result.bad })
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
