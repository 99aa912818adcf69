/** One `Allow` or `Disallow` of a robots.txt (RFC 9309 2.2.2 and 2.2.3). Pure. */
export interface RobotsPattern {
  isAllow: boolean
  /** What stands between the wildcards; one item where there is none. */
  parts: string[]
  /** The pattern ends in `$`: so must the path. */
  isAnchored: boolean
  /** The longest pattern that matches decides. */
  length: number
}

/** Null for a pattern that says nothing, or that no address of at most `pathLengthMax` characters can match. */
export function parsePattern(isAllow: boolean, value: string, pathLengthMax: number): RobotsPattern | null {
  const isAnchored = value.endsWith('$')
  const bare = (isAnchored ? value.slice(0, -1) : value).replaceAll(/\*+/g, '*').replaceAll('$', '%24')
  // A wildcard stands for nothing at least, everything else for itself: with more of it than the path has, none matches.
  if (bare.length > 2 * pathLengthMax) return null
  const text = bare.split('*').map(normaliseOctets).join('*')
  if (text === '' && !isAnchored) return null
  const length = text.length + (isAnchored ? 1 : 0)
  return { isAllow, parts: text.split('*'), isAnchored, length }
}

/** As a path is compared: the wildcards of patterns are ordinary characters of it. */
export function normalisePath({ pathname, search }: URL): string {
  return normaliseOctets(`${pathname}${search}`).replaceAll('*', '%2A').replaceAll('$', '%24')
}

/** Takes the first place of every part in turn, so that no place is looked at twice for the same part. */
export function isMatch({ parts, isAnchored }: RobotsPattern, path: string): boolean {
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  if (rest.length === 0) return !isAnchored || path.length === first.length
  const last = isAnchored ? (rest.pop() ?? '') : ''
  let from = first.length
  for (const part of rest) {
    const at = path.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

/** One way to write each octet: unreserved characters as they are, all others that may be encoded with upper-case digits. */
function normaliseOctets(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\u0021-\u007e]+/g, encodeURIComponent)
    .replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}
