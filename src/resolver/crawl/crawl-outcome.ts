/** Why a page could not be read, how that ends a crawl, and the sentence that explains it to a person. Pure. */
import { STATUS_CODES } from 'node:http'
import type { GuardError } from '../../lib/web/guarded-client.ts'
import type { Crawl, CrawledPage } from './crawl.ts'

type CrawlEnd = Pick<Crawl, 'outcome' | 'reason'>

/** Why a request brought no page. */
export type Trouble = { kind: 'status'; status: number } | { kind: GuardError['reason'] | SiteTrouble | OwnLimit }

/** `robots_unknown`: robots.txt could not be read, so no page may be read. `other_site`: a redirect left the site. */
type SiteTrouble =
  | 'challenge'
  | 'robots'
  | 'robots_unknown'
  | 'redirect_loop'
  | 'not_html'
  | 'empty'
  | 'other_site'
  | 'long_address'

/** `busy`: no request slot became free in time. `unreadable`: parsing the page passed our limits. */
type OwnLimit = 'busy' | 'out_of_time' | 'out_of_bytes' | 'unreadable'

/** Returns the text for the list of attempts. */
export function describeTrouble(trouble: Trouble): string {
  return trouble.kind === 'status' ? String(trouble.status) : trouble.kind
}

const blocked = (reason: string): CrawlEnd => ({ outcome: 'blocked', reason })
const failed = (reason: string): CrawlEnd => ({ outcome: 'failed', reason })

/** How the crawl ends if the home page has this trouble. */
const TROUBLES: Record<Exclude<Trouble['kind'], 'status'>, CrawlEnd> = {
  challenge: blocked('The site shows a browser check instead of its pages.'),
  robots: blocked('The site asks programs not to read it (robots.txt).'),
  robots_unknown: failed('The robots.txt of the site returns an error, so we may not read its pages.'),
  redirect_loop: failed('The site redirects in a circle.'),
  too_many_redirects: failed('The site redirects too often.'),
  long_address: failed('The site redirects to an address that is too long.'),
  unreadable: failed('The home page takes more time or memory to read than we allow.'),
  not_html: failed('The home page is not a web page.'),
  empty: failed('The home page is empty.'),
  other_site: failed('The home page leads to another site.'),
  name_not_found: failed('The name does not resolve.'),
  name_timeout: failed('The name servers of the domain do not respond.'),
  name_failed: failed('The name servers of the domain return an error.'),
  blocked: failed('The name points to an address that is not on the public internet.'),
  refused: failed('The web server refuses connections.'),
  reset: failed('The web server closes connections.'),
  timeout: failed('The web server does not respond in time.'),
  certificate: failed('The certificate of the site is not valid for its name.'),
  tls: failed('We could not make a secure connection.'),
  too_large: failed('The response of the site is too large.'),
  encoding: failed('We could not decode the response of the site.'),
  headers: failed('The response of the site is not valid HTTP.'),
  network: failed('We could not reach the web server.'),
  busy: failed('Too many requests are waiting for this web server.'),
  out_of_time: failed('The site was too slow to read in time.'),
  out_of_bytes: failed('The responses of the site are too large.'),
}

/** True if nothing was read because our own pace allowed no request: that says nothing about the site. */
export const wasBusy = ({ reason }: { reason: string }): boolean => reason === TROUBLES.busy.reason

export function explainTrouble(trouble: Trouble): CrawlEnd {
  return trouble.kind === 'status' ? explainStatus(trouble.status) : TROUBLES[trouble.kind]
}

function explainStatus(status: number): CrawlEnd {
  const words = [status, STATUS_CODES[status]].filter(Boolean).join(' ')
  if (status === 401 || status === 407) return blocked(`The site asks for a password (${words}).`)
  if (status === 403) return blocked(`The site refuses our requests (${words}).`)
  if (status === 429) return blocked(`The site refuses further requests for now (${words}).`)
  if (status === 451) return blocked(`The site may not be shown for legal reasons (${words}).`)
  if (status === 404 || status === 410) return failed(`The site has no home page (${words}).`)
  if (status >= 500) return failed(`The site returns a server error (${words}).`)
  return failed(`The home page returns status ${words}.`)
}

/** Pages with less text in total cannot be searched for a company. */
const THIN_CHARACTERS = 200

export function classifyPages(pages: CrawledPage[]): CrawlEnd {
  const characters = pages.reduce((sum, { outline }) => sum + outline.visibleCharacters, 0)
  const isShell = ({ outline }: CrawledPage) => outline.scripts > 0 && outline.visibleCharacters < THIN_CHARACTERS
  if (pages.every(isShell))
    return { outcome: 'thin', reason: 'The pages are drawn by scripts and hold hardly any text.' }
  if (characters < THIN_CHARACTERS) return { outcome: 'thin', reason: 'The pages hold hardly any text.' }
  return { outcome: 'read', reason: '' }
}

/** The most informative first: a response of the site before no response. */
const BY_INFORMATION: Array<Trouble['kind']> = [
  'robots',
  'challenge',
  'status',
  'redirect_loop',
  'too_many_redirects',
  'long_address',
  'unreadable',
  'not_html',
  'empty',
  'robots_unknown',
  'out_of_bytes',
  'too_large',
  'encoding',
  'headers',
  'certificate',
  'tls',
  'busy',
  'timeout',
  'reset',
  'refused',
  'network',
  'blocked',
  'out_of_time',
  'name_timeout',
  'name_failed',
  'name_not_found',
]

/** Chooses which trouble to report if several addresses of a site failed. */
export function chooseMostInformative(troubles: Trouble[]): Trouble {
  const rank = ({ kind }: Trouble) =>
    BY_INFORMATION.includes(kind) ? BY_INFORMATION.indexOf(kind) : BY_INFORMATION.length
  return [...troubles].sort((a, b) => rank(a) - rank(b))[0] ?? { kind: 'network' }
}
