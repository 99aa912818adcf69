/** Compares an answer with the part of it that a document shows. */

/** `values`: they are the same, but for ids, times and hashes. `members`: they are there and of the same kind. */
export type Strictness = 'values' | 'members'

const VARIES = /_id$|_at$|sha256$/

/** Returns the first promised member that is missing or different, or null. */
export function findDifference(promised: unknown, got: unknown, path: string, strictness: Strictness): string | null {
  if (promised === null || typeof promised !== 'object') {
    const isSame = strictness === 'members' || VARIES.test(path) ? isOfKind(promised, got) : got === promised
    return isSame ? null : `${path} should be ${JSON.stringify(promised)} and is ${JSON.stringify(got)}`
  }
  if (got === null || typeof got !== 'object') return `${path} is missing`
  for (const [name, member] of Object.entries(promised)) {
    const difference = findDifference(member, (got as Record<string, unknown>)[name], `${path}.${name}`, strictness)
    if (difference) return difference
  }
  return null
}

function isOfKind(promised: unknown, got: unknown): boolean {
  return got !== undefined && (promised === null || got === null || typeof got === typeof promised)
}
