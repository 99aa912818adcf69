/**
 * The same pages through Crawlee's CheerioCrawler. It is spared much of what the resolver does: it is handed the
 * addresses, so it meets no redirect, reads no sitemap and makes no guess, and it looks up no names. Storage is in
 * memory, its session pool, retries and log are off. Certificates are checked and connections kept, two for a site, as
 * ours are.
 */
import {
  CheerioCrawler,
  type CheerioCrawlerOptions,
  type CheerioCrawlingContext,
  Configuration,
  LogLevel,
  log,
  RequestList,
} from '@crawlee/cheerio'
import { openLoopbackAgents, redirectOthers } from './loopback.ts'
import type { Crawler, CrawlTask } from './measured-crawl.ts'

/** As many as the resolver asks a site for at once. */
const PAGES_PER_SITE_AT_ONCE = 2

/**
 * `usual`: as its documentation shows it. `lean`: without what it does unasked, which is the headers of a browser, for
 * which it opens one more connection to every site, and a queue of requests in place of a mere list. `polite`: as usual,
 * and robots.txt is obeyed, as the resolver does.
 */
export type CrawleeSetup = 'usual' | 'lean' | 'polite'

export function crawlWithCrawlee(setup: CrawleeSetup): Crawler {
  log.setLevel(LogLevel.OFF)
  return async (task) => {
    const fetched = await fetchPages(task, setup)
    return task.sites.map(({ domain, pages }) => {
      const found = pages.filter((url) => fetched.has(url))
      return {
        domain,
        pages: found,
        requests: found.length,
        isReadable: found.length === pages.length,
        milliseconds: 0,
      }
    })
  }
}

async function fetchPages({ web, sites, sitesAtOnce }: CrawlTask, setup: CrawleeSetup): Promise<Set<string>> {
  const pages = sites.flatMap((site) => site.pages)
  const fetched = new Set<string>()
  const agent = openLoopbackAgents(web, { keepAlive: true, maxSockets: PAGES_PER_SITE_AT_ONCE })
  using _ = redirectOthers(web)
  const options: CheerioCrawlerOptions = {
    minConcurrency: sitesAtOnce * PAGES_PER_SITE_AT_ONCE,
    maxConcurrency: sitesAtOnce * PAGES_PER_SITE_AT_ONCE,
    maxRequestRetries: 0,
    useSessionPool: false,
    persistCookiesPerSession: false,
    ignoreSslErrors: false,
    respectRobotsTxtFile: setup === 'polite',
    preNavigationHooks: [
      (_, gotOptions) => {
        gotOptions.agent = agent
        gotOptions.http2 = false
        gotOptions.https = { certificateAuthority: web.certificateAuthority }
        if (setup === 'lean') gotOptions.useHeaderGenerator = false
      },
    ],
    requestHandler: (page) => {
      readPage(page)
      fetched.add(page.request.url)
    },
  }
  const settings = new Configuration({ persistStorage: false })
  if (setup === 'lean') {
    const requestList = await RequestList.open(null, pages)
    await new CheerioCrawler({ ...options, requestList }, settings).run()
  } else {
    await new CheerioCrawler(options, settings).run(pages)
  }
  agent.http.destroy()
  agent.https.destroy()
  return fetched
}

/** What a crawler of text would take from a page. */
function readPage({ $ }: CheerioCrawlingContext): { title: string; text: string; links: string[] } {
  const links = $('a[href]').map((_, link) => $(link).attr('href'))
  return { title: $('title').text(), text: $('body').text(), links: links.toArray() }
}
