import { isChallenge } from '../../../src/resolver/crawl/challenge.ts'
import type { OpenedPage } from '../../../src/resolver/crawl/crawl.ts'
import { listOwnPages, rankLinks } from '../../../src/resolver/crawl/link-promise.ts'
import { parseSitemap } from '../../../src/resolver/crawl/page-sources.ts'
import { isAllowed, parseRobots } from '../../../src/resolver/crawl/robots.ts'
import { extractFindings } from '../../../src/resolver/extract/findings.ts'
import { matchSite } from '../../../src/resolver/match/match-site.ts'
import { present } from '../../../src/resolver/match/present.ts'
import type { RegisterView } from '../../../src/resolver/match/register-view.ts'
import { readPage } from '../../../src/resolver/page/read-page.ts'

const URL_OF_PAGE = 'https://www.alder-joinery.co.uk/'

/** All that is done with a page once its bytes are there, and what comes of it as text. */
export function readWhole(body: Buffer, contentType: string | null, register: RegisterView): string {
  const document = readPage(body, { url: URL_OF_PAGE, contentType })
  const text = document.blocks.map((block) => block.text).join('\n')
  const challenged = isChallenge({ headers: {}, body, title: document.title, text })
  const links = rankLinks(document.links, new URL(URL_OF_PAGE))
  const entrances = listOwnPages(document.links, new URL(URL_OF_PAGE))
  const page: OpenedPage = {
    url: URL_OF_PAGE,
    status: 200,
    fetchedAt: new Date(0),
    sha256: '',
    bytes: body.length,
    kind: 'home',
    document,
  }
  const domain = 'alder-joinery.co.uk'
  const findings = extractFindings({ domain, redirectedTo: null, pages: [page], certificates: [] })
  const { verdict, site } = matchSite(findings, register)
  const answer = present(verdict, site)
  return JSON.stringify({ challenged, links: links.length, entrances: entrances.length, answer })
}

/** The two files of a site that are no pages, were they to hold this. */
export function readFiles(body: Buffer): void {
  const rules = parseRobots({ status: 200, body })
  if (rules) isAllowed(rules, new URL('/legal/terms', URL_OF_PAGE))
  parseSitemap(body.toString('utf8'))
}
