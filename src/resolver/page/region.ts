/** Finds the region of the page that an element belongs to, by its role, tag, classes and id. */
import { detached } from './clean-text.ts'
import type { Region } from './document.ts'
import type { Attributes } from './read-tags.ts'

interface Surroundings {
  region: Region
  /** Inside an article; its header and footer are not the page's. */
  isInArticle: boolean
  isQuoted: boolean
}

/** Returns the region of an element's content: by its role, its tag, its names, or the element around it. */
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
  // Themes put asides and column headers into their footers; they belong to the footer.
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

/** Too small to be a region, except a footer: old pages have one-line footers. */
const SMALL_TAGS = new Set('h1 h2 h3 h4 h5 h6 p li dt dd caption legend summary'.split(' '))

function regionByName(tag: string, { region, isWrapper }: ElementNames): Region | null {
  const named = region ?? (tag.includes('-') ? regionOfName(tag) : null)
  if (named === 'article' && isWrapper) return null
  return named !== 'footer' && SMALL_TAGS.has(tag) ? null : named
}

/** True if role, id or class call it the page's, also inside an article: themes wrap whole pages in one. */
function isPageLevel({ role, id, class: classes }: Attributes): boolean {
  if (role === 'contentinfo' || role === 'banner') return true
  return /(?:^|[\s_-])(?:(?:site|page|global|main)[_-]?(?:footer|header)|colophon|masthead)/i.test(
    `${id ?? ''} ${classes ?? ''}`.slice(0, 500),
  )
}

/** Facts about an element that its classes and id reveal. */
export interface ElementNames {
  region: Region | null
  /** Wraps the whole page: there, `blog` describes the site, not an article. */
  isWrapper: boolean
  /** Contains the site's name. */
  isBrand: boolean
  /** Shows names of other companies: clients, partners, payment cards. */
  isThirdParty: boolean
}

export function readElementNames(attributes: Attributes): ElementNames {
  let names = NONE
  for (const attribute of NAMING_ATTRIBUTES) {
    const text = attributes[attribute]
    if (text !== undefined) names = merge(names, readNames(text))
  }
  return names
}

/** One large site builder uses the last two. */
const NAMING_ATTRIBUTES = ['class', 'id', 'data-ux', 'data-aid'] as const

function regionOfName(name: string): Region | null {
  return readNames(name).region
}

const NONE: ElementNames = { region: null, isWrapper: false, isBrand: false, isThirdParty: false }

function merge(one: ElementNames, other: ElementNames): ElementNames {
  if (one === NONE) return other
  if (other === NONE) return one
  return {
    region: stronger(one.region, other.region),
    isWrapper: one.isWrapper || other.isWrapper,
    isBrand: one.isBrand || other.isBrand,
    isThirdParty: one.isThirdParty || other.isThirdParty,
  }
}

/** Pages repeat their classes, so results are cached. */
const cachedNames = new Map<string, ElementNames>()
const CACHE_SIZE_MAX = 2_000
const CACHED_TEXT_MAX = 200
const NAMES_MAX = 50
const CHARACTERS_MAX = 1_000

function readNames(text: string): ElementNames {
  const cached = cachedNames.get(text)
  if (cached !== undefined) return cached
  let names = NONE
  for (const name of text.slice(0, CHARACTERS_MAX).split(/\s+/, NAMES_MAX))
    names = merge(names, readName(splitWords(name)))
  if (cachedNames.size >= CACHE_SIZE_MAX) cachedNames.clear()
  if (text.length <= CACHED_TEXT_MAX) cachedNames.set(detached(text), names)
  return names
}

/** Splits `SITE_FOOTER`, `siteFooter` and `site-footer` into site and footer. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
}

function readName(words: string[]): ElementNames {
  const name = words.join(' ')
  const region = BY_WHOLE_NAME.get(name) ?? regionOfWords(words)
  const isWrapper = WRAPPERS.has(name)
  const isBrand = BRAND.test(name)
  const isThirdParty = words.some((word) => THIRD_PARTY_WORDS.has(word))
  return region === null && !isWrapper && !isBrand && !isThirdParty
    ? NONE
    : { region, isWrapper, isBrand, isThirdParty }
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const WRAPPERS = set('page wrapper root app site next layout')
const THIRD_PARTY_WORDS = set(
  `logos client clients partner partners accreditation accreditations sponsor sponsors brands suppliers members awards
  testimonial testimonials payment payments`,
)
const BRAND =
  /^(?:(?:site|header|page|main|navbar|nav|custom) )*(?:logo|brand|site title|site name)(?: (?:text|name|link|title))?$/

/** If several regions are named, the first in this list counts. */
const REGION_PRIORITY: Array<Region | null> = ['footer', 'header', 'nav', 'aside', 'article', 'main', null]

function stronger(one: Region | null, other: Region | null): Region | null {
  return REGION_PRIORITY.indexOf(one) <= REGION_PRIORITY.indexOf(other) ? one : other
}

function regionOfWords(words: string[]): Region | null {
  let region: Region | null = null
  let isPartOfAnother = false
  for (const word of words) {
    const named = BY_WORD.get(word) ?? null
    if (named === 'article' || !isPartOfAnother) region = stronger(region, named)
    isPartOfAnother ||= NOT_PAGE_LEVEL.has(word)
  }
  return region
}

const BY_WORD = new Map<string, Region>()
const mapWords = (region: Region, words: string) => words.split(' ').forEach((word) => BY_WORD.set(word, region))
mapWords('footer', 'footer ft ftr colophon subfooter footerbar sitefooter pagefooter bottombar copyright copyrights')
mapWords('header', 'header hdr masthead topbar siteheader pageheader')
mapWords('nav', 'nav navbar navigation menu submenu topnav mainnav navmenu breadcrumb breadcrumbs')
mapWords('aside', 'sidebar aside')
mapWords('article', 'post posts entry hentry article articles news story stories press blog')

/** Words that mean a region only if they are the whole name. */
const BY_WHOLE_NAME = new Map<string, Region>([
  ['bottom', 'footer'],
  ['bottom bar', 'footer'],
  ['page bottom', 'footer'],
  ['site bottom', 'footer'],
  ['foot', 'footer'],
  ['site foot', 'footer'],
  ['page foot', 'footer'],
  ['site info', 'footer'],
  ['head', 'header'],
  ['site head', 'header'],
  ['page head', 'header'],
])

/** In `wsite-not-footer`, `has-sidebar`, `card-footer`: not the page's footer or sidebar. */
const NOT_PAGE_LEVEL = set(
  `not no non has with without to hide card panel modal entry post article comment accordion table item dialog popup
  drawer toggle`,
)
