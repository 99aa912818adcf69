/** Reads a robots.txt into what concerns us. Pure; time and memory grow with the length of the file and never faster. */
import { parsePattern, type RobotsPattern } from './robots-pattern.ts'

/** The product token site owners write after `User-agent:`. */
export const AGENT_NAME = 'NameplateBot'

/** Longer addresses are never asked for. */
export const ADDRESS_LENGTH_MAX = 2_048

export interface RobotsFile {
  patterns: RobotsPattern[]
  /** Of all patterns with a wildcard: what matching them costs for each character of a path. */
  wildcardCharacters: number
  crawlDelaySeconds: number
  sitemaps: string[]
}

const FILE_CHARACTERS_MAX = 512_000
const SITEMAPS_MAX = 10
const PATTERNS_MAX = 20_000
const WILDCARD_CHARACTERS_MAX = 100_000

/** Only the groups for us, or those for everyone where none is for us. Null when there is more than we can obey. */
export function readRobotsFile(text: string): RobotsFile | null {
  const groups = { ours: newGroup(), everyones: newGroup() }
  const sitemaps: string[] = []
  let named: Group[] = []
  let isNaming = false
  for (const [field, value] of fieldsOf(text)) {
    if (field === 'sitemap') {
      if (sitemaps.length < SITEMAPS_MAX && value.length <= ADDRESS_LENGTH_MAX) sitemaps.push(value)
      continue
    }
    if (field === 'user-agent') {
      if (!isNaming) named = []
      isNaming = true
      const group = findGroup(groups, value)
      if (group && !named.includes(group)) named.push(group)
      continue
    }
    isNaming = false
    for (const group of named) addRule(group, field, value)
  }
  const { isNamed: _, isTooMuch, ...file } = groups.ours.isNamed ? groups.ours : groups.everyones
  return isTooMuch ? null : { ...file, sitemaps }
}

interface Group extends Omit<RobotsFile, 'sitemaps'> {
  isNamed: boolean
  isTooMuch: boolean
}

function newGroup(): Group {
  return { isNamed: false, isTooMuch: false, patterns: [], wildcardCharacters: 0, crawlDelaySeconds: 0 }
}

function findGroup(groups: { ours: Group; everyones: Group }, agent: string): Group | null {
  const isEveryone = /^\*(?:\s|$)/.test(agent)
  const isOurs = /^[a-z_-]+/i.exec(agent)?.[0].toLowerCase() === AGENT_NAME.toLowerCase()
  const group = isOurs ? groups.ours : isEveryone ? groups.everyones : null
  if (group) group.isNamed = true
  return group
}

function addRule(group: Group, field: Field, value: string): void {
  if (field === 'crawl-delay') {
    const seconds = Number(value)
    if (Number.isFinite(seconds) && seconds > 0) group.crawlDelaySeconds = seconds
    return
  }
  const pattern = parsePattern(field === 'allow', value, ADDRESS_LENGTH_MAX)
  if (!pattern) return
  if (pattern.parts.length > 1) group.wildcardCharacters += pattern.length
  if (group.patterns.length >= PATTERNS_MAX || group.wildcardCharacters > WILDCARD_CHARACTERS_MAX) {
    group.isTooMuch = true
  } else group.patterns.push(pattern)
}

const FIELDS = ['user-agent', 'allow', 'disallow', 'crawl-delay', 'sitemap'] as const
type Field = (typeof FIELDS)[number]
const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name)

/** The lines that say something; what nobody defined does not disturb what is (RFC 9309 2.2.4). */
function* fieldsOf(text: string): Generator<[Field, string]> {
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

/** With white space around it. */
const FIELD_LENGTH_MAX = 100
