/** Where the disclosure stands on sites whose menus we cannot read. Pure. */
import type { Link, PageDocument } from '../page/document.ts'
import type { CandidatePage } from './link-promise.ts'

// One of each kind first: a hit spares the other spellings of its kind.
const PATHS: Array<[CandidatePage['kind'], string]> = [
  ['privacy', '/privacy-policy'],
  ['terms', '/terms-and-conditions'],
  ['legal', '/legal'],
  ['about', '/about-us'],
  ['contact', '/contact'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['about', '/about'],
  ['contact', '/contact-us'],
  ['legal', '/legal-notice'],
  ['privacy', '/privacy-notice'],
  ['terms', '/terms-of-use'],
  ['legal', '/company-information'],
  ['legal', '/imprint'],
  ['about', '/company'],
  ['cookies', '/cookies'],
]
/** A shop system that keeps these pages where its owner cannot move them. */
const SHOPIFY_PATHS: Array<[CandidatePage['kind'], string]> = [
  ['privacy', '/policies/privacy-policy'],
  ['terms', '/policies/terms-of-service'],
  ['legal', '/policies/legal-notice'],
  ['contact', '/pages/contact'],
  ['about', '/pages/about-us'],
]

/** In the order to try them; the site's own habit of file endings (`/privacy.html`) is kept. */
export function listWellKnownPages(home: URL, links: Link[]): CandidatePage[] {
  const paths = links.map(({ href }) => URL.parse(href)?.pathname ?? '')
  const isShopify = paths.some((path) => /^\/(?:collections|products|policies)(?:\/|$)/.test(path))
  const ending = isShopify ? '' : usualEnding(paths)
  const ordered = isShopify ? [...SHOPIFY_PATHS, ...PATHS] : [...PATHS, ...SHOPIFY_PATHS]
  return ordered.map(([kind, path]) => ({ kind, url: new URL(`${path}${ending}`, home), score: 0 }))
}

function usualEnding(paths: string[]): string {
  const deep = new Set(paths.filter((path) => path !== '/' && path !== ''))
  for (const ending of ['.html', '.htm', '.php', '.aspx']) {
    const withEnding = [...deep].filter((path) => path.endsWith(ending)).length
    if (withEnding > deep.size / 2) return ending
  }
  return ''
}

/** A guess that was answered with a page saying "not found" in a friendly voice. */
export function isSoftNotFound(page: Pick<PageDocument, 'title' | 'blocks'>): boolean {
  const headings = page.blocks.filter(({ tag }) => /^h[1-3]$/.test(tag)).map(({ text }) => text)
  return [page.title, ...headings].some((text) =>
    /\b404\b|not found|(?:doesn.?t|does not|no longer) exist|can.?t be found|page missing/i.test(text),
  )
}
