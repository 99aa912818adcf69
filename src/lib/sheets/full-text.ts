/** Cells for files that have no formats: a number that its format rounds, or shows without its sign, is written whole. */
import { type Cell, cellText, type NumberCell } from './cell.ts'
import { formatNumber } from './number-text.ts'

/** Returns what a person reads in the cell where that loses nothing of a number, and the whole number where it does. */
export function fullText(cell: Cell): string {
  return isNumberCell(cell) ? showWhole(cell) : cellText(cell)
}

/** Zeros in front are a part of the number: `00000000` is a format of text for programs. */
const WITH_ZEROS = /^[^.#,]*00/

/** The cell as JSON has it: a number with a format is a number, and a text where the format keeps zeros in front. */
export function toJsonCell(cell: Cell): string | number | boolean | null {
  if (isNumberCell(cell)) return WITH_ZEROS.test(cell.format) ? showWhole(cell) : cell.number
  return cell !== null && typeof cell === 'object' ? cellText(cell) : cell
}

function isNumberCell(cell: Cell): cell is NumberCell {
  return cell !== null && typeof cell === 'object' && 'number' in cell
}

function showWhole({ number, format }: NumberCell): string {
  const shown = formatNumber(number, format)
  return isSame(shown, number) ? shown : String(number)
}

/** The digits of a number that a workbook stores: beyond these two numbers are the same. */
const DIGITS = 15

function isSame(shown: string, number: number): boolean {
  const read = Number(shown.replaceAll(/[^\d.]/g, '')) / (shown.includes('%') ? 100 : 1)
  const isSignShown = number >= 0 || /[-(]/.test(shown)
  return isSignShown && read.toPrecision(DIGITS) === Math.abs(number).toPrecision(DIGITS)
}
