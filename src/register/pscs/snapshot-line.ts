/** A line of the file of all persons with significant control: `{"company_number": …, "data": {…}}`. */
import { type LooseRecord, toInteger, toRecord, toText } from '../../lib/text/loose-json.ts'
import { memoize } from '../import/memoize.ts'
import { hashLine } from '../import/row.ts'
import { PSC_COLUMN_NAMES, type PscRow, readPscId, toPscRow } from './psc-row.ts'

/** Raised when the same line makes another row than before, so that a later import writes every row again. */
const ROWS_VERSION = 2

export function hashPscLine(line: Buffer): number {
  return (hashLine(line) + ROWS_VERSION * 0x9e3779b1) % Number.MAX_SAFE_INTEGER
}

export type PscLine =
  | { kind: 'row'; row: PscRow }
  /** The last line of the last part: how many records all parts hold. */
  | { kind: 'totals'; records: number | null }
  | { kind: 'bad' }

const COUNT_MAX = 1e9
const NUMBER = /^[A-Z0-9]{8}$/

export function parsePscLine(text: string): PscLine {
  let parsed: LooseRecord
  try {
    parsed = toRecord(JSON.parse(text))
  } catch {
    return { kind: 'bad' }
  }
  const data = toRecord(parsed['data'])
  if (toText(data['kind'])?.startsWith('totals')) return { kind: 'totals', records: sumTotals(data) }
  const number = toText(parsed['company_number'])?.toUpperCase() ?? ''
  const id = readPscId(data)
  if (!NUMBER.test(number) || id === null) return { kind: 'bad' }
  return { kind: 'row', row: toPscRow(number, id, data) }
}

function sumTotals(data: LooseRecord): number | null {
  const counts = ['persons_of_significant_control_count', 'statements_count', 'exemptions_count'].map((name) =>
    toInteger(data[name], { max: COUNT_MAX }),
  )
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

export const PSC_COPY_COLUMNS = [...PSC_COLUMN_NAMES, 'row_hash', 'changed_at'].join(', ')

/** True when no text of the line can need escaping for COPY: JSON writes each such character with a backslash. */
export function isPlain(line: Buffer): boolean {
  return !line.includes(BACKSLASH)
}

const BACKSLASH = 92

interface CopyLine {
  hash: number
  changedAt: string
  isPlain: boolean
}

/** The row as a line for COPY into `PSC_COPY_COLUMNS`. Written out: a loop over the names takes twice as long. */
export function toPscCopyLine(row: PscRow, { hash, changedAt, isPlain }: CopyLine): string {
  const text = isPlain ? writePlain : writeText
  return (
    `${text(row.company_number)}\t${text(row.psc_id)}\t${text(row.kind)}\t${text(row.name)}\t` +
    `${row.birth_year ?? NULL}\t${row.birth_month ?? NULL}\t${text(row.nationality)}\t${text(row.country_of_residence)}\t` +
    `${text(row.address)}\t${writeArray(row.natures_of_control.join(','))}\t${text(row.notified_on)}\t${text(row.ceased_on)}\t` +
    `${row.is_ceased ? 't' : 'f'}\t${row.is_sanctioned ? 't' : 'f'}\t${text(row.statement)}\t` +
    `${writeJson(row.identification)}\t${writeJson(row.identity)}\t${writeJson(row.exemptions)}\t` +
    `${text(row.owner_number)}\t${text(row.owner_number_other)}\t${text(row.owner_key)}\t${text(row.name_key)}\t` +
    `${text(row.control)}\t${hash}\t${changedAt}\n`
  )
}

const NULL = '\\N'
const NEEDS_ESCAPE = /[\\\t\r\n]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\r': '\\r', '\n': '\\n' }

function writePlain(text: string | null): string {
  return text ?? NULL
}

function writeText(text: string | null): string {
  return text === null ? NULL : escape(text)
}

function writeJson(record: LooseRecord | null): string {
  return record === null ? NULL : escape(JSON.stringify(record))
}

/** A few hundred combinations of codes make up the whole file. */
const writeArray = memoize((codes: string): string => {
  if (codes === '') return '{}'
  return escape(`{${codes.split(',').map(toElement).join(',')}}`)
})

/** Codes are plain; what is not is quoted. */
function toElement(code: string): string {
  return /^[a-z0-9-]+$/.test(code) ? code : `"${code.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`
}

function escape(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replaceAll(/[\\\t\r\n]/g, (character) => ESCAPES[character] ?? '') : text
}
