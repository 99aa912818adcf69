/**
 * The same pages through Crawlee's CheerioCrawler, set up to cost as little as it can: it is handed the addresses, so it
 * asks for no robots.txt, follows no redirect and misses no guess; names are not looked up; headers are not disguised as
 * a browser's, which would cost a second connection to every site; nothing is kept on disk. Certificates are checked, as
 * ours are, and connections kept, two for a site.
 */
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import {
  CheerioCrawler,
  type CheerioCrawlingContext,
  Configuration,
  LogLevel,
  log,
  RequestList,
} from '@crawlee/cheerio'
import type { SimulatedWeb } from '../../src/lib/guarded-client.ts'
import { type CrawlTask, type ListedSite, serveCrawl } from './measured-crawl.ts'

const CONNECTIONS: AgentOptions = { keepAlive: true, maxSockets: 2 }
/** As many as the resolver asks a site for at once. */
const PAGES_PER_SITE_AT_ONCE = 2

log.setLevel(LogLevel.OFF)

serveCrawl(async ({ web, sites, sitesAtOnce }: CrawlTask) => {
  const pages = await fetchPages(web, sites, sitesAtOnce * PAGES_PER_SITE_AT_ONCE)
  return sites.map((site) => {
    const fetched = site.pages.filter((url) => pages.has(url))
    return { ...site, pages: fetched, isReadable: fetched.length === site.pages.length, milliseconds: 0 }
  })
})

async function fetchPages(web: SimulatedWeb, sites: ListedSite[], pagesAtOnce: number): Promise<Set<string>> {
  const fetched = new Set<string>()
  const agent = { http: new LoopbackHttpAgent(web.httpPort), https: new LoopbackHttpsAgent(web.httpsPort) }
  const crawler = new CheerioCrawler(
    {
      requestList: await RequestList.open(
        null,
        sites.flatMap(({ pages }) => pages),
      ),
      minConcurrency: pagesAtOnce,
      maxConcurrency: pagesAtOnce,
      maxRequestRetries: 0,
      useSessionPool: false,
      persistCookiesPerSession: false,
      ignoreSslErrors: false,
      preNavigationHooks: [
        (_, gotOptions) => {
          gotOptions.agent = agent
          gotOptions.http2 = false
          gotOptions.useHeaderGenerator = false
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
  await crawler.run()
  agent.http.destroy()
  agent.https.destroy()
  return fetched
}

/** What a crawler of text would take from a page. */
function readPage({ $ }: CheerioCrawlingContext): { title: string; text: string; links: string[] } {
  const links = $('a[href]').map((_, link) => $(link).attr('href'))
  return { title: $('title').text(), text: $('body').text(), links: links.toArray() }
}

class LoopbackHttpAgent extends HttpAgent {
  readonly #port: number

  constructor(port: number) {
    super(CONNECTIONS)
    this.#port = port
  }

  override createConnection(...[options, callback]: Parameters<HttpAgent['createConnection']>) {
    return super.createConnection({ ...options, host: '127.0.0.1', port: this.#port }, callback)
  }
}

class LoopbackHttpsAgent extends HttpsAgent {
  readonly #port: number

  constructor(port: number) {
    super(CONNECTIONS)
    this.#port = port
  }

  override createConnection(...[options, callback]: Parameters<HttpsAgent['createConnection']>) {
    return super.createConnection({ ...options, host: '127.0.0.1', port: this.#port }, callback)
  }
}
