/** The companies of a table that a person sends to watch: their numbers from the column that holds them, and from no other. */
import { DomainError } from '../errors.ts'
import { type Cell, cellText, isBlank } from '../lib/sheets/cell.ts'
import { rearm } from '../lib/text/csv-writer.ts'
import { NAME_CHARS_MAX, readHeader, toWords } from './column-headers.ts'
import { readInput } from './column-input.ts'
import { type GuessedColumn, guessColumns } from './columns.ts'

const NUMBER_CHARS_MAX = 100
/** Rows by which the column is found. */
const ROWS_READ = 200
const [NAMES_SHOWN_MAX, NAME_CHARS_SHOWN] = [10, 40]

export interface CompanyRow {
  /** As it was typed. */
  number: string
  /** Absent where the table has no such column, or an empty cell. */
  note?: string | undefined
  tags?: string[] | undefined
}

/**
 * Returns the company numbers of a table without its empty cells, each with the note and tags beside it. Their column is known by
 * its name, by its values where the table has no header, or because it is the only one. Throws `invalid_request` where no column
 * is certain, as other numbers of a table are numbers of other companies, and beyond `max` numbers.
 */
export function readCompanyRows(rows: readonly (readonly Cell[])[], max: number): CompanyRow[] {
  const filled = rows.filter((row) => !row.every(isBlank))
  const { headerRows, columns } = guessColumns(filled.slice(0, ROWS_READ))
  const index = findOnlyColumn(filled) ?? findNumberColumn(columns, headerRows)
  const named = headerRows === 0 ? [] : columns
  const [note, tags] = [findNamed(named, NOTE_NAMES), findNamed(named, TAG_NAMES)]
  const read = filled.slice(headerRows).flatMap((row): CompanyRow[] => {
    const number = readInput(row[index], 'company_number').slice(0, NUMBER_CHARS_MAX)
    if (number === '') return []
    const [words, tagWords] = [readWords(row, note), readWords(row, tags)]
    return [{ number, ...(words !== '' && { note: words }), ...tagsOf(tagWords) }]
  })
  if (read.length > max) throw refuse(`A file has at most ${max.toLocaleString('en-GB')} rows. Send it in parts.`)
  return read
}

const NOTE_NAMES = new Set(['note', 'notes'])
const TAG_NAMES = new Set(['tag', 'tags'])

function findNamed(columns: readonly GuessedColumn[], names: ReadonlySet<string>): number | null {
  return columns.find(({ name }) => name.length <= NAME_CHARS_MAX && names.has(toWords(name)))?.index ?? null
}

function readWords(row: readonly Cell[], index: number | null): string {
  return index === null ? '' : rearm(cellText(row[index])).trim()
}

/** Split as in the console, where a person types them. A cell without a tag changes none. */
function tagsOf(text: string): Pick<CompanyRow, 'tags'> {
  const tags = text.split(',').flatMap((tag) => tag.trim() || [])
  return tags.length === 0 ? {} : { tags }
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
