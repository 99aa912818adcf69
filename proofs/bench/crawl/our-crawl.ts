/**
 * The resolver's own way through a site: names, robots.txt, redirects, guesses and all, and then what the pages say. No
 * proof is ever complete here, so every crawl reads as many pages as it may, and the same ones each time.
 */

import { NoPace } from '../../../rig/no-pace.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { LoopLag } from '../../../src/lib/loop-lag.ts'
import { GuardedClient } from '../../../src/lib/web/guarded-client.ts'
import { crawlSite } from '../../../src/resolver/crawl/crawl-site.ts'
import { openReaderThreads } from '../../../src/resolver/read/reader-threads.ts'
import { SiteReader } from '../../../src/resolver/read/site-reader.ts'
import { type CrawledSite, type CrawlTask, serveCrawl } from './measured-crawl.ts'

/** A process has its threads for as long as it lives, so the first crawl, which is not measured, starts them. */
const reader = new SiteReader(openReaderThreads())

serveCrawl(async ({ web: simulated, sites, sitesAtOnce }: CrawlTask) => {
  const web = new GuardedClient({
    userAgent: 'Mozilla/5.0 (compatible; NameplateBot/bench)',
    dnsServers: [],
    simulated,
  })
  // Politeness would be all that is measured: the other crawler has none.
  const world = { web, pace: new NoPace(), clock: systemClock, loopLag: new LoopLag(), reader }
  const crawled: CrawledSite[] = []
  const queue = sites.values()
  const work = async () => {
    for (const { domain } of queue) crawled.push(await readSite(world, domain))
  }
  await Promise.all(Array.from({ length: sitesAtOnce }, work))
  await web.close()
  return crawled
})

async function readSite(world: Parameters<typeof crawlSite>[0], domain: string): Promise<CrawledSite> {
  const crawl = await crawlSite(world, domain, {
    isProofComplete: () => false,
    // The peer is handed the pages and guesses none, and in the product guessing ends where a company is proven.
    isGuessingNeeded: () => false,
  })
  await world.reader.extract(crawl)
  return {
    domain,
    pages: crawl.pages.map(({ url }) => url),
    requests: crawl.attempts.length,
    isReadable: crawl.outcome === 'read',
    milliseconds: crawl.finishedAt.getTime() - crawl.startedAt.getTime(),
  }
}
