import type { Crawl, CrawledPage } from '../crawl/crawl.ts'

/** What a reader thread is asked for. Everything in it came from a stranger, and nothing in it is a secret. */
export type ReadingTask =
  | ({ kind: 'page'; body: ArrayBuffer } & PageAnswer)
  | { kind: 'robots'; body: ArrayBuffer; status: number }
  | { kind: 'sitemap'; body: ArrayBuffer }
  | { kind: 'extract'; site: Pick<Crawl, 'domain' | 'redirectedTo'>; pages: PackedPage[] }

/** What is said about the bytes of a page. */
export interface PageAnswer {
  url: string
  contentType: string | null
  headers: Record<string, string>
  /** The body went on beyond what was received. */
  isCut: boolean
}

/** A page whose document is still the text that a reader wrote. */
export type PackedPage = Omit<CrawledPage, 'document'> & { document: string }
