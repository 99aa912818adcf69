/** Reads one table and posts its batches; waits where the reader is two of them behind. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Cell, cellText } from './cell.ts'
import { openTable } from './open-table.ts'
import type { TableShape } from './table-shape.ts'
import { LIMITS, UnreadableTable } from './unreadable-table.ts'

export type ReadingTask = { bytes: Uint8Array; sheet: string | undefined } & (
  | { kind: 'inspect'; previewRows: number }
  | { kind: 'read'; rowsMax: number }
)

export type ThreadMessage =
  | { kind: 'rows'; rows: Cell[][] }
  | { kind: 'end' }
  | { kind: 'shape'; shape: TableShape }
  | { kind: 'refused'; message: string }

const AHEAD_MAX = 2
/** A larger batch would stop the thread that receives it for too long. */
const BATCH_ROWS_MAX = 1_000
/** Characters of a cell in a preview. */
const PREVIEW_CHARS_MAX = 500

async function run(task: ReadingTask): Promise<ThreadMessage> {
  const table = await openTable(task.bytes)
  if (task.kind === 'inspect') return { kind: 'shape', shape: cutPreview(await table.inspect(task)) }
  const meter = new SizeMeter()
  let ahead = 0
  let resume = Promise.withResolvers<void>()
  parentPort?.on('message', () => {
    ahead -= 1
    resume.resolve()
  })
  for await (const rows of table.read(task)) {
    meter.add(rows)
    for (let at = 0; at < rows.length; at += BATCH_ROWS_MAX) {
      post({ kind: 'rows', rows: rows.slice(at, at + BATCH_ROWS_MAX) })
      ahead += 1
      if (ahead < AHEAD_MAX) continue
      resume = Promise.withResolvers<void>()
      await resume.promise
    }
  }
  return { kind: 'end' }
}

/** Everything that is posted is copied in full into the memory of the whole process, however small the file that it comes from. */
class SizeMeter {
  #cells = 0
  #characters = 0

  add(rows: readonly Cell[][]): void {
    for (const row of rows) {
      this.#cells += row.length
      for (const cell of row) this.#characters += countCharacters(cell)
      if (this.#cells > LIMITS.cells || this.#characters > LIMITS.characters) throw tooMuch()
    }
  }
}

function countCharacters(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  const isLink = cell !== null && typeof cell === 'object' && 'href' in cell
  return cellText(cell).length + (isLink ? cell.href.length : 0)
}

function tooMuch(): UnreadableTable {
  const most = LIMITS.cells.toLocaleString('en-GB')
  return new UnreadableTable(
    `The table has more than ${most} cells, or very long texts in many of them. Remove columns, or send the rows in several files.`,
  )
}

/** A preview shows the beginning of each cell. */
function cutPreview(shape: TableShape): TableShape {
  const rows = shape.rows.map((row) => row.map(cutCell))
  return { ...shape, rows }
}

function cutCell(cell: Cell): Cell {
  if (typeof cell === 'string') return cut(cell)
  if (cell !== null && typeof cell === 'object' && 'text' in cell) return { text: cut(cell.text), href: cut(cell.href) }
  return cell
}

function cut(text: string): string {
  return text.length <= PREVIEW_CHARS_MAX ? text : text.slice(0, PREVIEW_CHARS_MAX).toWellFormed()
}

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

try {
  post(await run(workerData as ReadingTask))
} catch (error) {
  if (!(error instanceof UnreadableTable)) throw error
  post({ kind: 'refused', message: error.message })
}
