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
  return value.replaceAll('\0', '').toWellFormed().trim() || null
}

/** A text, or the number that was sent for it: numbers of cases and charges have been integers. */
export function toCode(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : toText(value)
}

/** Takes a list or a single text: `["a", "b"]` and `"a"`. */
export function toTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => toText(item) ?? [])
}

export function toDate(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value < '0001') return null
  const at = new Date(`${value}T00:00:00Z`)
  // 30 February rolls over to March instead of failing.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value) ? value : null
}

/** A number, or the digits of one, from 0 or `min` to `max`. */
export function toInteger(value: unknown, { min = 0, max }: { min?: number; max: number }): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : null
}

/** Returns the texts of a record in one line, by the members' names, because sources order them differently. A text stays. */
export function joinTexts(value: unknown): string | null {
  if (typeof value === 'string') return toText(value)
  const parts = Object.entries(toRecord(value)).sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = parts.flatMap(([, part]) => toText(part) ?? [])
  return texts.length > 0 ? texts.join(', ') : null
}

/** Returns the record as a text that is the same whatever the order of its members. Tags that change without a meaning are left out. */
export function stableText(record: LooseRecord | null): string {
  return JSON.stringify(record, (key, value: unknown) => {
    if (key === 'etag') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
