import { type Cell, cellText } from '../lib/sheets/cell.ts'
import { parseCompanyNumber } from '../register/index.ts'

/** The letters that a number begins with, each a part of the register. Northern Ireland once wrote one letter. */
const PREFIXES =
  'AC|BR|CE|CS|ES|FC|GE|GN|GS|IC|IP|LP|NA|NC|NF|NI|NL|NO|NP|NR|NV|NZ|OC|OE|PC|RC|RO|RS|SA|SC|SE|SF|SG|SI|SL|SO|SP|SR|SZ|ZC'
const IN_REGISTER = new RegExp(`^(?:\\d{8}|(?:${PREFIXES})\\d{6}|[INS]P\\d{5}[A-Z]|R\\d{7})$`)

/** Whether a number in the register's form can be one: not `00000000`, and with no letters that no register uses. */
export function isPlausibleNumber(number: string): boolean {
  return IN_REGISTER.test(number) && /[1-9]/.test(number)
}

/** Whether the text is a number as the register writes it, and not digits only, which may be numbers of anything. */
export function isNumberWithLetters(text: string): boolean {
  return /^[A-Z]/i.test(text) && IN_REGISTER.test(text.replace(' ', '').toUpperCase())
}

/**
 * Labels that people write before a number. `NO` and `NR` are also prefixes: right before six digits they belong to the number,
 * where they are not written as words are. No two alternatives match the same text: with two ways to read "No", the time would
 * double with each repeat.
 */
const LABELS =
  /^(?:company|registration|registered|reg|crn|number|(?-i:N[or])|(?-i:N[OR]|n[orOR])(?!\d{6}$)|[\s.:#])+(?=[A-Z]{0,2} ?\d)/i
/** A number with its labels is shorter. */
const LABELLED_CHARS_MAX = 200
const PREFIX_AND_SPACE = /^N[OR] \d{6}$/

/** A day within these years, in a column of company numbers, is more likely a day than a number. */
const [FIRST_DAY, LAST_DAY] = [18_264, 73_415]

/**
 * The company number in a cell, as the register writes it; null where there is none. A spreadsheet takes such a number for a
 * number and drops its zeros (`6500244`), or shows it as a day: the number behind the day is what was typed. Digits that are
 * lost (`6.5E+06`) do not come back.
 */
export function toCompanyNumber(cell: Cell): string | null {
  if (cell !== null && typeof cell === 'object' && 'date' in cell) {
    const { serial, typed } = cell
    if (serial === undefined || !Number.isInteger(serial) || (serial >= FIRST_DAY && serial <= LAST_DAY)) return null
    return parseCompanyNumber(String(typed ?? serial))
  }
  const typed = cellText(cell).trim().replace(/^'/, '')
  if (typed.length > LABELLED_CHARS_MAX) return null
  const text = PREFIX_AND_SPACE.test(typed) ? typed : typed.replace(LABELS, '')
  if (text.length > 20) return null
  // Programs for data write whole numbers with a decimal.
  if (/^\d+\.0+$/.test(text)) return parseCompanyNumber(text.replace(/\.0+$/, ''))
  if (/^\d{1,3}(?:,\d{3})+$/.test(text)) return parseCompanyNumber(text.replaceAll(',', ''))
  return /\d[.]\d/.test(text) ? null : parseCompanyNumber(text)
}
