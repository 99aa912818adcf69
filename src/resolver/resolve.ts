import type { App } from '../app.ts'
import type { Crawl, CrawledPage } from './crawl/crawl.ts'
import { crawlSite } from './crawl/crawl-site.ts'
import { KeptPages } from './crawl/kept-pages.ts'
import { sharedKindOf } from './domain/registrable.ts'
import { readRegister } from './match/read-register.ts'
import { PRIOR, WEIGHTS_VERSION } from './match/weigh.ts'
import { compareWithOriginal } from './read/original-site.ts'
import { SiteReader, Unreadable } from './read/site-reader.ts'
import type { Decision, Resolution } from './resolution.ts'
import { consult, isSecondReaderDue, type SecondReader } from './second-reader/consult.ts'

/** Receives the progress of a resolution. */
export interface DomainWatcher {
  onPage?(page: { url: string; status: number }): void
  /** No more pages will be requested. */
  onDeciding?(): void
}

interface WithReader {
  secondReader?: SecondReader | null
}

/** Reads the site of a registrable domain and decides which UK company runs it. Takes up to 24 seconds. */
export async function resolveDomain(
  app: App & WithReader,
  domain: string,
  watcher: DomainWatcher = {},
): Promise<Resolution> {
  const keptPages = app.config.pageArchive.keepsIn === 'off' ? undefined : new KeptPages()
  const reading = { ...app, reader: new SiteReader(app.readerThreads), ...(keptPages ? { keptPages } : {}) }
  const crawl = await crawlSite(reading, domain, {
    isProofComplete: (pages) => trueIfUnreadable(isProofComplete(reading, domain, pages)),
    isGuessingNeeded: async (pages) => !(await trueIfUnreadable(isMatched(reading, domain, pages))),
    onPage: (page) => watcher.onPage?.(page),
  })
  watcher.onDeciding?.()
  const decision = decideSharedDomain(crawl) ?? (await decideOrUnread(reading, crawl))
  const answer = await compareWithOriginal(reading, decision, ORIGINAL_MS)
  const ruled = answer.ruled && (await compareWithOriginal(reading, answer.ruled, ORIGINAL_MS))
  return {
    domain,
    ...answer,
    ruled,
    isSecondReaderDue: isLeftOut(app) && isSecondReaderDue(decision, app.config.secondReader),
    crawl: {
      finding: crawl.outcome,
      reason: crawl.reason,
      redirectedTo: crawl.redirectedTo,
      pages: crawl.pages.map(({ url, status, fetchedAt, sha256 }) => ({ url, status, fetchedAt, sha256 })),
      attempts: crawl.attempts,
    },
    captures: (await keptPages?.capture(answer)) ?? [],
    resolvedAt: crawl.finishedAt,
  }
}

/** There is a second reader, and it was not asked: everyone who waits refuses it, or no one waits for a domain. */
const isLeftOut = (
  app: App & WithReader,
): app is App & WithReader & { config: { secondReader: NonNullable<App['config']['secondReader']> } } =>
  app.config.secondReader !== null && !app.secondReader

/** The time to read the page of another site that a match may have been copied from. */
const ORIGINAL_MS = 4_000

/** A decision needs the register, and the reader of the site. */
interface Reading {
  db: App['db']
  reader: SiteReader
}

/** Returns `no_match` if the domain redirects to a profile or shop on a platform: that proves nothing. */
function decideSharedDomain({ redirectedTo }: Crawl): Decision | null {
  const kind = redirectedTo === null ? null : sharedKindOf(redirectedTo)
  if (kind === null) return null
  return {
    ...NO_ANSWER,
    outcome: 'no_match',
    situation: 'nobody',
    reason: `The domain leads to ${redirectedTo}, a ${kind}.`,
  }
}

async function decideOrUnread(reading: Reading & WithReader, crawl: Crawl): Promise<Decision> {
  try {
    return (await isReadable(reading, crawl)) ? await decideFinally(reading, crawl) : toUnread(crawl)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return toUnread({ reason: 'The pages take more time or memory to read than we allow.' })
  }
}

/** Hardly any text is enough if it has a company number, or says that there is no site yet. */
async function isReadable({ reader }: Reading, crawl: Crawl): Promise<boolean> {
  if (crawl.outcome !== 'thin') return crawl.outcome === 'read'
  const { placeholder, hasNumbers } = await reader.extract(crawl)
  return placeholder !== null || hasNumbers
}

async function decide(
  { db, reader }: Reading,
  crawl: Pick<Crawl, 'domain' | 'redirectedTo' | 'pages' | 'certificates'>,
): Promise<Decision> {
  const extracted = await reader.extract(crawl)
  return reader.decide(extracted, await readRegister(db, extracted.lookups))
}

/** Decides a site that is read to its end; a second reader, if there is one, has its say. */
async function decideFinally(reading: Reading & WithReader, crawl: Crawl): Promise<Decision> {
  const extracted = await reading.reader.extract(crawl)
  const register = await readRegister(reading.db, extracted.lookups)
  const decision = await reading.reader.decide(extracted, register)
  const { reader, secondReader } = reading
  if (!secondReader) return decision
  return consult({ reader, secondReader }, { domain: crawl.domain, extracted, register, decision })
}

/** A site that could not be read is no evidence for or against a company. */
function toUnread({ reason }: Pick<Crawl, 'reason'>): Decision {
  const why = reason.charAt(0).toLowerCase() + reason.slice(1)
  return { ...NO_ANSWER, outcome: 'scrape_failed', situation: 'unread', reason: `The site could not be read: ${why}` }
}

const NO_ANSWER = {
  confidence: null,
  company: null,
  claim: null,
  evidence: [],
  explanation: {
    checklist: [],
    prior: PRIOR,
    features: [],
    total: PRIOR,
    runnerUp: null,
    margin: null,
    version: WEIGHTS_VERSION,
  },
  candidates: [],
  placeholder: null,
  considered: [],
  secondReading: null,
  ruled: null,
}

const LEGAL_KINDS = new Set(['legal', 'terms', 'privacy'])
const DISCLOSING_KINDS = new Set([...LEGAL_KINDS, 'contact', 'about'])
/** So many kinds of pages are read before a match is final: one of them may name another company. */
const KINDS_MIN = 3

/** True if one company is proven and pages that could name another are read, or if the home page is a placeholder. */
async function isProofComplete(reading: Reading, domain: string, pages: CrawledPage[]): Promise<boolean> {
  const [home] = pages
  if (pages.length === 1 && home) return isPlaceholder(reading, domain, home)
  const kinds = new Set(pages.map(({ kind }) => kind).filter((kind) => DISCLOSING_KINDS.has(kind)))
  if (kinds.size < KINDS_MIN || ![...kinds].some((kind) => LEGAL_KINDS.has(kind))) return false
  return isMatched(reading, domain, pages)
}

async function isMatched(reading: Reading, domain: string, pages: CrawledPage[]): Promise<boolean> {
  const { outcome } = await decide(reading, { domain, redirectedTo: null, pages, certificates: [] })
  return outcome === 'matched'
}

async function isPlaceholder({ reader }: Reading, domain: string, home: CrawledPage): Promise<boolean> {
  const site = { domain, redirectedTo: null, pages: [home], certificates: [] }
  return (await reader.extract(site)).placeholder !== null
}

/** Returns true if the pages so far cannot be read within our limits: more pages would not help. */
async function trueIfUnreadable(check: Promise<boolean>): Promise<boolean> {
  try {
    return await check
  } catch (error) {
    if (error instanceof Unreadable) return true
    throw error
  }
}
