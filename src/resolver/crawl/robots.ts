/** What a site's robots.txt allows us (RFC 9309). Pure: the file's answer in, rules out. */
import robotsParser from 'robots-parser'

/** The product token site owners write after `User-agent:`. */
export const AGENT_NAME = 'NameplateBot'

export interface RobotsRules {
  isAllowed(url: URL): boolean
  crawlDelaySeconds: number
  sitemaps: string[]
}

// Its types describe a default export, where there is the function itself.
const openRobots = robotsParser as unknown as typeof robotsParser.default

const EVERYTHING: RobotsRules = { isAllowed: () => true, crawlDelaySeconds: 0, sitemaps: [] }
const SITEMAPS_MAX = 10
// Matching a pattern with wildcards costs its length times the path's: half a megabyte of them is 2 seconds a page.
const WILDCARD_CHARACTERS_MAX = 100_000

/**
 * Null when the rules cannot be known: then nothing of the host may be read (RFC 9309 2.3.1.4). That holds for server
 * errors, and for 429, which asks for fewer requests, not for other ones. Any other 4xx means that there is no file, so
 * all is allowed (2.3.1.3), as it is when redirects lead nowhere (2.3.1.2). Rules that would take too long to match cannot be known either.
 */
export function parseRobots(answer: { status: number; body: Buffer }, origin: string): RobotsRules | null {
  if (answer.status >= 500 || answer.status === 429) return null
  if (answer.status < 200 || answer.status >= 300) return EVERYTHING
  const text = answer.body.toString('utf8')
  if (countWildcardCharacters(text) > WILDCARD_CHARACTERS_MAX) return null
  const parser = openRobots(`${origin}/robots.txt`, text)
  const delay = parser.getCrawlDelay(AGENT_NAME) ?? 0
  return {
    isAllowed: (url) => parser.isAllowed(url.href, AGENT_NAME) !== false,
    crawlDelaySeconds: Number.isFinite(delay) && delay > 0 ? delay : 0,
    sitemaps: parser.getSitemaps().slice(0, SITEMAPS_MAX),
  }
}

function countWildcardCharacters(text: string): number {
  let characters = 0
  for (const line of text.split(/[\r\n]+/)) if (line.includes('*')) characters += line.length
  return characters
}
