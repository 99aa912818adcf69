import { formatNumber } from './number-text.ts'

/**
 * One cell of a table, as JSON can hold it and without loss:
 * text byte for byte, numbers by their value, and the format where a workbook has one that matters. A formula is here as the
 * result that its workbook stored. Null is a cell with nothing in it.
 */
export type Cell = string | number | boolean | null | NumberCell | DateCell | ErrorCell | LinkCell

/** A number with a format: a percentage, a currency, leading zeros. */
export interface NumberCell {
  number: number
  /** As workbooks write it: `0%`, `00000000`. */
  format: string
}

export interface DateCell {
  /** `2026-11-18`, `2026-11-18T09:30:00`, or `09:30:00` where it is a time without a day. */
  date: string
  /** The number behind it in a workbook: days since 1899-12-30. A writer uses it before `date`. */
  serial?: number
  /** As workbooks write it: `dd/mm/yyyy`. */
  format?: string
  /** The number in a workbook whose days count from 1904. */
  typed?: number
}

/** The result of a formula that failed: `#N/A`, `#REF!`. */
export interface ErrorCell {
  error: string
}

export interface LinkCell {
  text: string
  href: string
}

/** The most that a cell of a spreadsheet holds. A longer one is refused when it is read, and cut when it is added. */
export const CELL_CHARS_MAX = 32_767
/** The longest address of a link. Excel repairs a sheet with a longer one; such a cell is read and written as its text alone. */
export const HREF_CHARS_MAX = 2_079

/** Returns what a person reads in the cell: for matching and for a preview. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if ('number' in cell) return formatNumber(cell.number, cell.format)
  if ('date' in cell) return cell.date.replace('T', ' ')
  return 'error' in cell ? cell.error : cell.text
}

/** Whether there is nothing to read in the cell; spaces are nothing. */
export function isBlank(cell: Cell | undefined): boolean {
  return cellText(cell).trim() === ''
}
