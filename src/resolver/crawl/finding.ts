/** From what happened to what it means, and to a sentence for a person. Pure. */
import { STATUS_CODES } from 'node:http'
import type { Crawl, CrawledPage } from './crawl.ts'
import type { Trouble } from './visit.ts'

export type Finding = Pick<Crawl, 'finding' | 'reason'>

const blocked = (reason: string): Finding => ({ finding: 'blocked', reason })
const failed = (reason: string): Finding => ({ finding: 'failed', reason })

/** Why the home page, and with it the site, could not be read. */
const TROUBLES: Record<Exclude<Trouble['kind'], 'status'>, Finding> = {
  challenge: blocked('The site shows a browser check instead of its pages.'),
  robots: blocked('The site asks programs not to read it (robots.txt).'),
  robots_unknown: failed('The robots.txt of the site answers with an error, so its pages may not be read.'),
  redirect_loop: failed('The site redirects in a circle.'),
  too_many_redirects: failed('The site redirects too often.'),
  long_address: failed('The site leads to an address that is too long to be asked for.'),
  unreadable: failed('The home page takes more time or memory to read than we allow.'),
  not_html: failed('The home page is not a web page.'),
  empty: failed('The home page is empty.'),
  other_site: failed('The home page leads to another site.'),
  name_not_found: failed('The name does not resolve.'),
  name_timeout: failed('The name servers of the domain do not answer.'),
  name_failed: failed('The name servers of the domain answer with an error.'),
  blocked: failed('The name leads to an address that is not on the public internet.'),
  refused: failed('The web server refuses connections.'),
  reset: failed('The web server breaks connections off.'),
  timeout: failed('The web server does not answer in time.'),
  certificate: failed('The certificate of the site is not valid for its name.'),
  tls: failed('No secure connection could be made.'),
  too_large: failed('The answer of the site is too large.'),
  encoding: failed('The answer of the site could not be decoded.'),
  headers: failed('The answer of the site is not valid HTTP.'),
  network: failed('The web server could not be reached.'),
  busy: failed('Too many requests are waiting for this web server.'),
  out_of_time: failed('The site was too slow to be read in time.'),
  out_of_bytes: failed('The answers of the site are too large.'),
}

export function explainTrouble(trouble: Trouble): Finding {
  return trouble.kind === 'status' ? explainStatus(trouble.status) : TROUBLES[trouble.kind]
}

function explainStatus(status: number): Finding {
  const words = [status, STATUS_CODES[status]].filter(Boolean).join(' ')
  if (status === 401 || status === 407) return blocked(`The site asks for a password (${words}).`)
  if (status === 403) return blocked(`The site refuses our requests (${words}).`)
  if (status === 429) return blocked(`The site refuses further requests for now (${words}).`)
  if (status === 451) return blocked(`The site may not be shown for legal reasons (${words}).`)
  if (status === 404 || status === 410) return failed(`The site has no home page (${words}).`)
  if (status >= 500) return failed(`The site answers with a server error (${words}).`)
  return failed(`The site answers its home page with status ${words}.`)
}

/** Below this, all pages together say nothing that could be searched for a company. */
const THIN_CHARACTERS = 200

export function judgePages(pages: CrawledPage[]): Finding {
  const characters = pages.reduce((sum, { document }) => sum + document.visibleCharacters, 0)
  const isShell = ({ document }: CrawledPage) => document.scripts > 0 && document.visibleCharacters < THIN_CHARACTERS
  if (pages.every(isShell))
    return { finding: 'thin', reason: 'The pages are drawn by scripts and hold hardly any text.' }
  if (characters < THIN_CHARACTERS) return { finding: 'thin', reason: 'The pages hold hardly any text.' }
  return { finding: 'read', reason: '' }
}

/** Of several troubles at several addresses of one site, the one that tells most: an answer before none. */
const MOST_TELLING: Array<Trouble['kind']> = [
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

export function chooseMostTelling(troubles: Trouble[]): Trouble {
  const rank = ({ kind }: Trouble) => (MOST_TELLING.includes(kind) ? MOST_TELLING.indexOf(kind) : MOST_TELLING.length)
  return [...troubles].sort((a, b) => rank(a) - rank(b))[0] ?? { kind: 'network' }
}
