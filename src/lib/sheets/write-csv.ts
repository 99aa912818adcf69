/**
 * Tables as CSV: UTF-8, commas, CRLF, every cell in quotes. A cell comes back byte for byte when it is read again; only
 * text that can begin a formula gets an apostrophe in front, because spreadsheets run what begins like one.
 */
import { formatCsvLine } from '../text/csv-writer.ts'
import type { Cell } from './cell.ts'
import { fullText } from './full-text.ts'

const BOM = '\uFEFF'
const PIECE_CHARS = 64 * 1_024

export interface CsvOptions {
  /** Excel takes the file for another encoding without it; most programs ignore it. */
  hasMark?: boolean
}

/** Yields the file piece by piece. */
export async function* writeCsv(
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
  { hasMark = false }: CsvOptions = {},
): AsyncGenerator<string> {
  let text = hasMark ? BOM : ''
  for await (const batch of rows)
    for (const row of batch) {
      text += formatCsvLine(row.map(toCsvCell))
      if (text.length < PIECE_CHARS) continue
      yield text
      text = ''
    }
  if (text !== '') yield text
}

/** A number is no text that could begin a formula. */
function toCsvCell(cell: Cell): string | number | null {
  return typeof cell === 'number' || cell === null ? cell : fullText(cell)
}
