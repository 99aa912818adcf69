import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { PageDocument } from '../page/document.ts'

/** The pages that were read of a web site, and how the crawl ended. */
export interface Crawl {
  /** The registrable domain that was requested. */
  domain: string
  outcome: CrawlOutcome
  /** One sentence for a person, such as "The name does not resolve." Empty when pages were read. */
  reason: string
  /** The registrable domain that the site redirects to, if it is another one. */
  redirectedTo: string | null
  pages: CrawledPage[]
  /** All requests, in order. */
  attempts: CrawlAttempt[]
  /** The certificates of the site's own hosts. */
  certificates: CertificateIdentity[]
  startedAt: Date
  finishedAt: Date
}

/**
 * How a crawl ended. `read`: pages with text. `thin`: pages with hardly any text (drawn by scripts, or empty), so nothing can
 * be concluded from what they do not say. `blocked`: the site refused us (401, 403, 429, a challenge page, robots.txt).
 * `failed`: errors, or no response.
 */
export type CrawlOutcome = 'read' | 'thin' | 'blocked' | 'failed'

export interface CrawledPage {
  url: string
  status: number
  fetchedAt: Date
  /** Hash of the body, after its transfer encoding is decoded. */
  sha256: string
  bytes: number
  kind: PageKind
  document: PageDocument
}

/** The expected content of a page, by its link or path. */
export type PageKind = 'home' | 'legal' | 'privacy' | 'terms' | 'about' | 'contact' | 'cookies' | 'other'

export interface CrawlAttempt {
  url: string
  /** The status, or the kind of its `Trouble`: `robots`, `challenge`, `timeout`… */
  outcome: string
  milliseconds: number
}
