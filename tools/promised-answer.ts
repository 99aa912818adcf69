/** Compares an answer with the part of it that a document shows, and records it there. */

/** Differs from one run to the next: ids, times, hashes, addresses with an id in them, and what depends on earlier runs. */
const VARIES =
  /(?:^|[._])id$|_at$|sha256$|_url$|secret$|already_\w+$|credits[._]\w+$|eta_seconds$|sequence$|\.companies$/

/** Returns the first promised member that is missing or different, or null. */
export function findDifference(promised: unknown, got: unknown, path = 'answer'): string | null {
  if (promised === null || typeof promised !== 'object') {
    const isSame = VARIES.test(path) ? isOfKind(promised, got) : got === promised
    return isSame ? null : `${path} should be ${JSON.stringify(promised)} and is ${JSON.stringify(got)}`
  }
  if (got === null || typeof got !== 'object') return `${path} is missing`
  for (const [name, member] of Object.entries(promised)) {
    const difference = findDifference(member, (got as Record<string, unknown>)[name], `${path}.${name}`)
    if (difference) return difference
  }
  return null
}

/** Returns the first member of the answer that the document does not show, or null. */
export function findUnshown(shown: unknown, got: unknown, path = 'answer'): string | null {
  if (shown === null || typeof shown !== 'object' || got === null || typeof got !== 'object') return null
  for (const [name, member] of Object.entries(got)) {
    if (!(name in shown)) return `${path}.${name} is not shown`
    const unshown = findUnshown((shown as Record<string, unknown>)[name], member, `${path}.${name}`)
    if (unshown) return unshown
  }
  return null
}

/** Returns the members that the document shows, with the values of the answer. */
export function recordAnswer(shown: unknown, got: unknown): unknown {
  if (shown === null || typeof shown !== 'object' || got === null || typeof got !== 'object') return got
  if (Array.isArray(shown) && Array.isArray(got)) {
    return got.slice(0, shown.length).map((item, index) => recordAnswer(shown[index], item))
  }
  const members = Object.entries(shown).map(([name, member]) => {
    if (!(name in got)) throw new Error(`the answer has no ${name}`)
    return [name, recordAnswer(member, (got as Record<string, unknown>)[name])]
  })
  return Object.fromEntries(members)
}

/** Wide enough for a screen, and not cut in a column of the page. */
const WIDTH = 76

/** Returns JSON with every object and array on one line that fits. */
export function formatAnswer(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = (write: (member: unknown) => string) =>
    Object.entries(value).map(([name, member]) =>
      Array.isArray(value) ? write(member) : `${JSON.stringify(name)}: ${write(member)}`,
    )
  const space = Array.isArray(value) ? '' : ' '
  const line = `${open}${space}${parts((member) => formatAnswer(member)).join(', ')}${space}${close}`
  if (indent !== '' && !line.includes('\n') && indent.length + line.length <= WIDTH) return line
  const lines = parts((member) => formatAnswer(member, inner)).map((part) => `${inner}${part}`)
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function isOfKind(promised: unknown, got: unknown): boolean {
  return got !== undefined && promised !== '' && (promised === null || got === null || typeof got === typeof promised)
}
