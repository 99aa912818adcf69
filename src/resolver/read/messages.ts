/** The messages between a worker and its reader threads: tasks, pages, findings and answers as plain data. */
import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { Crawl, CrawledPage, OpenedPage } from '../crawl/crawl.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { ForeignWords } from '../extract/foreign-words.ts'
import type { Passage } from '../extract/passages.ts'
import type { StructuredIdentity } from '../extract/structured-data.ts'
import type { Lookups, RegisterData } from '../match/register-view.ts'
import type { PageDocument } from '../page/document.ts'
import type { GivenAnswer } from '../second-reader/task.ts'

/** A task for a reader thread. All its data comes from untrusted sites; it holds no secrets. */
export type ReadingTask =
  | ({ kind: 'page'; body: ArrayBuffer } & PageResponse)
  | { kind: 'robots'; body: ArrayBuffer; status: number }
  | { kind: 'sitemap'; body: ArrayBuffer; home: string }
  | ({ kind: 'extract'; site: Pick<Crawl, 'domain' | 'redirectedTo'> } & PackedSite)
  | ({ kind: 'decide' | 'case' } & DecidableSite)
  | ({ kind: 'apply'; given: GivenAnswer } & DecidableSite)

/** Given to a thread at its start. */
export interface ReaderSettings {
  /** For measurements: the cues that this world taught are off. */
  withoutCuesOf?: string
}

/** A site with its findings and what the register has about them. */
export interface DecidableSite extends PackedSite {
  findings: SharedArrayBuffer
  register: RegisterData
}

interface PackedSite {
  pages: ClosedPage[]
  certificates: CertificateIdentity[]
}

/** The facts that the worker needs before a site is decided. */
export interface Extract {
  /** The words that show there is no site yet. */
  placeholder: string | null
  hasNumbers: boolean
  lookups: Lookups
  /** Only reader threads open them. */
  findings: SharedArrayBuffer
}

/** The result of reading a page. */
export interface PageRead {
  isChallenge: boolean
  content: Pick<CrawledPage, 'sha256' | 'outline' | 'document'>
}

/** A page's response without its body. */
export interface PageResponse {
  url: string
  /** The address of the home page; null if this is the home page. */
  home: string | null
  contentType: string | null
  headers: Record<string, string>
  /** The body was longer than what was received. */
  isCut: boolean
}

/** A page on its way to a reader thread. */
type ClosedPage = Omit<CrawledPage, 'outline'>

export const openPage = ({ document, ...page }: ClosedPage): OpenedPage => ({
  ...page,
  document: unpack(document) as PageDocument,
})

/** Writes JSON into memory that all threads share: the worker's own thread neither copies nor parses it. */
export function pack(value: unknown): SharedArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(value))
  const shared = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(shared).set(bytes)
  return shared
}

const unpack = (shared: SharedArrayBuffer): unknown => JSON.parse(Buffer.from(shared).toString('utf8'))

/** Findings with page indexes in place of the pages. */
interface PackedFindings extends Pick<SiteFindings, 'identity' | 'kind' | 'ties'> {
  passages: Array<Omit<Passage, 'page' | 'pages'> & { page: number; pages: number[] }>
  structured: Array<Omit<StructuredIdentity, 'page'> & { page: number }>
  foreignWords: Array<Omit<ForeignWords, 'page'> & { page: number }>
  postcodes: string[]
}

export function packFindings(findings: SiteFindings, pages: readonly OpenedPage[]): SharedArrayBuffer {
  const indexes = new Map(pages.map((page, index) => [page, index]))
  const indexOf = (page: OpenedPage) => indexes.get(page) ?? 0
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
  return pack(packed)
}

export function unpackFindings(
  shared: SharedArrayBuffer,
  pages: readonly OpenedPage[],
  certificates: CertificateIdentity[],
): SiteFindings {
  const packed = unpack(shared) as PackedFindings
  const pageAt = (index: number): OpenedPage => {
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
