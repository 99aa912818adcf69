/**
 * A process of its own, so that its memory is that of reading and writing alone: reads a table as an upload is read, keeps its
 * rows outside of memory as the database does, and writes them again with 15 more columns. Prints its figures as JSON.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Cell, cellText } from '../../../src/lib/sheets/cell.ts'
import { inspectTable, readTable } from '../../../src/lib/sheets/read-table.ts'
import { writeCsv } from '../../../src/lib/sheets/write-csv.ts'
import { writeXlsx } from '../../../src/lib/sheets/write-xlsx.ts'
import { ADDED, addedCells } from './drawn-rows.ts'

export interface Measured {
  rows: number
  cells: number
  read_seconds: number
  write_seconds: number
  read_cpu_seconds: number
  write_cpu_seconds: number
  peak_mb: number
}

const BATCH_ROWS = 500
const [format = '', from = '', kept = '', to = '', rowsMax = '0'] = process.argv.slice(2)

const started = now()
const counted = await read()
const readAt = now()
await write()
const writtenAt = now()
const measured: Measured = {
  ...counted,
  read_seconds: readAt.seconds - started.seconds,
  write_seconds: writtenAt.seconds - readAt.seconds,
  read_cpu_seconds: readAt.cpuSeconds - started.cpuSeconds,
  write_cpu_seconds: writtenAt.cpuSeconds - readAt.cpuSeconds,
  // In kilobytes, with all threads.
  peak_mb: process.resourceUsage().maxRSS / 1_024,
}
console.log(JSON.stringify(measured))

/** The processor time is that of all threads. */
function now(): { seconds: number; cpuSeconds: number } {
  const { user, system } = process.cpuUsage()
  return { seconds: performance.now() / 1_000, cpuSeconds: (user + system) / 1_000_000 }
}

async function read(): Promise<{ rows: number; cells: number }> {
  const bytes = await readFile(from)
  await inspectTable(bytes)
  let [rows, cells] = [0, 0]
  await pipeline(
    Readable.from(
      (async function* () {
        for await (const batch of readTable(bytes, { rowsMax: Number(rowsMax) })) {
          rows += batch.length
          for (const row of batch) cells += row.filter((cell) => cell !== null).length
          yield batch.map((row) => `${JSON.stringify(row)}\n`).join('')
        }
      })(),
    ),
    createWriteStream(kept),
  )
  return { rows, cells }
}

async function write(): Promise<void> {
  let header: Cell[] = []
  for await (const [first = []] of keptRows()) {
    header = first
    break
  }
  const output =
    format === 'csv'
      ? writeCsv(withAdded(header), { hasMark: true })
      : writeXlsx({
          sheets: [
            {
              name: 'Results',
              columns: [
                ...header.map((name) => ({ header: cellText(name) })),
                ...ADDED.map(({ name, kind }) => ({ header: name, kind })),
              ],
              rows: withAdded(null),
            },
          ],
        })
  await pipeline(Readable.from(output, { objectMode: true, highWaterMark: 2 }), createWriteStream(to))
}

/** The rows with the added cells; the header among them where a writer does not write it itself. */
async function* withAdded(header: readonly Cell[] | null): AsyncGenerator<Cell[][]> {
  let index = 0
  if (header) yield [[...header, ...ADDED.map(({ name }) => name)]]
  for await (const batch of keptRows()) {
    const start = index
    yield batch.map((row, at) => [...row, ...addedCells(start + at)]).slice(start === 0 ? 1 : 0)
    index += batch.length
  }
}

async function* keptRows(): AsyncGenerator<Cell[][]> {
  let batch: Cell[][] = []
  for await (const line of createInterface({ input: createReadStream(kept) })) {
    batch.push(JSON.parse(line) as Cell[])
    if (batch.length >= BATCH_ROWS) yield batch.splice(0)
  }
  if (batch.length > 0) yield batch
  batch = []
}
