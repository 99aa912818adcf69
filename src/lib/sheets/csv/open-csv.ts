import type { Cell } from '../cell.ts'
import { refuseMoreRows } from '../refusals.ts'
import { TableMeter } from '../table-meter.ts'
import type { Delimiter, OpenTable, TableShape } from '../table-shape.ts'
import { UnreadableTable } from '../unreadable-table.ts'
import { decodeText, findEncoding } from './encoding.ts'
import { findDelimiter, NONE } from './find-delimiter.ts'
import { LineSplitter } from './split-lines.ts'

/** Characters of a start by which the delimiter is found. */
const SAMPLE_CHARS = 128 * 1_024
/** Excel writes this into a first line to name the delimiter. It is no row. */
const NAMED_DELIMITER = /^sep=([,;\t| ])(?:\r\n|\r|\n|$)/i
/** A line of addresses or numbers that someone pasted, which is a list and not one row. */
const LIST_PIECE = /^[^\s"]*[.@\d][^\s"]*$/
const LIST_CHARS_MAX = 1_000_000

export function openCsv(bytes: Uint8Array): OpenTable {
  const encoding = findEncoding(bytes)
  const start = takeStart(bytes, encoding)
  const named = NAMED_DELIMITER.exec(start)
  const skipped = named?.[0].length ?? 0
  const list = named ? null : findList(bytes, encoding)
  const delimiter = list ? null : ((named?.[1] as Delimiter | undefined) ?? findDelimiter(start))

  async function* read(rowsMax: number): AsyncGenerator<Cell[][]> {
    const trailing = new TrailingRows(rowsMax)
    if (list) {
      yield trailing.take(list.map((piece) => [piece]))
      return
    }
    const splitter = new LineSplitter(delimiter ?? NONE)
    let left = skipped
    for (const text of decodeText(bytes, encoding)) {
      const rows = trailing.take(splitter.write(left > 0 ? text.slice(left) : text))
      left = Math.max(0, left - text.length)
      if (rows.length > 0) yield rows
    }
    const rows = trailing.take(splitter.end())
    if (rows.length > 0) yield rows
  }

  return {
    read: ({ rowsMax }) => read(rowsMax),
    inspect: async ({ previewRows }): Promise<TableShape> => {
      const meter = new TableMeter({ name: '', isHidden: false })
      const rows: Cell[][] = []
      for await (const batch of read(Number.POSITIVE_INFINITY)) {
        meter.add(batch)
        rows.push(...batch.slice(0, Math.max(0, previewRows - rows.length)))
      }
      if (meter.isBlank) throw new UnreadableTable('The file has no rows with anything in them.')
      meter.countUneven()
      const { encoding: name } = encoding
      return {
        format: 'csv',
        encoding: name,
        delimiter,
        sheets: [meter.shape],
        notices: meter.notices,
        sheet: '',
        rows,
      }
    },
  }
}

/** Keeps back empty rows until one with something in it follows, and counts. */
export class TrailingRows {
  readonly #rowsMax: number
  #empty = 0
  #rows = 0

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
  }

  take(rows: readonly Cell[][]): Cell[][] {
    const taken: Cell[][] = []
    for (const row of rows) {
      if (row.every((cell) => cell === null)) {
        this.#empty += 1
        continue
      }
      this.#rows += this.#empty + 1
      if (this.#rows > this.#rowsMax) throw refuseMoreRows(this.#rowsMax)
      for (; this.#empty > 0; this.#empty -= 1) taken.push([])
      taken.push(row)
    }
    return taken
  }
}

function takeStart(bytes: Uint8Array, encoding: ReturnType<typeof findEncoding>): string {
  let start = ''
  for (const text of decodeText(bytes, encoding)) {
    start += text
    if (start.length >= SAMPLE_CHARS) break
  }
  return start.slice(0, SAMPLE_CHARS)
}

/**
 * The pieces of the only line, where each looks like one address or number. Pieces of several kinds with the same delimiter between
 * them are the cells of one row: a domain, its e-mail address and its number.
 */
function findList(bytes: Uint8Array, encoding: ReturnType<typeof findEncoding>): string[] | null {
  if (bytes.length > LIST_CHARS_MAX) return null
  const text = [...decodeText(bytes, encoding)].join('').trim()
  if (/[\r\n\t"]/.test(text)) return null
  const pieces = text.split(/[\s,;|]+/).filter((piece) => piece !== '')
  if (pieces.length < 2 || !pieces.every((piece) => LIST_PIECE.test(piece))) return null
  return new Set(pieces.map(kindOf)).size > 1 && hasOneDelimiter(text) ? null : pieces
}

function kindOf(piece: string): 'email' | 'number' | 'address' {
  if (piece.includes('@')) return 'email'
  return /^[A-Z]{0,2}\d+[A-Z]?$/i.test(piece) ? 'number' : 'address'
}

function hasOneDelimiter(text: string): boolean {
  const [delimiter, other] = new Set(text.match(/[,;|]/g))
  if (delimiter === undefined || other !== undefined) return false
  return text.split(delimiter).every((cell) => !/\s/.test(cell.trim()))
}
