/** What a site's robots.txt allows us (RFC 9309). Pure: the file's answer in, rules out. */
import { type RobotsFile, readRobotsFile } from './robots-file.ts'
import { isMatch, normalisePath } from './robots-pattern.ts'

export { ADDRESS_LENGTH_MAX, AGENT_NAME } from './robots-file.ts'
export type RobotsRules = RobotsFile

const EVERYTHING: RobotsRules = { patterns: [], wildcardCharacters: 0, crawlDelaySeconds: 0, sitemaps: [] }
// Looking for a part costs at worst its length times the path's: this many steps are some 20 ms.
const STEPS_MAX = 20_000_000

/**
 * Null when the rules cannot be known: then nothing of the host may be read (RFC 9309 2.3.1.4). That holds for server
 * errors, and for 429, which asks for fewer requests, not for other ones. Any other 4xx means that there is no file, so
 * all is allowed (2.3.1.3), as it is when redirects lead nowhere (2.3.1.2). More rules than we can obey cannot be known either.
 */
export function parseRobots(answer: { status: number; body: Buffer }): RobotsRules | null {
  if (answer.status >= 500 || answer.status === 429) return null
  if (answer.status < 200 || answer.status >= 300) return EVERYTHING
  return readRobotsFile(answer.body.toString('utf8'))
}

/** The longest pattern decides, and of two as long the one that allows. What would take too long to find out is not allowed. */
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
