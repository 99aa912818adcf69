/**
 * The same pages through Crawlee's CheerioCrawler as its documentation shows it. It is spared much of what the resolver
 * does: it is given the addresses, so it meets no redirect, reads no robots.txt or sitemap, makes no guess, and looks up no
 * names. Storage is in memory, its session pool, retries and log are off. Certificates are checked and connections kept, two
 * for a site, as ours are.
 */
import { CheerioCrawler, type CheerioCrawlingContext, Configuration, LogLevel, log } from '@crawlee/cheerio'
import { openLoopbackAgents, redirectOthers } from './loopback.ts'
import { type CrawlTask, serveCrawl } from './measured-crawl.ts'

/** As many as the resolver requests from a site at once. */
const PAGES_PER_SITE_AT_ONCE = 2

log.setLevel(LogLevel.OFF)

serveCrawl(async (task) => {
  const fetched = await fetchPages(task)
  return task.sites.map(({ domain, pages }) => {
    const found = pages.filter((url) => fetched.has(url))
    const isReadable = found.length === pages.length
    return { domain, pages: found, requests: found.length, isReadable, milliseconds: 0 }
  })
})

async function fetchPages({ web, sites, sitesAtOnce }: CrawlTask): Promise<Set<string>> {
  const fetched = new Set<string>()
  const agent = openLoopbackAgents(web, { keepAlive: true, maxSockets: PAGES_PER_SITE_AT_ONCE })
  using _ = redirectOthers(web)
  const crawler = new CheerioCrawler(
    {
      minConcurrency: sitesAtOnce * PAGES_PER_SITE_AT_ONCE,
      maxConcurrency: sitesAtOnce * PAGES_PER_SITE_AT_ONCE,
      maxRequestRetries: 0,
      useSessionPool: false,
      persistCookiesPerSession: false,
      ignoreSslErrors: false,
      preNavigationHooks: [
        (_context, gotOptions) => {
          gotOptions.agent = agent
          gotOptions.http2 = false
          gotOptions.https = { certificateAuthority: web.certificateAuthority }
        },
      ],
      requestHandler: (page) => {
        readPage(page)
        fetched.add(page.request.url)
      },
    },
    new Configuration({ persistStorage: false }),
  )
  await crawler.run(sites.flatMap((site) => site.pages))
  agent.http.destroy()
  agent.https.destroy()
  return fetched
}

/** Takes from a page what a crawler of text would take. */
function readPage({ $ }: CheerioCrawlingContext): { title: string; text: string; links: string[] } {
  const links = $('a[href]').map((_, link) => $(link).attr('href'))
  return { title: $('title').text(), text: $('body').text(), links: links.toArray() }
}
