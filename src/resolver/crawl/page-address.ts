/** Compares addresses: which belong to one site, which show the same page, which are worth a request. Pure. */
import { findRegistrable } from '../domain/registrable.ts'

/** Returns the registrable domain of a host. A tenant of shared hosting (`acme.github.io`) is a separate domain. */
export function registrableDomain(host: string): string {
  return findRegistrable(host) ?? host
}

/** Returns the same key for addresses of one page: without scheme, `www.`, trailing slash, index file and fragment. */
export function pageKey(url: URL): string {
  const path = url.pathname.replace(/\/(?:index|default)\.[a-z]{3,5}$/i, '/').replace(TRAILING_SLASHES, '')
  return `${bareHost(url.hostname)}${path}${url.search}`
}

/** Moves a link to the scheme and host of the home page if it differs only by scheme or `www.`. */
export function toHomeOrigin(url: URL, home: URL): URL {
  const isSameHost = bareHost(url.hostname) === bareHost(home.hostname) && url.port === home.port
  const moved = new URL(url)
  moved.hash = ''
  if (isSameHost) {
    moved.protocol = home.protocol
    moved.hostname = home.hostname
  }
  return moved
}

/** A site chooses its paths. Only the first slash of a run is tried, else a long run that is not at the end would take seconds. */
const TRAILING_SLASHES = /(?<!\/)\/+$/

function bareHost(host: string): string {
  return host.replace(/^www\./, '')
}

// Longer paths are articles and trackers; also, matching robots.txt costs pattern length times path length.
const PATH_CHARACTERS_MAX = 200
const PAGE_EXTENSIONS = new Set(['html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp', 'cfm'])
const NOT_PRODUCTION = /^(?:dev|staging|stage|test|uat|preview|demo|sandbox)\d*[.-]/

/** Path segments of articles, goods and user pages, which do not say who runs the site. */
const UNRELATED_SECTIONS = new Set(
  (
    'blog blogs news latest article articles post posts story stories press-releases insights events event ' +
    'tag tags category categories author authors product products collections item items jobs job careers vacancies ' +
    'wp-admin wp-content wp-json feed search gallery portfolio case-studies reviews forum forums'
  ).split(' '),
)
const UNRELATED_PAGES = new Set(
  (
    'cart basket bag checkout login log-in logout signin sign-in signup sign-up account my-account wishlist ' +
    'wp-login search feed subscribe newsletter donate'
  ).split(' '),
)

/** False for files, long queries, test hosts, and sections that do not say who runs the site. */
export function isWorthRequesting(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  if (url.username !== '' || url.password !== '' || NOT_PRODUCTION.test(url.hostname)) return false
  if (url.pathname.length > PATH_CHARACTERS_MAX || url.search.length > 40 || url.searchParams.size > 1) return false
  const segments = pathSegments(url).map((segment) => segment.toLowerCase())
  const last = segments.at(-1) ?? ''
  const extension = /\.([a-z0-9]{1,5})$/i.exec(last)?.[1]?.toLowerCase()
  if (extension !== undefined && !PAGE_EXTENSIONS.has(extension)) return false
  if (UNRELATED_PAGES.has(last) || UNRELATED_PAGES.has(last.replace(/\.[a-z]+$/, ''))) return false
  const isDated = segments.some(
    (segment, index) => /^20\d\d$/.test(segment) && /^\d\d?$/.test(segments[index + 1] ?? ''),
  )
  return !isDated && !segments.some((segment) => UNRELATED_SECTIONS.has(segment))
}

export function pathSegments(url: URL): string[] {
  let path = url.pathname
  try {
    path = decodeURIComponent(path)
  } catch {
    // A path that is not valid UTF-8 stays encoded.
  }
  return path.split('/').filter(Boolean)
}
