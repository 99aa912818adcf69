import type { Clock } from '../../lib/clock.ts'
import type { LoopLag } from '../../lib/loop-lag.ts'
import type { GuardedClient } from '../../lib/web/guarded-client.ts'
import type { Pace } from '../../lib/web/pace.ts'
import type { SiteReader } from '../read/site-reader.ts'
import { Allowance } from './allowance.ts'
import type { Crawl, CrawledPage } from './crawl.ts'
import { classifyPages, explainTrouble } from './crawl-outcome.ts'
import { explore } from './explore.ts'
import { findHome } from './home-page.ts'
import type { KeptPages } from './kept-pages.ts'
import { registrableDomain } from './page-address.ts'
import { SiteVisitor } from './visitor.ts'

const TIME_MS = 20_000
const BYTES = 10_000_000
// Longest wait for a slot among the crawls of one IP address.
const ADDRESS_SLOT_WAIT_MS = 10_000

export interface CrawlOptions {
  /** Called after every new page with all pages so far; true ends the crawl. */
  isProofComplete: (pages: CrawledPage[]) => boolean | Promise<boolean>
  /** Called when no link is left to follow: whether to try the sitemap and well-known paths. Default: yes. */
  isGuessingNeeded?: (pages: CrawledPage[]) => boolean | Promise<boolean>
  onPage?: (page: CrawledPage) => void
  /** Default: 20 seconds. */
  timeMs?: number
}

/** Thrown when this process stalled during a crawl: a timeout may then not be the site's fault. */
export class ProcessStalled extends Error {
  constructor(domain: string) {
    super(`this process stalled while it read ${domain}: a timeout may not be the site's fault`)
    this.name = 'ProcessStalled'
  }
}

/**
 * Reads the pages of a site that may say who runs it. Bounded to 20 seconds, 10 pages, 6 guesses and 10 MB, whatever the
 * site does. A site that cannot be read is an outcome, not an error. Throws `ProcessStalled` when this process was too slow.
 */
export async function crawlSite(
  app: { web: GuardedClient; pace: Pace; clock: Clock; loopLag: LoopLag; reader: SiteReader; keptPages?: KeptPages },
  domain: string,
  options: CrawlOptions,
): Promise<Crawl> {
  const startedAt = app.clock.now()
  const allowance = new Allowance({ timeMs: options.timeMs ?? TIME_MS, bytes: BYTES })
  const session = app.web.openSession()
  const { pace, clock, reader, keptPages } = app
  const visitor = new SiteVisitor({ session, pace, clock, allowance, reader, keptPages })
  const lagBeforeMs = app.loopLag.readMs()
  const startedAtMs = performance.now()
  const pages: CrawledPage[] = []
  let leave: (() => void) | null = null
  try {
    const address = await findAddress(visitor, domain)
    leave = address === null ? () => {} : await app.pace.enterAddress(address, ADDRESS_SLOT_WAIT_MS)
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
    if (
      hasTimedOut(visitor, allowance) &&
      hasStalled(app.loopLag.readMs() - lagBeforeMs, performance.now() - startedAtMs)
    ) {
      throw new ProcessStalled(domain)
    }
    const homeDomain = home ? registrableDomain(home.url.hostname) : domain
    const trouble = home?.kind === 'none' ? home.trouble : ({ kind: 'busy' } as const)
    const end = pages.length > 0 ? classifyPages(pages) : explainTrouble(trouble)
    return {
      domain,
      ...end,
      redirectedTo: homeDomain === registrableDomain(domain) ? null : homeDomain,
      pages,
      attempts: visitor.attempts,
      certificates: visitor.listCertificates(new Set([registrableDomain(domain), homeDomain])),
      startedAt,
      finishedAt: app.clock.now(),
    }
  } finally {
    leave?.()
    await session.close()
  }
}

/** With more lag than both of these, our own process may be the reason for a timeout. */
const LAG_MS_MAX = 1_000
const LAG_SHARE_MAX = 0.2
const TIMEOUT_OUTCOMES = new Set(['timeout', 'name_timeout', 'out_of_time'])

function hasStalled(lagMs: number, tookMs: number): boolean {
  return lagMs > Math.max(LAG_MS_MAX, tookMs * LAG_SHARE_MAX)
}

function hasTimedOut(visitor: SiteVisitor, allowance: Allowance): boolean {
  return allowance.remainingMs() === 0 || visitor.attempts.some(({ outcome }) => TIMEOUT_OUTCOMES.has(outcome))
}

async function findAddress(visitor: SiteVisitor, domain: string): Promise<string | null> {
  const results = await Promise.all([domain, `www.${domain}`].map((host) => visitor.resolve(host)))
  for (const addresses of results) if (Array.isArray(addresses)) return addresses[0] ?? null
  return null
}
