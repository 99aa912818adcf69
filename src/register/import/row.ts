import { crc32 } from 'node:zlib'
import { type CompanyFacts, FACT_COLUMNS, type PreviousName, readFact } from '../company.ts'
import { toNameKey } from '../search/name-key.ts'
import { toAccountsType, toStatus, toType } from './labels.ts'
import { memoize } from './memoize.ts'

/** The header's names in order, trimmed: the file has stray spaces before some. */
export const FIELD_COUNT = 55
export const FIRST_FIELDS = ['CompanyName', 'CompanyNumber', 'RegAddress.CareOf']

/** The columns a loaded row fills, in the order `toCopyLine` writes them. */
export const COPY_COLUMNS = [
  ...FACT_COLUMNS.map(({ column }) => column),
  'name_key, previous_name_keys, row_hash, source, changed_at',
].join(', ')

const NUMBER = /^[A-Z0-9]{8}$/

/**
 * A line of the snapshot as its fields, or null when it cannot be read. Every field is quoted, so splitting between the
 * quotes is right for all but the rare line that holds `","` inside a field; those take the exact way.
 */
export function splitLine(line: string): string[] | null {
  const end = line.endsWith('\r') ? line.length - 1 : line.length
  if (line[0] === '"' && line[end - 1] === '"') {
    const fields = line.slice(1, end - 1).split('","')
    if (fields.length === FIELD_COUNT) return QUOTES_INSIDE.test(line) ? fields.map(unquote) : fields
  }
  const fields = splitExactly(line.slice(0, end))
  return fields.length === FIELD_COUNT ? fields : null
}

/** Doubled quotes that are not an empty field. */
const QUOTES_INSIDE = /"""|[^,"]""[^,"\r]/

function unquote(field: string): string {
  return field.includes('""') ? field.replaceAll('""', '"') : field
}

function splitExactly(line: string): string[] {
  const fields: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y
  while (pattern.lastIndex < line.length) {
    const match = pattern.exec(line)
    if (!match) return []
    fields.push(unquote(match[1] ?? match[2] ?? ''))
    if (fields.length > FIELD_COUNT) return []
  }
  return fields
}

/** The company number of a line, without reading the rest: enough to see whether a row changed. */
export function numberOf(line: Buffer): string {
  const start = line.indexOf('","') + 3
  return line.toString('latin1', start, start + 8)
}

/**
 * Returns 53 bits that differ between two lines of a company: a checksum of the whole and part of one of the second half,
 * where the dates are. A tenth of the cost of a digest; a change in 10⁹ may pass unseen until the next one.
 */
export function hashLine(line: Buffer): number {
  const secondHalf = crc32(line.subarray(line.length >>> 1), 0x9e3779b9)
  return crc32(line) * 0x200000 + (secondHalf & 0x1fffff)
}

/**
 * Null when the row has no usable number or name. A date that cannot be one is left empty: the register does hold
 * impossible dates, and one of them is no reason to lose a company.
 */
export function toFacts(fields: readonly string[]): CompanyFacts | null {
  const name = fields[0] ?? ''
  const number = (fields[1] ?? '').trim()
  if (!NUMBER.test(number) || name === '') return null
  const { status, detail } = toStatus(fields[11] ?? '')
  return {
    number,
    name,
    previousNames: toPreviousNames(fields),
    status,
    statusDetail: detail,
    type: toType(fields[10] ?? ''),
    incorporatedOn: toIsoDate(fields[14]),
    dissolvedOn: toIsoDate(fields[13]),
    address: {
      careOf: fields[2] || null,
      poBox: fields[3] || null,
      line1: fields[4] || null,
      line2: fields[5] || null,
      town: fields[6] || null,
      county: fields[7] || null,
      country: fields[8] || null,
      postcode: fields[9] || null,
    },
    countryOfOrigin: fields[12] || null,
    accountsRefDay: toCount(fields[15]),
    accountsRefMonth: toCount(fields[16]),
    accountsNextDue: toIsoDate(fields[17]),
    accountsLastMadeUp: toIsoDate(fields[18]),
    accountsType: toAccountsType(fields[19] ?? ''),
    confirmationNextDue: toIsoDate(fields[53]),
    confirmationLastMadeUp: toIsoDate(fields[54]),
    charges: {
      total: toCount(fields[22]) ?? 0,
      outstanding: toCount(fields[23]) ?? 0,
      partSatisfied: toCount(fields[24]) ?? 0,
      satisfied: toCount(fields[25]) ?? 0,
    },
    sicCodes: toSicCodes(fields),
    remarks: null,
  }
}

/** True when no character of the line needs escaping for COPY: almost always, so it is checked once per line. */
export function isPlain(line: string): boolean {
  return !NEEDS_ESCAPE.test(line)
}

/** The facts as a line for COPY into `COPY_COLUMNS`, joined once: adding column to column costs 7 µs of 25 for a row. */
export function toCopyLine(facts: CompanyFacts, row: { hash: number; changedAt: string; isPlain: boolean }): string {
  const values = FACT_COLUMNS.map((fact) => toCopyValue(readFact(facts, fact), fact.sqlType, row.isPlain))
  const keys = facts.previousNames.map(({ name }) => `"${toNameKey(name)}"`)
  const previousNameKeys = keys.length === 0 ? NULL : `{${keys.join(',')}}`
  values.push(toNameKey(facts.name), previousNameKeys, row.hash, 'snapshot', row.changedAt)
  return values.join('\t')
}

function toCopyValue(value: unknown, sqlType: string, isPlain: boolean): string | number {
  if (typeof value === 'string') return isPlain ? value : escape(value)
  if (typeof value === 'number') return value
  if (!Array.isArray(value)) return NULL
  if (sqlType === 'jsonb') return value.length === 0 ? NULL : escape(JSON.stringify(value))
  return `{${value.join(',')}}`
}

function toPreviousNames(fields: readonly string[]): PreviousName[] {
  // Most companies never changed their name.
  if (!fields[34]) return []
  const names: PreviousName[] = []
  for (let at = 33; at < 53; at += 2) {
    const name = fields[at + 1]
    if (name) names.push({ name, ceased_on: toIsoDate(fields[at]) })
  }
  return names
}

function toSicCodes(fields: readonly string[]): string[] {
  const codes: string[] = []
  for (let at = 26; at < 30; at += 1) {
    const code = readSicCode(fields[at] ?? '')
    if (code === '') break
    codes.push(code)
  }
  return codes
}

/** The digits before the text; nothing for `None Supplied` and empty fields, which come last. */
const readSicCode = memoize((text) => /^\d{4,5}/.exec(text)?.[0] ?? '')
const COUNT = /^\d{1,6}$/
const NULL = '\\N'
const NEEDS_ESCAPE = /[\\\t\r\n]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\r': '\\r', '\n': '\\n' }

function escape(value: string): string {
  return value.replaceAll(/[\\\t\r\n]/g, (character) => ESCAPES[character] ?? '')
}

function toCount(value: string | undefined): number | null {
  if (value === '0') return 0
  return value !== undefined && COUNT.test(value) ? Number(value) : null
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function toIsoDate(value: string | undefined): string | null {
  return value ? readDate(value) : null
}

/** `dd/mm/yyyy` → `yyyy-mm-dd`. */
const readDate = memoize((value): string | null => {
  if (value.length !== 10 || value[2] !== '/' || value[5] !== '/') return null
  const day = Number(value.slice(0, 2))
  const month = Number(value.slice(3, 5))
  const year = Number(value.slice(6))
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (!(year >= 1 && day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0)) || (month === 2 && day === 29 && !isLeap))
    return null
  return `${value.slice(6)}-${value.slice(3, 5)}-${value.slice(0, 2)}`
})
