/** Tables from and to bytes, all in memory, as these tests need them. */
import type { Cell } from '../../src/lib/sheets/cell.ts'
import { openTable } from '../../src/lib/sheets/open-table.ts'
import { writeCsv } from '../../src/lib/sheets/write-csv.ts'
import { type OutSheet, writeXlsx } from '../../src/lib/sheets/write-xlsx.ts'

export async function gather<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const piece of pieces) gathered.push(piece)
  return gathered
}

export async function* once<T>(rows: T): AsyncGenerator<T> {
  yield rows
}

export async function toXlsx(rows: Cell[][], sheet: Partial<OutSheet> = {}): Promise<Buffer> {
  const sheets = [{ name: 'Sheet', columns: [], headerRows: [], ...sheet, rows: once(rows) }]
  return Buffer.concat(await gather(writeXlsx({ sheets })))
}

export async function toCsv(rows: Cell[][], hasMark = false): Promise<Buffer> {
  return Buffer.from((await gather(writeCsv(once(rows), { hasMark }))).join(''))
}

/** Without a thread. */
export async function readBack(bytes: Uint8Array): Promise<Cell[][]> {
  return (await gather((await openTable(bytes)).read({ rowsMax: 1_000_000 }))).flat()
}
