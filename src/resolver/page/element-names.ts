import { detached } from './clean-text.ts'
import type { Region } from './document.ts'
import type { Attributes } from './read-tags.ts'

/** What the classes and the id of an element say about it. */
export interface ElementNames {
  region: Region | null
  /** Around the whole page, where `blog` is what the site is and not what stands in it. */
  isWrapper: boolean
  /** Holds the site's own name. */
  isBrand: boolean
  /** Shows other people's names: clients, partners, payment cards. */
  isOthers: boolean
}

export function namesOf(attributes: Attributes): ElementNames {
  let names = NONE
  for (const attribute of NAMING) {
    const text = attributes[attribute]
    if (text !== undefined) names = both(names, readNames(text))
  }
  return names
}

/** The last two are how one large site builder says what a part is. */
const NAMING = ['class', 'id', 'data-ux', 'data-aid'] as const

export function regionOfName(name: string): Region | null {
  return readNames(name).region
}

const NONE: ElementNames = { region: null, isWrapper: false, isBrand: false, isOthers: false }

function both(one: ElementNames, other: ElementNames): ElementNames {
  if (one === NONE) return other
  if (other === NONE) return one
  return {
    region: stronger(one.region, other.region),
    isWrapper: one.isWrapper || other.isWrapper,
    isBrand: one.isBrand || other.isBrand,
    isOthers: one.isOthers || other.isOthers,
  }
}

/** Pages repeat their classes, and so do the pages of one site. */
const known = new Map<string, ElementNames>()
const KNOWN_MAX = 2_000
const REMEMBERED_MAX = 200
const NAMES_MAX = 50
const CHARACTERS_MAX = 1_000

function readNames(text: string): ElementNames {
  const remembered = known.get(text)
  if (remembered !== undefined) return remembered
  let names = NONE
  for (const name of text.slice(0, CHARACTERS_MAX).split(/\s+/, NAMES_MAX)) names = both(names, readName(wordsOf(name)))
  if (known.size >= KNOWN_MAX) known.clear()
  if (text.length <= REMEMBERED_MAX) known.set(detached(text), names)
  return names
}

/** `SITE_FOOTER`, `siteFooter` and `site-footer` are site and footer. */
function wordsOf(name: string): string[] {
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
  const isOthers = words.some((word) => OTHERS.has(word))
  return region === null && !isWrapper && !isBrand && !isOthers ? NONE : { region, isWrapper, isBrand, isOthers }
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const WRAPPERS = set('page wrapper root app site next layout')
const OTHERS = set(
  `logos client clients partner partners accreditation accreditations sponsor sponsors brands suppliers members awards
  testimonial testimonials payment payments`,
)
const BRAND =
  /^(?:(?:site|header|page|main|navbar|nav|custom) )*(?:logo|brand|site title|site name)(?: (?:text|name|link|title))?$/

/** Of several, the first here. */
const STRENGTH: Array<Region | null> = ['footer', 'header', 'nav', 'aside', 'article', 'main', null]

function stronger(one: Region | null, other: Region | null): Region | null {
  return STRENGTH.indexOf(one) <= STRENGTH.indexOf(other) ? one : other
}

function regionOfWords(words: string[]): Region | null {
  let region: Region | null = null
  let isAnothers = false
  for (const word of words) {
    const said = BY_WORD.get(word) ?? null
    if (said === 'article' || !isAnothers) region = stronger(region, said)
    isAnothers ||= NOT_OF_THE_PAGE.has(word)
  }
  return region
}

const BY_WORD = new Map<string, Region>()
const says = (region: Region, words: string) => words.split(' ').forEach((word) => BY_WORD.set(word, region))
says('footer', 'footer ft ftr colophon subfooter footerbar sitefooter pagefooter bottombar copyright copyrights')
says('header', 'header hdr masthead topbar siteheader pageheader')
says('nav', 'nav navbar navigation menu submenu topnav mainnav navmenu breadcrumb breadcrumbs')
says('aside', 'sidebar aside')
says('article', 'post posts entry hentry article articles news story stories press blog')

/** Words too common to mean the page's end or beginning, unless they are all there is. */
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

/** `wsite-not-footer`, `has-sidebar`, `card-footer`: another thing's, or none. */
const NOT_OF_THE_PAGE = set(
  `not no non has with without to hide card panel modal entry post article comment accordion table item dialog popup
  drawer toggle`,
)
