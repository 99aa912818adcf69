/** One thread of an import: turns pieces of the snapshot into rows of the load table, or into changes. */
import { workerData } from 'node:worker_threads'
import type { CompanyFacts } from '../company.ts'
import { KnownRows, type KnownRowsMemory } from './known-rows.ts'
import { linesOf } from './pieces.ts'
import { COPY_COLUMNS, hashLine, isPlain, numberOf, splitLine, toCopyLine, toFacts } from './row.ts'
import { type Copier, type LoadTarget, serveThread } from './serve-thread.ts'

export type ThreadTask =
  | ({ kind: 'load'; changedAt: string } & LoadTarget)
  | { kind: 'compare'; known: KnownRowsMemory }

export interface PieceResult {
  index: number
  bytes: number
  rows: number
  bad: number
  /** The beginnings of the first bad lines, to show. */
  badLines: string[]
  /** When comparing: the rows that are new or differ. */
  changed: ChangedRow[]
}

export interface ChangedRow {
  facts: CompanyFacts
  rowHash: number
}

const BAD_LINES_SHOWN = 5
const BAD_LINE_CHARACTERS = 120

const task = workerData as ThreadTask
const known = task.kind === 'compare' ? new KnownRows(task.known) : null

await serveThread(task.kind === 'load' ? task : null, ({ index, buffer }, copier) =>
  copier ? load(index, buffer, copier) : compare(index, buffer),
)

async function load(index: number, buffer: Buffer, copier: Copier): Promise<PieceResult> {
  if (task.kind !== 'load') throw new Error('this thread compares')
  const result = emptyResult(index, buffer)
  const lines = copier.newLines()
  for (const line of linesOf(buffer)) {
    const text = line.toString('utf8')
    const facts = readLine(text, result)
    if (!facts) continue
    lines.add(`${toCopyLine(facts, { hash: hashLine(line), changedAt: task.changedAt, isPlain: isPlain(text) })}\n`)
  }
  await copier.copy({ columns: COPY_COLUMNS, lines, index, rows: result.rows, bad: result.bad })
  return result
}

function compare(index: number, buffer: Buffer): Promise<PieceResult> {
  if (!known) throw new Error('this thread loads')
  const result = emptyResult(index, buffer)
  for (const line of linesOf(buffer)) {
    const rowHash = hashLine(line)
    if (known.compare(numberOf(line), rowHash) === 'same') {
      result.rows += 1
      continue
    }
    const facts = readLine(line.toString('utf8'), result)
    if (facts) result.changed.push({ facts, rowHash })
  }
  return Promise.resolve(result)
}

/** A file in an older encoding still loads; only its accents suffer. */
function readLine(line: string, result: PieceResult): CompanyFacts | null {
  const fields = splitLine(line)
  const facts = fields && toFacts(fields)
  result.rows += 1
  if (!facts) {
    result.bad += 1
    if (result.badLines.length < BAD_LINES_SHOWN) result.badLines.push(line.slice(0, BAD_LINE_CHARACTERS))
  }
  return facts
}

function emptyResult(index: number, buffer: Buffer): PieceResult {
  return { index, bytes: buffer.length, rows: 0, bad: 0, badLines: [], changed: [] }
}
