import { type Cell, cellText } from '../lib/sheets/cell.ts'
import { parseCompanyNumber } from '../register/index.ts'

/** A day within these years, in a column of company numbers, is more likely a day than a number. */
const [FIRST_DAY, LAST_DAY] = [18_264, 73_415]

/**
 * The company number in a cell, as the register writes it; null where there is none. A spreadsheet takes such a number for a
 * number and drops its zeros (`6500244`), or shows it as a day: the number behind the day is what was typed. Digits that are
 * lost (`6.5E+06`) do not come back.
 */
export function toCompanyNumber(cell: Cell): string | null {
  if (cell !== null && typeof cell === 'object' && 'date' in cell) {
    const { serial } = cell
    if (serial === undefined || !Number.isInteger(serial) || (serial >= FIRST_DAY && serial <= LAST_DAY)) return null
    return parseCompanyNumber(String(serial))
  }
  const text = cellText(cell)
    .trim()
    .replace(/^'/, '')
    .replace(/^(?:company|registration|registered|reg|crn|no|number|nr|[\s.:#])+(?=[A-Z]{0,2} ?\d)/i, '')
  if (text.length > 20) return null
  // Programs for data write whole numbers with a decimal.
  if (/^\d+\.0+$/.test(text)) return parseCompanyNumber(text.replace(/\.0+$/, ''))
  if (/^\d{1,3}(?:,\d{3})+$/.test(text)) return parseCompanyNumber(text.replaceAll(',', ''))
  return /\d[.]\d/.test(text) ? null : parseCompanyNumber(text)
}
