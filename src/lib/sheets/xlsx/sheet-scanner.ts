import { CELL_CHARS_MAX, type Cell } from '../cell.ts'
import { tooManyColumns } from '../csv/split-lines.ts'
import type { NoticeKind } from '../table-shape.ts'
import { LIMITS, UnreadableTable } from '../unreadable-table.ts'
import { unescapeText } from './escaped-text.ts'
import { toDate } from './number-formats.ts'
import { type CellFormat, TextCollector } from './workbook-parts.ts'
import { damaged, type XmlAttributes, type XmlHandlers } from './xml-scanner.ts'

/** All that a sheet takes from its workbook. */
export interface SheetContext {
  texts: readonly string[]
  formats: readonly CellFormat[]
  /** Days count from 1904, as old programs for the Macintosh had it. */
  isFrom1904: boolean
  /** Addresses by cell, `B7`. */
  links: ReadonlyMap<string, string>
  count(kind: NoticeKind, by?: number): void
}

export interface SheetRow {
  number: number
  cells: Cell[]
}

const DAYS_1904 = 1_462
const ROWS_MOST = 1_048_576
const COLUMNS_MOST = 16_384

/** Turns the XML of a sheet into rows. Only rows with something in them come out. */
export class SheetScanner implements XmlHandlers {
  readonly #context: SheetContext
  readonly #collector = new TextCollector()
  readonly #hiddenColumns: Array<[from: number, to: number]> = []
  #rows: SheetRow[] = []
  #isData = false
  #row = 0
  #isRowHidden = false
  #cells: Cell[] = []
  #column = 0
  #ref: string | null = null
  #type = ''
  #style = 0
  #isFormula = false
  #value: string | null = null
  #isValue = false
  #isInline = false
  #width = 0

  constructor(context: SheetContext) {
    this.#context = context
  }

  takeRows(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** After the last row: columns that have something in them and are hidden. */
  countHiddenColumns(): void {
    const hidden = this.#hiddenColumns.reduce(
      (sum, [from, to]) => sum + Math.max(0, Math.min(to, this.#width) - from + 1),
      0,
    )
    if (hidden > 0) this.#context.count('hidden_columns', hidden)
  }

  open(tag: string, attributes: XmlAttributes): void {
    if (!this.#isData) {
      if (tag === 'sheetData') this.#isData = true
      else if (tag === 'mergeCell') this.#context.count('merged_cells')
      else if (tag === 'col' && isTrue(attributes.get('hidden')))
        this.#hiddenColumns.push([Number(attributes.get('min')), Number(attributes.get('max'))])
      return
    }
    if (tag === 'c') this.#openCell(attributes)
    else if (tag === 'v') this.#isValue = true
    else if (tag === 'f') this.#isFormula = true
    else if (tag === 'row') this.#openRow(attributes)
    else if (tag === 'is') this.#isInline = true
    else if (this.#isInline) this.#collector.open(tag)
  }

  text(text: string): void {
    if (this.#isValue) this.#value = (this.#value ?? '') + text
    else if (this.#isInline) this.#collector.add(text)
  }

  close(tag: string): void {
    if (!this.#isData) return
    if (tag === 'c') this.#closeCell()
    else if (tag === 'v') {
      this.#isValue = false
      this.#value ??= ''
    } else if (tag === 'row') this.#closeRow()
    else if (tag === 'is') {
      this.#isInline = false
      this.#value = this.#collector.take()
    } else if (tag === 'sheetData') this.#isData = false
    else if (this.#isInline) this.#collector.close(tag)
  }

  #openRow(attributes: XmlAttributes): void {
    const number = attributes.get('r')
    const row = number === null ? this.#row + 1 : Number(number)
    if (!Number.isInteger(row) || row <= this.#row || row > ROWS_MOST) throw damaged()
    this.#row = row
    this.#isRowHidden = isTrue(attributes.get('hidden'))
    this.#cells = []
    this.#column = 0
  }

  #closeRow(): void {
    const { length } = this.#cells
    if (length === 0) return
    for (let index = 0; index < length; index += 1) this.#cells[index] ??= null
    if (this.#isRowHidden) this.#context.count('hidden_rows')
    this.#width = Math.max(this.#width, length)
    this.#rows.push({ number: this.#row, cells: this.#cells })
    this.#cells = []
  }

  #openCell(attributes: XmlAttributes): void {
    this.#ref = attributes.get('r')
    this.#column = this.#ref === null ? this.#column + 1 : toColumn(this.#ref)
    this.#type = attributes.get('t') ?? 'n'
    this.#style = Number(attributes.get('s') ?? 0)
    this.#isFormula = false
    this.#value = null
  }

  #closeCell(): void {
    const value = this.#value
    if (this.#isFormula) this.#context.count('formulas')
    if (value === null) {
      if (this.#isFormula) this.#context.count('formulas_without_result')
      return
    }
    const cell = this.#addLink(this.#readValue(value))
    if (cell === null) return
    if (this.#column > LIMITS.columns) throw tooManyColumns()
    this.#cells[this.#column - 1] = cell
  }

  #readValue(value: string): Cell {
    switch (this.#type) {
      case 's': {
        const text = this.#context.texts[Number(value)]
        if (text !== undefined) return this.#checkLength(text)
        this.#context.count('texts_missing')
        return null
      }
      case 'inlineStr':
        return this.#checkLength(value)
      case 'str':
        return this.#checkLength(unescapeText(value))
      case 'b':
        return isTrue(value.trim())
      case 'e':
        this.#context.count('error_cells')
        return { error: value }
      case 'd':
        return toIsoDate(value)
      default:
        return this.#readNumber(value)
    }
  }

  #readNumber(value: string): Cell {
    if (value.trim() === '') return null
    const number = Number(value)
    if (!Number.isFinite(number)) return this.#checkLength(value)
    const shown = this.#context.formats[this.#style] ?? null
    if (shown === null) return number
    const { format, kind } = shown
    if (kind === 'number') return { number, format }
    // A time of day has no day to count from, and what is no day is a number as it was typed.
    const hasDay = number >= (kind === 'day' ? 0 : 1)
    const isShifted = this.#context.isFrom1904 && hasDay
    const serial = isShifted ? number + DAYS_1904 : number
    const date = toDate(serial)
    if (date === null) return { number, format }
    return isShifted ? { date, serial, format, typed: number } : { date, serial, format }
  }

  #addLink(cell: Cell): Cell {
    const { links } = this.#context
    if (links.size === 0) return cell
    const href = links.get(this.#ref ?? `${toLetters(this.#column)}${this.#row}`)
    if (href === undefined) return cell
    if (typeof cell === 'string') return { text: cell, href }
    if (cell !== null) this.#context.count('links_left_out')
    return cell
  }

  #checkLength(text: string): string {
    if (text.length <= CELL_CHARS_MAX) return text
    const most = CELL_CHARS_MAX.toLocaleString('en-GB')
    const name = `${toLetters(this.#column)}${this.#row}`
    throw new UnreadableTable(
      `Cell ${name} holds more than ${most} characters, and no spreadsheet takes more. Shorten it.`,
    )
  }
}

function isTrue(value: string | null): boolean {
  return value === '1' || value === 'true'
}

function toIsoDate(value: string): Cell {
  const found = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}).*)?$/.exec(value)
  if (!found) return value
  const [, day = '', time = '00:00:00'] = found
  return { date: time === '00:00:00' ? day : `${day}T${time}` }
}

/** `AB12` is column 28. */
export function toColumn(ref: string): number {
  let column = 0
  for (let at = 0; at < ref.length; at += 1) {
    const code = ref.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) break
    const letter = (code & ~0x20) - 0x40
    if (letter < 1 || letter > 26) throw damaged()
    column = column * 26 + letter
    if (column > COLUMNS_MOST) throw damaged()
  }
  if (column === 0) throw damaged()
  return column
}

export function toLetters(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}
