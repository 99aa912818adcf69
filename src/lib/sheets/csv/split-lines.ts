import { CELL_CHARS_MAX, type Cell } from '../cell.ts'
import { LIMITS, UnreadableTable } from '../unreadable-table.ts'

const [QUOTE, CR, LF, SPACE] = [0x22, 0x0d, 0x0a, 0x20]

/**
 * Splits text into lines of cells. A cell in quotes may hold the delimiter, line breaks and doubled quotes. Quotes anywhere
 * else are text like any other, so nothing that a person wrote is lost.
 */
export class LineSplitter {
  readonly #delimiter: number
  /** Cells and columns are refused beyond their limits. */
  readonly #isBounded: boolean
  #rest = ''
  /** The number of the line that is read next. */
  #line = 1
  /** Lines with a cell that begins with a quote, and goes on after the quote that ends it. */
  dirtyLines = 0

  constructor(delimiter: string, { isBounded = true } = {}) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#isBounded = isBounded
  }

  /** Returns the lines that are complete; the rest waits for more. */
  write(text: string): Cell[][] {
    if (text.includes('\0'))
      throw new UnreadableTable('The file holds bytes that no text has. Save it as CSV or XLSX, and send that.')
    return this.#split(this.#rest === '' ? text : this.#rest + text, false)
  }

  end(): Cell[][] {
    const lines = this.#split(this.#rest, true)
    if (this.#rest !== '') throw this.#openQuote()
    return lines
  }

  #split(text: string, isAll: boolean): Cell[][] {
    const lines: Cell[][] = []
    let start = 0
    while (start < text.length) {
      const line = this.#readLine(text, start, isAll)
      if (line === null) break
      lines.push(line.cells)
      start = line.end
      this.#line += 1
    }
    this.#rest = text.slice(start)
    if (this.#rest.length > LIMITS.lineBytes) throw this.#openQuote()
    return lines
  }

  /** Null where the line goes on beyond the text. */
  #readLine(text: string, start: number, isAll: boolean): { cells: Cell[]; end: number } | null {
    const cells: Cell[] = []
    let at = start
    let isDirty = false
    for (;;) {
      const cell = this.#readQuoted(text, at, isAll) ?? this.#readPlain(text, at)
      isDirty ||= cell !== 'more' && cell.value.startsWith('"') && text.charCodeAt(at + 1) !== QUOTE
      if (cell === 'more') return null
      const { end } = cell
      if (end === text.length && !isAll) return null
      if (this.#isBounded && cell.value.length > CELL_CHARS_MAX) throw this.#longCell(cells.length + 1)
      // A line without anything has no cells.
      if (end > start || cells.length > 0) cells.push(cell.value === '' ? null : cell.value)
      if (this.#isBounded && cells.length > LIMITS.columns) throw tooManyColumns()
      if (end >= text.length) return this.#finish(cells, end, isDirty)
      const code = text.charCodeAt(end)
      if (code === this.#delimiter) {
        if (end === start) cells.push(null)
        at = end + 1
        continue
      }
      if (code === LF) return this.#finish(cells, end + 1, isDirty)
      // A carriage return may be half of a line break.
      if (end + 1 === text.length && !isAll) return null
      return this.#finish(cells, text.charCodeAt(end + 1) === LF ? end + 2 : end + 1, isDirty)
    }
  }

  #finish(cells: Cell[], end: number, isDirty: boolean): { cells: Cell[]; end: number } {
    if (isDirty) this.dirtyLines += 1
    return { cells, end }
  }

  #readPlain(text: string, at: number): { value: string; end: number } {
    let end = at
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end)
      if (code === this.#delimiter || code === LF || code === CR) break
    }
    return { value: text.slice(at, end), end }
  }

  /** Null where the cell is not one in quotes from its first to its last character; spaces around them may be. */
  #readQuoted(text: string, at: number, isAll: boolean): { value: string; end: number } | 'more' | null {
    const open = this.#skipSpaces(text, at)
    if (text.charCodeAt(open) !== QUOTE) return open === text.length && !isAll ? 'more' : null
    let from = open + 1
    for (;;) {
      const quote = text.indexOf('"', from)
      if (quote === -1) {
        if (isAll) throw this.#openQuote()
        return 'more'
      }
      if (text.charCodeAt(quote + 1) === QUOTE) {
        from = quote + 2
        continue
      }
      if (quote + 1 === text.length && !isAll) return 'more'
      const end = this.#skipSpaces(text, quote + 1)
      const code = text.charCodeAt(end)
      if (end === text.length && !isAll) return 'more'
      if (end < text.length && code !== this.#delimiter && code !== LF && code !== CR) return null
      return { value: text.slice(open + 1, quote).replaceAll('""', '"'), end }
    }
  }

  #skipSpaces(text: string, at: number): number {
    if (this.#delimiter === SPACE) return at
    let end = at
    while (text.charCodeAt(end) === SPACE) end += 1
    return end
  }

  #openQuote(): UnreadableTable {
    return new UnreadableTable(
      `Line ${this.#line} is longer than a line can be: perhaps a quote (") begins in it that never ends. Correct it, or send the file as XLSX.`,
    )
  }

  #longCell(column: number): UnreadableTable {
    const most = CELL_CHARS_MAX.toLocaleString('en-GB')
    return new UnreadableTable(
      `Column ${column} of line ${this.#line} holds more than ${most} characters, and no spreadsheet takes more. Shorten it.`,
    )
  }
}

export function tooManyColumns(): UnreadableTable {
  const most = LIMITS.columns.toLocaleString('en-GB')
  return new UnreadableTable(`The table has more than ${most} columns. Remove those that you do not need.`)
}
