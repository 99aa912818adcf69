/** Which addresses belong to a site, which of them are the same page, and which can be a page at all. Pure. */
import { findRegistrable } from '../registrable.ts'

/** The registrable domain of a host; tenants of shared hosting (`acme.github.io`) count as domains of their own. */
export function registrableDomain(host: string): string {
  return findRegistrable(host) ?? host
}

/** One key for addresses that show the same page: scheme, `www.`, trailing slash, index file and fragment left out. */
export function pageKey(url: URL): string {
  const path = url.pathname.replace(/\/(?:index|default)\.[a-z]{3,5}$/i, '/').replace(/\/+$/, '')
  return `${bareHost(url.hostname)}${path}${url.search}`
}

/** Links that differ from the site's own address only by scheme or `www.` are asked where the home page answered. */
export function toHomeOrigin(url: URL, home: URL): URL {
  const same = bareHost(url.hostname) === bareHost(home.hostname) && url.port === home.port
  const moved = new URL(url)
  moved.hash = ''
  if (same) {
    moved.protocol = home.protocol
    moved.hostname = home.hostname
  }
  return moved
}

function bareHost(host: string): string {
  return host.replace(/^www\./, '')
}

// Longer paths are articles and trackers, and matching robots.txt patterns costs pattern length times path length.
const PATH_CHARACTERS_MAX = 200
const PAGE_EXTENSIONS = new Set(['html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp', 'cfm'])
const NOT_PRODUCTION = /^(?:dev|staging|stage|test|uat|preview|demo|sandbox)\d*[.-]/

/** Segments under which nothing about the operator is found: writing, goods, people's own pages. */
const BARREN_SECTIONS = new Set(
  (
    'blog blogs news latest article articles post posts story stories press-releases insights events event ' +
    'tag tags category categories author authors product products collections item items jobs job careers vacancies ' +
    'wp-admin wp-content wp-json feed search gallery portfolio case-studies reviews forum forums'
  ).split(' '),
)
const BARREN_PAGES = new Set(
  (
    'cart basket bag checkout login log-in logout signin sign-in signup sign-up account my-account wishlist ' +
    'wp-login search feed subscribe newsletter donate'
  ).split(' '),
)

/** False for files, long queries, test hosts, and the sections of a site that never say who runs it. */
export function isWorthAsking(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  if (url.username !== '' || url.password !== '' || NOT_PRODUCTION.test(url.hostname)) return false
  if (url.pathname.length > PATH_CHARACTERS_MAX || url.search.length > 40 || url.searchParams.size > 1) return false
  const segments = pathSegments(url).map((segment) => segment.toLowerCase())
  const last = segments.at(-1) ?? ''
  const extension = /\.([a-z0-9]{1,5})$/i.exec(last)?.[1]?.toLowerCase()
  if (extension !== undefined && !PAGE_EXTENSIONS.has(extension)) return false
  if (BARREN_PAGES.has(last) || BARREN_PAGES.has(last.replace(/\.[a-z]+$/, ''))) return false
  const dated = segments.some((segment, place) => /^20\d\d$/.test(segment) && /^\d\d?$/.test(segments[place + 1] ?? ''))
  return !dated && !segments.some((segment) => BARREN_SECTIONS.has(segment))
}

export function pathSegments(url: URL): string[] {
  let path = url.pathname
  try {
    path = decodeURIComponent(path)
  } catch {
    // A path that is not valid UTF-8 is read as it stands.
  }
  return path.split('/').filter(Boolean)
}
