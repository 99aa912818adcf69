/** Finds pages of a site without following links: in its sitemap, and at paths that sites commonly use. Pure. */
import { Parser } from 'htmlparser2'
import type { Link, PageDocument } from '../page/document.ts'
import type { CandidatePage } from './link-promise.ts'

const SITEMAP_URLS_MAX = 200

/** Returns the first pages of a sitemap as links without text; none for an index of sitemaps. */
export function parseSitemap(xml: string): Link[] {
  const links: Link[] = []
  const path: string[] = []
  let location = ''
  const parser = new Parser(
    {
      onopentag: (name) => {
        path.push(name)
        location = ''
      },
      ontext: (text) => {
        if (path.at(-1) === 'loc' && location.length < 2_000) location += text
      },
      onclosetag: () => {
        const isPage = path.at(-1) === 'loc' && path.at(-2) === 'url'
        path.pop()
        if (isPage && links.length < SITEMAP_URLS_MAX) links.push({ href: location.trim(), text: '', region: 'main' })
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return links
}

// One path of each kind first: after a hit, the other paths of its kind are not tried.
const WELL_KNOWN_PATHS: Array<[CandidatePage['kind'], string]> = [
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
/** Shopify does not let shop owners move these pages. */
const SHOPIFY_PATHS: Array<[CandidatePage['kind'], string]> = [
  ['privacy', '/policies/privacy-policy'],
  ['terms', '/policies/terms-of-service'],
  ['legal', '/policies/legal-notice'],
  ['contact', '/pages/contact'],
  ['about', '/pages/about-us'],
]

/** Returns the paths in the order to try them, with the file ending that the site uses (`/privacy.html`). */
export function listWellKnownPages(home: URL, links: Link[]): CandidatePage[] {
  const paths = links.map(({ href }) => URL.parse(href)?.pathname ?? '')
  const isShopify = paths.some((path) => /^\/(?:collections|products|policies)(?:\/|$)/.test(path))
  const ending = isShopify ? '' : findUsualEnding(paths)
  const ordered = isShopify ? [...SHOPIFY_PATHS, ...WELL_KNOWN_PATHS] : [...WELL_KNOWN_PATHS, ...SHOPIFY_PATHS]
  return ordered.map(([kind, path]) => ({ kind, url: new URL(`${path}${ending}`, home), score: 0 }))
}

function findUsualEnding(paths: string[]): string {
  const deep = new Set(paths.filter((path) => path !== '/' && path !== ''))
  for (const ending of ['.html', '.htm', '.php', '.aspx']) {
    const withEnding = [...deep].filter((path) => path.endsWith(ending)).length
    if (withEnding > deep.size / 2) return ending
  }
  return ''
}

/** True for a page that says "not found" although its status is 200. */
export function isSoftNotFound(page: Pick<PageDocument, 'title' | 'blocks'>): boolean {
  const headings = page.blocks.filter(({ tag }) => /^h[1-3]$/.test(tag)).map(({ text }) => text)
  return [page.title, ...headings].some((text) =>
    /\b404\b|not found|(?:doesn.?t|does not|no longer) exist|can.?t be found|page missing/i.test(text),
  )
}
