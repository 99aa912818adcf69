import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { PageDocument } from '../page/document.ts'

/** What was found of a web site: its pages, and why there are no more of them. */
export interface Crawl {
  /** The registrable domain asked for. */
  domain: string
  /**
   * `read`: pages with text. `thin`: pages, but hardly any text (a script shell, an empty page): insufficient, not absent.
   * `blocked`: the site refused us (401, 403, 429, a challenge page, robots.txt). `failed`: it answered with errors, or
   * not at all.
   */
  finding: 'read' | 'thin' | 'blocked' | 'failed'
  /** One sentence for a person, such as "The name does not resolve." Empty when pages were read. */
  reason: string
  /** The registrable domain the site redirected to, when it is another one. */
  redirectedTo: string | null
  pages: CrawledPage[]
  /** Everything that was tried, in order. */
  attempts: Attempt[]
  /** Of the site's own hosts, where they answered with TLS. */
  certificates: CertificateIdentity[]
  startedAt: Date
  finishedAt: Date
}

export interface CrawledPage {
  url: string
  status: number
  fetchedAt: Date
  /** Of the body as received and decoded from its transfer encoding. */
  sha256: string
  bytes: number
  kind: PageKind
  document: PageDocument
}

/** Why a page was asked for: what its link or path promises. */
export type PageKind = 'home' | 'legal' | 'privacy' | 'terms' | 'about' | 'contact' | 'cookies' | 'other'

export interface Attempt {
  url: string
  /** A status, or the reason of a `GuardError`, or what else was in the way: `robots`, `challenge`, `not_html`, `busy`… */
  outcome: string
  milliseconds: number
}
