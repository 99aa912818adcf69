import type { App } from '../app.ts'
import { Pace } from '../lib/web/pace.ts'
import type { Crawl, CrawledPage } from './crawl/crawl.ts'
import { crawlSite } from './crawl/crawl-site.ts'
import { matchSite } from './match/match-site.ts'
import { present } from './match/present.ts'
import { viewRegister } from './match/register-view.ts'
import { PRIOR, WEIGHTS_VERSION } from './match/weights.ts'
import { siteReader, Unreadable } from './read/site-reader.ts'
import type { Resolution } from './resolution.ts'
import { sharedKindOf } from './shared-domains.ts'

/** Told how far a resolution is, as it goes. */
export interface DomainWatcher {
  onPage?(page: { url: string; status: number }): void
  /** Nothing more is fetched. */
  onDeciding?(): void
}

/** Reads the site of a registrable domain and says which UK company runs it. Takes up to 20 seconds. */
export async function resolveDomain(app: App, domain: string, watcher: DomainWatcher = {}): Promise<Resolution> {
  const crawl = await crawlSite({ web: app.web, pace: Pace.of(app.limiter), clock: app.clock }, domain, {
    isProofComplete: (pages) => orUnreadable(isProofComplete(app, domain, pages)),
    isGuessingNeeded: async (pages) => !(await orUnreadable(isMatched(app, domain, pages))),
    onPage: (page) => watcher.onPage?.(page),
  })
  watcher.onDeciding?.()
  const answer = leadsToSharedDomain(crawl) ?? (await judgeReadable(app, crawl))
  return {
    domain,
    ...answer,
    crawl: {
      finding: crawl.finding,
      reason: crawl.reason,
      redirectedTo: crawl.redirectedTo,
      pages: crawl.pages.map(({ url, status, fetchedAt, sha256 }) => ({ url, status, fetchedAt, sha256 })),
      attempts: crawl.attempts,
    },
    resolvedAt: crawl.finishedAt,
  }
}

/** A domain that leads to a profile or shop on somebody's platform has no site of its own to prove anything. */
function leadsToSharedDomain({ redirectedTo }: Crawl): Answer | null {
  const kind = redirectedTo === null ? null : sharedKindOf(redirectedTo)
  if (kind === null) return null
  return {
    ...NO_ANSWER,
    outcome: 'no_match',
    situation: 'nobody',
    reason: `The domain leads to ${redirectedTo}, a ${kind}.`,
  }
}

async function judgeReadable(app: App, crawl: Crawl): Promise<Answer> {
  try {
    return (await isReadable(crawl)) ? await judge(app, crawl) : unread(crawl)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return unread({ reason: 'The pages take more time or memory to read than we allow.' })
  }
}

/** Hardly any text is enough when it prints a company's number, or says that nobody has put a site there. */
async function isReadable(crawl: Crawl): Promise<boolean> {
  if (crawl.finding !== 'thin') return crawl.finding === 'read'
  const { kind, passages } = await siteReader().extractFindings(crawl)
  return kind.placeholder !== null || passages.some(({ numbers }) => numbers.length > 0)
}

type Answer = Omit<Resolution, 'domain' | 'crawl' | 'resolvedAt'>

async function judge(
  app: App,
  crawl: Pick<Crawl, 'domain' | 'redirectedTo' | 'pages' | 'certificates'>,
): Promise<Answer> {
  const findings = await siteReader().extractFindings(crawl)
  const { verdict, site } = matchSite(findings, await viewRegister(app.db, findings))
  return present(verdict, site)
}

/** A site that cannot be read says nothing, neither for a company nor against one. */
function unread({ reason }: Pick<Crawl, 'reason'>): Answer {
  const why = reason.charAt(0).toLowerCase() + reason.slice(1)
  return { ...NO_ANSWER, outcome: 'scrape_failed', situation: 'unread', reason: `The site could not be read: ${why}` }
}

const NO_ANSWER = {
  confidence: null,
  company: null,
  claim: null,
  evidence: [],
  explanation: { prior: PRIOR, features: [], total: PRIOR, runnerUp: null, margin: null, version: WEIGHTS_VERSION },
  candidates: [],
  placeholder: null,
  considered: [],
}

const SMALL_PRINT = new Set(['legal', 'terms', 'privacy'])
const TELLING = new Set([...SMALL_PRINT, 'contact', 'about'])
/** Of the pages that may contradict, so many kinds are read before a match is believed. */
const KINDS_MIN = 3

/** One company proven, and pages that would name another read too; or nobody's site at all. */
async function isProofComplete(app: App, domain: string, pages: CrawledPage[]): Promise<boolean> {
  const [home] = pages
  if (pages.length === 1 && home) return isPlaceholder(domain, home)
  const kinds = new Set(pages.map(({ kind }) => kind).filter((kind) => TELLING.has(kind)))
  if (kinds.size < KINDS_MIN || ![...kinds].some((kind) => SMALL_PRINT.has(kind))) return false
  return isMatched(app, domain, pages)
}

async function isMatched(app: App, domain: string, pages: CrawledPage[]): Promise<boolean> {
  const { outcome } = await judge(app, { domain, redirectedTo: null, pages, certificates: [] })
  return outcome === 'matched'
}

async function isPlaceholder(domain: string, home: CrawledPage): Promise<boolean> {
  const site = { domain, redirectedTo: null, pages: [home], certificates: [] }
  return (await siteReader().extractFindings(site)).kind.placeholder !== null
}

/** Where what was read so far cannot be judged, another page makes it no better. */
async function orUnreadable(judging: Promise<boolean>): Promise<boolean> {
  try {
    return await judging
  } catch (error) {
    if (error instanceof Unreadable) return true
    throw error
  }
}
