/** The company numbers of a table that a person sends to watch: from the column that holds them, and from no other. */
import { DomainError } from '../errors.ts'
import { type Cell, isBlank } from '../lib/sheets/cell.ts'
import { readHeader } from './column-headers.ts'
import { readInput } from './column-input.ts'
import { type GuessedColumn, guessColumns } from './columns.ts'

const NUMBER_CHARS_MAX = 100
/** Rows by which the column is found. */
const ROWS_READ = 200
const [NAMES_SHOWN_MAX, NAME_CHARS_SHOWN] = [10, 40]

/**
 * Returns the company numbers of a table without its empty cells. The column is known by its name, by its values where the
 * table has no header, or because it is the only one. Throws `invalid_request` where no column is certain, as other numbers of a
 * table are numbers of other companies, and beyond `max` numbers.
 */
export function readCompanyNumbers(rows: readonly (readonly Cell[])[], max: number): string[] {
  const filled = rows.filter((row) => !row.every(isBlank))
  const { headerRows, columns } = guessColumns(filled.slice(0, ROWS_READ))
  const data = filled.slice(headerRows)
  const index = findOnlyColumn(filled) ?? findNumberColumn(columns, headerRows)
  const numbers = data.map((row) => readInput(row[index], 'company_number')).filter((text) => text !== '')
  if (numbers.length > max) throw refuse(`A file has at most ${max.toLocaleString('en-GB')} rows. Send it in parts.`)
  return numbers.map((text) => text.slice(0, NUMBER_CHARS_MAX))
}

function findOnlyColumn(rows: readonly (readonly Cell[])[]): number | null {
  const used = new Set<number>()
  for (const row of rows) for (const [index, cell] of row.entries()) if (!isBlank(cell)) used.add(index)
  return used.size <= 1 ? ([...used][0] ?? 0) : null
}

function findNumberColumn(columns: readonly GuessedColumn[], headerRows: number): number {
  const found = columns.find(({ holds }) => holds === 'company_number')
  if (found && (found.isSure || headerRows === 0 || readHeader(found.name).holds.has('company_number')))
    return found.index
  const names = columns.map(({ name }) => `“${name.slice(0, NAME_CHARS_SHOWN).toWellFormed()}”`)
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(', ') + (names.length > NAMES_SHOWN_MAX ? ' and others' : '')
  throw refuse(
    `No column of this table is certain to hold company numbers. Its columns are ${shown}. Name the column “Company number”, ` +
      'or send that column alone.',
  )
}

function refuse(message: string): DomainError {
  return new DomainError('invalid_request', message, { errors: [{ field: 'file', message }] })
}
