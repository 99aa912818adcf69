/**
 * Reads members of JSON that someone else wrote. Absent, null, empty and of another type all mean "not known": the
 * register documents one thing, sends another, and changes both without notice.
 */
export type LooseRecord = Record<string, unknown>

export function toRecord(value: unknown): LooseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseRecord) : {}
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a record without one member of one of its records. */
export function withoutNested(
  record: LooseRecord,
  [outer, inner]: readonly [outer: string, inner: string],
): LooseRecord {
  const within = toRecord(record[outer])
  if (!Object.hasOwn(within, inner)) return record
  const { [inner]: _dropped, ...kept } = within
  return { ...record, [outer]: kept }
}

/** PostgreSQL takes neither NUL nor half a character. */
export function toText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  // Files of millions of lines come through here, and hardly any text needs mending.
  const isPlain = value.isWellFormed() && !value.includes('\0')
  return (isPlain ? value : value.replaceAll('\0', '').toWellFormed()).trim() || null
}

/** A text, or the number that was sent for it: numbers of cases and charges have been integers. */
export function toCode(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : toText(value)
}

/** Takes a list or a single text: `["a", "b"]` and `"a"`. */
export function toTexts(value: unknown): string[] {
  const texts: string[] = []
  for (const item of Array.isArray(value) ? value : [value]) {
    const text = toText(item)
    if (text !== null) texts.push(text)
  }
  return texts
}

export function toDate(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value < '0001') return null
  const [year, month, day] = [Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8))]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && !isLeap ? 28 : (DAYS_IN_MONTH[month - 1] ?? 0)
  return day >= 1 && day <= days ? value : null
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A number, or the digits of one, from 0 or `min` to `max`. */
export function toInteger(value: unknown, { min = 0, max }: { min?: number; max: number }): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : null
}

/** Returns the texts of a record in one line, by the members' names, because sources order them differently. A text stays. */
export function joinTexts(value: unknown): string | null {
  if (typeof value === 'string') return toText(value)
  const record = toRecord(value)
  let line = ''
  for (const name of sortNames(Object.keys(record))) {
    const text = toText(record[name])
    if (text !== null) line += line === '' ? text : `, ${text}`
  }
  return line || null
}

/** Sorts in place. The register sends most records in order, and to see that takes a tenth of a sort. */
function sortNames(names: string[]): string[] {
  for (let index = 1; index < names.length; index += 1) {
    if ((names[index] ?? '') < (names[index - 1] ?? '')) return names.sort()
  }
  return names
}

/** Returns the record as a text that is the same whatever the order of its members. Tags that change without a meaning are left out. */
export function stableText(record: LooseRecord | null): string {
  return JSON.stringify(record, (key, value: unknown) => {
    if (key === 'etag') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
