/**
 * The canonical form of JSON (RFC 8785) by the language's own means: members sorted by UTF-16 code units, numbers and texts as
 * ECMAScript writes them. Records are made with a library; a check that uses another way finds a mistake of either.
 */
export function toCanonicalJson(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) throw new Error('nested too deeply')
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('half a character')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item, depth + 1)).join(',')}]`
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  const written = members.map(([name, item]) => `${JSON.stringify(name)}:${toCanonicalJson(item, depth + 1)}`)
  return `{${written.join(',')}}`
}

const DEPTH_MAX = 30

/** True for a text that is its own canonical form: no spaces, no member twice, no other order. */
export function isCanonicalJson(text: string): boolean {
  try {
    return toCanonicalJson(JSON.parse(text)) === text
  } catch {
    return false
  }
}
