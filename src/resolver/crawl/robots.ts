/** Parses robots.txt and checks addresses against it (RFC 9309). Pure. */

/** The product token that site owners write after `User-agent:`. */
export const AGENT_NAME = 'NameplateBot'

/** Longer addresses are never requested. */
export const ADDRESS_LENGTH_MAX = 2_048

export interface RobotsRules {
  patterns: RobotsPattern[]
  /** Total length of the patterns with a wildcard: the cost of matching them for each character of a path. */
  wildcardCharacters: number
  crawlDelaySeconds: number
  sitemaps: string[]
}

/** One `Allow` or `Disallow` line (RFC 9309 2.2.2 and 2.2.3). */
interface RobotsPattern {
  isAllow: boolean
  /** The text between the wildcards; one item if there is no wildcard. */
  parts: string[]
  /** The pattern ends in `$`, so the path must end there too. */
  isAnchored: boolean
  /** The longest pattern that matches decides. */
  length: number
}

const FILE_CHARACTERS_MAX = 512_000
const SITEMAPS_MAX = 10
const PATTERNS_MAX = 20_000
const WILDCARD_CHARACTERS_MAX = 100_000

const ALLOW_ALL: RobotsRules = { patterns: [], wildcardCharacters: 0, crawlDelaySeconds: 0, sitemaps: [] }
// Finding a part takes at most its length times the path's length: this many steps take about 20 ms.
const STEPS_MAX = 20_000_000

/**
 * Returns null if the rules are unknown; then no page of the host may be read (RFC 9309 2.3.1.4). That is so after a server
 * error, after 429 (which asks for fewer requests), and for a file with more rules than we can obey. Any other 4xx means that
 * there is no file, so everything is allowed (2.3.1.3), as it is after too many redirects (2.3.1.2).
 */
export function parseRobots(answer: { status: number; body: Buffer }): RobotsRules | null {
  if (answer.status >= 500 || answer.status === 429) return null
  if (answer.status < 200 || answer.status >= 300) return ALLOW_ALL
  return parseFile(answer.body.toString('utf8'))
}

/** The longest matching pattern decides; of two equally long ones, the one that allows. False if matching would take too long. */
export function isAllowed(rules: RobotsRules, url: URL): boolean {
  const path = normalisePath(url)
  if (rules.wildcardCharacters * path.length > STEPS_MAX) return false
  let length = -1
  let isAllow = true
  for (const pattern of rules.patterns) {
    const isStronger = pattern.length > length || (pattern.length === length && pattern.isAllow && !isAllow)
    if (isStronger && isMatch(pattern, path)) ({ length, isAllow } = pattern)
  }
  return isAllow
}

/**
 * Reads the groups that name our agent, or else those for all agents. Null if there are more rules than we can obey.
 * Time and memory grow linearly with the length of the file.
 */
function parseFile(text: string): RobotsRules | null {
  const groups = { ours: newGroup(), allAgents: newGroup() }
  const sitemaps: string[] = []
  let currentGroups: Group[] = []
  let isNaming = false
  for (const [field, value] of listFields(text)) {
    if (field === 'sitemap') {
      if (sitemaps.length < SITEMAPS_MAX && value.length <= ADDRESS_LENGTH_MAX) sitemaps.push(value)
      continue
    }
    if (field === 'user-agent') {
      if (!isNaming) currentGroups = []
      isNaming = true
      const group = findGroup(groups, value)
      if (group && !currentGroups.includes(group)) currentGroups.push(group)
      continue
    }
    isNaming = false
    for (const group of currentGroups) addRule(group, field, value)
  }
  const { isNamed: _, hasTooManyRules, ...file } = groups.ours.isNamed ? groups.ours : groups.allAgents
  return hasTooManyRules ? null : { ...file, sitemaps }
}

interface Group extends Omit<RobotsRules, 'sitemaps'> {
  isNamed: boolean
  hasTooManyRules: boolean
}

function newGroup(): Group {
  return { isNamed: false, hasTooManyRules: false, patterns: [], wildcardCharacters: 0, crawlDelaySeconds: 0 }
}

function findGroup(groups: { ours: Group; allAgents: Group }, agent: string): Group | null {
  const isAllAgents = /^\*(?:\s|$)/.test(agent)
  const isOurs = /^[a-z_-]+/i.exec(agent)?.[0].toLowerCase() === AGENT_NAME.toLowerCase()
  const group = isOurs ? groups.ours : isAllAgents ? groups.allAgents : null
  if (group) group.isNamed = true
  return group
}

function addRule(group: Group, field: Field, value: string): void {
  if (field === 'crawl-delay') {
    const seconds = Number(value)
    if (Number.isFinite(seconds) && seconds > 0) group.crawlDelaySeconds = seconds
    return
  }
  const pattern = parsePattern(field === 'allow', value)
  if (!pattern) return
  if (pattern.parts.length > 1) group.wildcardCharacters += pattern.length
  if (group.patterns.length >= PATTERNS_MAX || group.wildcardCharacters > WILDCARD_CHARACTERS_MAX) {
    group.hasTooManyRules = true
  } else group.patterns.push(pattern)
}

const FIELDS = ['user-agent', 'allow', 'disallow', 'crawl-delay', 'sitemap'] as const
type Field = (typeof FIELDS)[number]
const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name)

/** Yields the lines with a known field. Unknown lines do not end a group (RFC 9309 2.2.4). */
function* listFields(text: string): Generator<[Field, string]> {
  const file = text.slice(0, FILE_CHARACTERS_MAX).replace(/^\uFEFF/, '')
  for (const line of file.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    if (colon === -1 || colon > FIELD_LENGTH_MAX) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const comment = line.indexOf('#')
    if (!isField(name) || (comment !== -1 && comment < colon)) continue
    const value = line.slice(colon + 1, comment === -1 ? undefined : comment).trim()
    if (value !== '' || name !== 'sitemap') yield [name, value]
  }
}

/** Includes the white space around the name. */
const FIELD_LENGTH_MAX = 100

/** Returns null for an empty pattern, and for one too long to match any address that we request. */
function parsePattern(isAllow: boolean, value: string): RobotsPattern | null {
  const isAnchored = value.endsWith('$')
  const bare = (isAnchored ? value.slice(0, -1) : value).replaceAll(/\*+/g, '*').replaceAll('$', '%24')
  // Every character except a wildcard must match one of the path: a longer pattern cannot match.
  if (bare.length > 2 * ADDRESS_LENGTH_MAX) return null
  const text = bare.split('*').map(normaliseOctets).join('*')
  if (text === '' && !isAnchored) return null
  const length = text.length + (isAnchored ? 1 : 0)
  return { isAllow, parts: text.split('*'), isAnchored, length }
}

/** Writes a path in the form in which patterns are compared. `*` and `$` in a path are ordinary characters. */
function normalisePath({ pathname, search }: URL): string {
  return normaliseOctets(`${pathname}${search}`).replaceAll('*', '%2A').replaceAll('$', '%24')
}

/** Looks for each part behind the one before it, so the path is read once, from left to right. */
function isMatch({ parts, isAnchored }: RobotsPattern, path: string): boolean {
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

/** Writes each octet in one way: unreserved characters plain, encoded ones with upper-case digits. */
function normaliseOctets(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\u0021-\u007e]+/g, encodeURIComponent)
    .replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}
