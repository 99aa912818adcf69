/**
 * Tables for spreadsheets. Cells come from strangers' sites and from what people typed, and a spreadsheet runs what begins
 * like a formula. So every cell is quoted, and nothing in it can begin one: also not for a program that splits at another
 * delimiter than the comma, and so takes the middle of a cell for the beginning of one.
 */

/** With their full-width forms, which some programs read as the plain ones. */
const STARTS = '=+\\-@\uFF1D\uFF0B\uFF0D\uFF20'
const START = new RegExp(`[${STARTS}]`, 'gu')
/** Quotes and spaces may be between the beginning of a cell and its formula. */
const BETWEEN = /[\s"\uFEFF]/
/** Where a program may begin a new cell. */
const NEW_CELL = /[,;|\t\r\n]/
const CONTROL_START = /^[\t\r\n]/
/**
 * A number or a telephone number with its sign, and nothing else in the cell: it has no operator, name or reference, so it is
 * no formula that does anything. A program that takes the next cells for a part of it finds a quote there, and no formula.
 */
const SIGNED_NUMBER = /^ *[+-] *[£$€]?[\d .,()]*(?:[eE][+-]?\d+)?%? *$/
const SIGNED_CHARS_MAX = 40
const FORMULA_START = new RegExp(`^[\\s"\\uFEFF]*[${STARTS}]`, 'u')

type Cell = string | number | boolean | null

export function formatCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

/**
 * The header of a file for people, with the mark of its encoding: without it, programs for spreadsheets take the file for one of
 * another encoding, and what they save comes back changed.
 */
export function formatCsvHead(columns: readonly string[]): string {
  return `\uFEFF${formatCsvLine(columns)}`
}

function formatCell(cell: Cell): string {
  const text = typeof cell === 'string' ? disarm(cell) : cell === null ? '' : String(cell)
  return `"${text.replaceAll('"', '""')}"`
}

/** Whether a spreadsheet may take the text for a formula when a person edits the cell. */
export function canBeginFormula(text: string): boolean {
  return FORMULA_START.test(text)
}

/** An apostrophe before a formula makes it text. */
function disarm(text: string): string {
  if ((text.length <= SIGNED_CHARS_MAX && SIGNED_NUMBER.test(text)) || text.trim() === '') return text
  let disarmed = ''
  let done = 0
  for (const { index } of text.matchAll(START)) {
    if (!beginsCell(text, index)) continue
    disarmed += `${text.slice(done, index)}'`
    done = index
  }
  disarmed += text.slice(done)
  return CONTROL_START.test(disarmed) ? `'${disarmed}` : disarmed
}

/** Takes back the apostrophes of `formatCsvLine` from a cell of a file that comes back. */
export function rearm(text: string): string {
  return text.replaceAll(ARMOUR, '$1')
}
const ARMOUR = new RegExp(`((?:^|[,;|\\t\\r\\n])(?:[^\\S\\t\\r\\n]|["\\uFEFF])*)'(?=[${STARTS}])`, 'gu')

/** Looks back over what may be between. Each character is looked at once for all formulas of a text, so a long one is quick. */
function beginsCell(text: string, index: number): boolean {
  let at = index - 1
  for (; at >= 0 && BETWEEN.test(text[at] ?? ''); at -= 1) if (NEW_CELL.test(text[at] ?? '')) return true
  return at < 0 || NEW_CELL.test(text[at] ?? '')
}
