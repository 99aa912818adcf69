import { parse } from 'csv-parse/sync'
import { DomainError } from '../errors.ts'
import { ROWS_MAX, tooManyRows } from './preflight.ts'

const RECORD_BYTES_MAX = 64 * 1_024
/** Cells may hold line breaks; beyond this there are too many rows whatever the cells hold, and nothing is parsed. */
const LINES_MAX = 3 * ROWS_MAX

/** Names of domain columns, the best first, compared without capitals, spaces and signs. */
const HEADERS = [
  ['domain', 'domains', 'domainname', 'companydomain', 'emaildomain', 'rootdomain'],
  ['website', 'websites', 'websiteurl', 'companywebsite', 'companyurl', 'web', 'webaddress', 'webpage', 'homepage'],
  ['url', 'urls', 'site', 'siteurl', 'link', 'host', 'hostname'],
  ['email', 'emails', 'emailaddress', 'contactemail', 'workemail', 'mail'],
]

/**
 * The column of domains in a table as spreadsheets write it: by the name in its first line or, where no name is known,
 * the first column, its first line included.
 */
export function readCsv(text: string): string[] {
  const lines = countLines(text)
  if (lines > LINES_MAX) throw tooManyRows(lines)
  const records = parseRecords(text)
  const column = findColumn(records[0] ?? [])
  if (column === null) return records.map((record) => record[0] ?? '')
  return records.slice(1).map((record) => record[column] ?? '')
}

function parseRecords(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: RECORD_BYTES_MAX,
    })
  } catch (error) {
    const line = (error as { lines?: number }).lines
    const where = line === undefined ? '' : ` Line ${line} is where it went wrong.`
    throw new DomainError('invalid_request', `The body could not be read as CSV.${where}`)
  }
}

/** Spreadsheets write commas, semicolons or tabs, depending on the country; the first line shows which. */
function delimiterOf(text: string): string {
  const line = text.slice(0, RECORD_BYTES_MAX).split(/[\r\n]/, 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter
}

function findColumn(record: readonly string[]): number | null {
  const names = record.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  for (const known of HEADERS) {
    const index = names.findIndex((name) => known.includes(name))
    if (index >= 0) return index
  }
  return null
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
