import type { Region } from './document.ts'
import { type ElementNames, regionOfName } from './element-names.ts'
import type { Attributes } from './read-tags.ts'

export interface Surroundings {
  region: Region
  /** Inside an article, whose header and footer are not the page's. */
  isInArticle: boolean
  isQuoted: boolean
}

/** The region that the content of an element belongs to: by its role, its tag, its names, or what it stands in. */
export function regionOf(tag: string, attributes: Attributes, names: ElementNames, outer: Surroundings): Region {
  const role = attributes.role
  const own =
    (role === undefined ? undefined : BY_ROLE.get(role.trim().toLowerCase())) ??
    BY_TAG.get(tag) ??
    regionByName(tag, names)
  if (own === null) return outer.region
  if (own === 'header' || own === 'footer') {
    if (outer.isInArticle && !isPageLevel(attributes)) return 'article'
    if (outer.isQuoted) return outer.region
  }
  // Themes fill their footers with "asides" and headers of columns; those are the footer all the same.
  if (outer.region === 'footer' && (own === 'header' || own === 'aside')) return 'footer'
  return own
}

const BY_ROLE = new Map<string, Region>([
  ['contentinfo', 'footer'],
  ['banner', 'header'],
  ['navigation', 'nav'],
  ['main', 'main'],
  ['complementary', 'aside'],
  ['article', 'article'],
])

const BY_TAG = new Map<string, Region>([
  ['footer', 'footer'],
  ['header', 'header'],
  ['nav', 'nav'],
  ['main', 'main'],
  ['aside', 'aside'],
  ['article', 'article'],
])

/** Too small to be a region of the page, but old pages have one line for a footer. */
const SMALL = new Set('h1 h2 h3 h4 h5 h6 p li dt dd caption legend summary'.split(' '))

function regionByName(tag: string, { region, isWrapper }: ElementNames): Region | null {
  const said = region ?? (tag.includes('-') ? regionOfName(tag) : null)
  if (said === 'article' && isWrapper) return null
  return said !== 'footer' && SMALL.has(tag) ? null : said
}

/** Says so itself, wherever it stands: pages leave elements open, and themes wrap everything in an article. */
function isPageLevel({ role, id, class: classes }: Attributes): boolean {
  if (role === 'contentinfo' || role === 'banner') return true
  return /(?:^|[\s_-])(?:(?:site|page|global|main)[_-]?(?:footer|header)|colophon|masthead)/i.test(
    `${id ?? ''} ${classes ?? ''}`.slice(0, 500),
  )
}
