import { findRegistrable } from '../domain/registrable.ts'
import type { PageDocument } from '../page/document.ts'
import { type CandidatePage, countOwnLinks, listOwnPages, rankLinks } from './link-promise.ts'
import { isSoftNotFound, listWellKnownPages } from './page-sources.ts'

/** All that a crawl needs to know of a page to go on. Its text and links stay with the reader threads. */
export interface PageOutline {
  metaRefresh: string | null
  visibleCharacters: number
  scripts: number
  /** The page says "not found" although its status is 200. */
  isSoftNotFound: boolean
  /** The pages of the site that it links to and that are worth a request, best first. */
  linked: PageAddress[]
  /** The registrable domains of its links. */
  linkedDomains: string[]
  /** Null unless it is the home page. */
  home: HomeOutline | null
}

/** Known of the home page only. */
interface HomeOutline {
  /** It links to several pages of the site. Without a menu, scripts may draw it. */
  hasMenu: boolean
  /** All pages of the site that it links to, if it has no menu. */
  ownPages: PageAddress[]
  /** Paths that sites commonly use, in the order to try them. */
  guesses: PageAddress[]
}

/** A page to request, as threads send it. */
export type PageAddress = Omit<CandidatePage, 'url'> & { url: string }

export const toPageAddress = ({ url, ...page }: CandidatePage): PageAddress => ({ ...page, url: url.href })
export const toCandidates = (pages: PageAddress[]): CandidatePage[] =>
  pages.map(({ url, ...page }) => ({ ...page, url: new URL(url) }))

// With fewer links to its own pages, the home page has no menu, or scripts draw it.
const MENU_LINKS_MIN = 3

/** `home` is null if the page is itself the home page. */
export function outlinePage(document: PageDocument, { url, home }: { url: string; home: string | null }): PageOutline {
  const { metaRefresh, visibleCharacters, scripts, links } = document
  const domains = new Set(links.map(({ href }) => findRegistrable(href)).filter((domain) => domain !== null))
  return {
    metaRefresh,
    visibleCharacters,
    scripts,
    isSoftNotFound: isSoftNotFound(document),
    linked: rankLinks(links, new URL(home ?? url)).map(toPageAddress),
    linkedDomains: [...domains],
    home: home === null ? outlineHome(document, new URL(url)) : null,
  }
}

function outlineHome({ links }: PageDocument, url: URL): HomeOutline {
  const hasMenu = countOwnLinks(links, url) >= MENU_LINKS_MIN
  return {
    hasMenu,
    ownPages: hasMenu ? [] : listOwnPages(links, url).map(toPageAddress),
    guesses: listWellKnownPages(url, links).map(toPageAddress),
  }
}
