import type { Clock } from '../../lib/clock.ts'
import { readLoopLagMs } from '../../lib/loop-lag.ts'
import type { GuardedClient } from '../../lib/web/guarded-client.ts'
import type { Pace } from '../../lib/web/pace.ts'
import { type SiteReader, siteReader } from '../read/site-reader.ts'
import { Allowance } from './allowance.ts'
import type { Crawl, CrawledPage } from './crawl.ts'
import { findHome } from './entrance.ts'
import { explore } from './explore.ts'
import { explainTrouble, type Finding, judgePages } from './finding.ts'
import { registrableDomain } from './page-address.ts'
import { SiteVisitor } from './visitor.ts'

const TIME_MS = 20_000
const BYTES = 10_000_000
// For a place among the crawls of one address; the other half is for the crawl.
const PLACE_WAIT_MS = 10_000

export interface CrawlOptions {
  /** Asked after every new page, with all of them: true ends the crawl. */
  isProofComplete: (pages: CrawledPage[]) => boolean | Promise<boolean>
  /** Where links lead no further: whether to try addresses that nothing leads to. Yes, unless it says no. */
  isGuessingNeeded?: (pages: CrawledPage[]) => boolean | Promise<boolean>
  onPage?: (page: CrawledPage) => void
}

/**
 * Reads the pages of a site that may say who runs it. Always ends, whatever the site does: within 20 seconds, 10 pages,
 * 8 guesses and 10 MB. A site that cannot be read is a finding, not an error.
 */
export async function crawlSite(
  world: { web: GuardedClient; pace: Pace; clock: Clock; reader?: SiteReader },
  domain: string,
  options: CrawlOptions,
): Promise<Crawl> {
  const startedAt = world.clock.now()
  const allowance = new Allowance({ timeMs: TIME_MS, bytes: BYTES })
  const session = world.web.openSession()
  const reader = world.reader ?? siteReader()
  const visitor = new SiteVisitor({ session, pace: world.pace, clock: world.clock, allowance, reader })
  const lagBeforeMs = readLoopLagMs()
  const startedAtMs = performance.now()
  const pages: CrawledPage[] = []
  let leave: (() => void) | null = null
  try {
    const address = await findAddress(visitor, domain)
    leave = address === null ? () => {} : await world.pace.enterAddress(address, PLACE_WAIT_MS)
    const home = leave ? await findHome(visitor, domain) : null
    if (home?.kind === 'page') {
      const isEnough = async (page: CrawledPage) => {
        pages.push(page)
        options.onPage?.(page)
        return options.isProofComplete(pages)
      }
      const isGuessingNeeded = async () => (await options.isGuessingNeeded?.(pages)) ?? true
      await explore({ visitor, allowance, home, isEnough, isGuessingNeeded })
    }
    if (wasOutOfTime(visitor, allowance) && isStalled(readLoopLagMs() - lagBeforeMs, performance.now() - startedAtMs)) {
      throw new Error(`this process stood still while it read ${domain}: what timed out is not the site's doing`)
    }
    const found = home ? registrableDomain(home.url.hostname) : domain
    const trouble = home?.kind === 'none' ? home.trouble : ({ kind: 'busy' } as const)
    const finding: Finding = pages.length > 0 ? judgePages(pages) : explainTrouble(trouble)
    return {
      domain,
      ...finding,
      redirectedTo: found === registrableDomain(domain) ? null : found,
      pages,
      attempts: visitor.attempts,
      certificates: visitor.listCertificates(new Set([registrableDomain(domain), found])),
      startedAt,
      finishedAt: world.clock.now(),
    }
  } finally {
    leave?.()
    await session.close()
  }
}

/** With more, and for more than this share of its time, a site that answered may have looked as if it had not. */
const LAG_MS_MAX = 1_000
const LAG_SHARE_MAX = 0.2
const TIME_OUTCOMES = new Set(['timeout', 'name_timeout', 'out_of_time'])

function isStalled(lagMs: number, tookMs: number): boolean {
  return lagMs > Math.max(LAG_MS_MAX, tookMs * LAG_SHARE_MAX)
}

function wasOutOfTime(visitor: SiteVisitor, allowance: Allowance): boolean {
  return allowance.remainingMs() === 0 || visitor.attempts.some(({ outcome }) => TIME_OUTCOMES.has(outcome))
}

async function findAddress(visitor: SiteVisitor, domain: string): Promise<string | null> {
  const found = await Promise.all([domain, `www.${domain}`].map((host) => visitor.resolve(host)))
  for (const addresses of found) if (Array.isArray(addresses)) return addresses[0] ?? null
  return null
}
