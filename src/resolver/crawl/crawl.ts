import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { PageDocument } from '../page/document.ts'
import type { PageKind } from './link-promise.ts'
import type { PageOutline } from './outline.ts'

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

/** A page that a crawl read. Only reader threads open its document; the worker's own thread has the outline. */
export interface CrawledPage extends PageSource {
  outline: PageOutline
  /** JSON in UTF-8, in memory that all threads share: a long page costs nothing to hand over. */
  document: SharedArrayBuffer
}

/** A page as reader threads have it. */
export interface OpenedPage extends PageSource {
  document: PageDocument
}

interface PageSource {
  url: string
  status: number
  fetchedAt: Date
  /** Hash of the body, after its transfer encoding is decoded. */
  sha256: string
  bytes: number
  kind: PageKind
}

export interface CrawlAttempt {
  url: string
  /** The status, or the kind of its `Trouble`: `robots`, `challenge`, `timeout`… */
  outcome: string
  milliseconds: number
}
