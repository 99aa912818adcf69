/** A crawler with a web and a database of its own, for tests of crawls that need no service. */
import { type SimulatedSite, SimulatedWeb } from '../../rig/web/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { Database } from '../../src/lib/db/db.ts'
import { LeasedLimiter } from '../../src/lib/limits/leased-limiter.ts'
import { LoopLag } from '../../src/lib/loop-lag.ts'
import { GuardedClient } from '../../src/lib/web/guarded-client.ts'
import { Pace } from '../../src/lib/web/pace.ts'
import type { Crawl } from '../../src/resolver/crawl/crawl.ts'
import { type CrawlOptions, crawlSite, ProcessStalled } from '../../src/resolver/crawl/crawl-site.ts'
import { openReaderThreads } from '../../src/resolver/read/reader-threads.ts'
import { SiteReader } from '../../src/resolver/read/site-reader.ts'
import { createTestDatabase, prepare } from './harness.ts'

async function openCrawler() {
  await using opening = new AsyncDisposableStack()
  const database = opening.adopt(await createTestDatabase(), (each) => each.drop())
  const db = opening.adopt(new Database({ url: database.url, connectionsMax: 8, applicationName: 'test' }), (each) =>
    each.close(),
  )
  const web = opening.adopt(await (await SimulatedWeb.fromSites({})).listen(), (each) => each.close())
  const threads = opening.adopt(openReaderThreads(), (each) => each.close())
  const settings = { userAgent: 'NameplateBot/test', dnsServers: [], simulated: web.settings }
  const client = opening.adopt(new GuardedClient(settings), (each) => each.close())
  const pace = new Pace(new LeasedLimiter(db))
  const app = { web: client, pace, clock: systemClock, loopLag: new LoopLag(), reader: new SiteReader(threads) }
  /** Crawls to the end, unless the options say when the proof is complete; with another pace or reader where given. */
  const crawlOnce = (domain: string, options: Partial<CrawlOptions> = {}, other: Partial<typeof app> = {}) =>
    crawlSite({ ...app, ...other }, domain, { isProofComplete: () => false, ...options })
  let published = 0
  return {
    db,
    web,
    pace,
    /** Publishes the site under a new host, so that tests share neither pace nor pages. Returns the host. */
    publish: (site: SimulatedSite): string => {
      published += 1
      const host = `acme-${published}.co.uk`
      web.setSite(host, site)
      return host
    },
    crawlOnce,
    /** Crawls once more if this process stalled meanwhile, as a job does. */
    crawl: (...of: Parameters<typeof crawlOnce>): Promise<Crawl> => againIfStalled(() => crawlOnce(...of)),
    closing: opening.move(),
  }
}

async function againIfStalled(crawl: () => Promise<Crawl>): Promise<Crawl> {
  try {
    return await crawl()
  } catch (error) {
    if (error instanceof ProcessStalled) return crawl()
    throw error
  }
}

/** The crawler for the tests of a file. */
export const useCrawler = () => prepare(openCrawler, ({ closing }) => closing.disposeAsync())
