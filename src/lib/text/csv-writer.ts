/**
 * Tables for spreadsheets. Cells come from strangers' sites and from what people typed, and a spreadsheet runs what begins
 * like a formula. So every cell is quoted, and nothing in it can begin one: also not for a program that splits at another
 * delimiter than the comma, and so takes the middle of a cell for the beginning of one.
 */

/** With their full-width forms, which some programs read as the plain ones. */
const STARTS = '=+\\-@\uFF1D\uFF0B\uFF0D\uFF20'
/** Where a program may begin a new cell. Quotes and spaces may stand between that and the formula. */
const FORMULA = new RegExp(`(^|[,;|\\t\\r\\n])([\\s"\\uFEFF]*)(?=[${STARTS}])`, 'gu')
const CONTROL_START = /^[\t\r\n]/

type Cell = string | number | boolean | null

export function formatCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(cell: Cell): string {
  const text = typeof cell === 'string' ? disarm(cell) : cell === null ? '' : String(cell)
  return `"${text.replaceAll('"', '""')}"`
}

/** An apostrophe before a formula makes it text. */
function disarm(text: string): string {
  const disarmed = text.replace(FORMULA, "$1$2'")
  return CONTROL_START.test(disarmed) ? `'${disarmed}` : disarmed
}
