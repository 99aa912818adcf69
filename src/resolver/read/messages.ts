/** The messages between a worker and its reader threads: tasks, pages, findings and answers as plain data. */
import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { Crawl, CrawledPage } from '../crawl/crawl.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { ForeignWords } from '../extract/foreign-words.ts'
import type { Passage } from '../extract/passages.ts'
import type { StructuredIdentity } from '../extract/structured-data.ts'
import type { Lookups, RegisterData } from '../match/register-view.ts'
import type { Resolution } from '../resolution.ts'

/** A task for a reader thread. All its data comes from untrusted sites; it holds no secrets. */
export type ReadingTask =
  | ({ kind: 'page'; body: ArrayBuffer } & PageResponse)
  | { kind: 'robots'; body: ArrayBuffer; status: number }
  | { kind: 'sitemap'; body: ArrayBuffer }
  | ({ kind: 'extract'; site: Pick<Crawl, 'domain' | 'redirectedTo'> } & PackedSite)
  | ({ kind: 'decide'; findings: string; register: RegisterData } & PackedSite)

/** Given to a thread at its start. */
export interface ReaderSettings {
  /** For measurements: the cues that this world taught are off. */
  withoutCuesOf?: string
}

interface PackedSite {
  pages: PackedPage[]
  certificates: CertificateIdentity[]
}

/** The facts that the worker needs before a site is decided; the findings themselves stay text. */
export interface Extract {
  /** The words that show there is no site yet. */
  placeholder: string | null
  hasNumbers: boolean
  lookups: Lookups
}

/** The answer of a site that was read, without the crawl. */
export type Decision = Omit<Resolution, 'domain' | 'crawl' | 'resolvedAt'>

/** A page's response without its body. */
export interface PageResponse {
  url: string
  contentType: string | null
  headers: Record<string, string>
  /** The body was longer than what was received. */
  isCut: boolean
}

/** A page with its document as JSON, as the thread wrote it. */
export type PackedPage = Omit<CrawledPage, 'document'> & { document: string }

/** Findings with page indexes in place of the pages. */
interface PackedFindings extends Pick<SiteFindings, 'identity' | 'kind' | 'ties'> {
  passages: Array<Omit<Passage, 'page' | 'pages'> & { page: number; pages: number[] }>
  structured: Array<Omit<StructuredIdentity, 'page'> & { page: number }>
  foreignWords: Array<Omit<ForeignWords, 'page'> & { page: number }>
  postcodes: string[]
}

export function packFindings(findings: SiteFindings, pages: readonly CrawledPage[]): string {
  const indexes = new Map(pages.map((page, index) => [page, index]))
  const indexOf = (page: CrawledPage) => indexes.get(page) ?? 0
  const packed: PackedFindings = {
    identity: findings.identity,
    kind: findings.kind,
    ties: findings.ties,
    passages: findings.passages.map((passage) => ({
      ...passage,
      page: indexOf(passage.page),
      pages: passage.pages.map(indexOf),
    })),
    structured: findings.structured.map((item) => ({ ...item, page: indexOf(item.page) })),
    foreignWords: findings.foreignWords.map((item) => ({ ...item, page: indexOf(item.page) })),
    postcodes: [...findings.postcodes],
  }
  return JSON.stringify(packed)
}

export function unpackFindings(
  text: string,
  pages: readonly CrawledPage[],
  certificates: CertificateIdentity[],
): SiteFindings {
  const packed = JSON.parse(text) as PackedFindings
  const pageAt = (index: number): CrawledPage => {
    const page = pages[index]
    if (!page) throw new Error('findings refer to a page that was not read')
    return page
  }
  return {
    identity: packed.identity,
    kind: packed.kind,
    ties: packed.ties,
    passages: packed.passages.map((passage) => ({
      ...passage,
      page: pageAt(passage.page),
      pages: passage.pages.map(pageAt),
    })),
    structured: packed.structured.map((item) => ({ ...item, page: pageAt(item.page) })),
    foreignWords: packed.foreignWords.map((item) => ({ ...item, page: pageAt(item.page) })),
    certificates,
    pages,
    postcodes: new Set(packed.postcodes),
  }
}
