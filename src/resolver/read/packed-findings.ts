import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { CrawledPage } from '../crawl/crawl.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { ForeignWords } from '../extract/foreign-words.ts'
import type { Passage } from '../extract/passages.ts'
import type { StructuredIdentity } from '../extract/structured-data.ts'

/** Findings as text: pages are named by their place in the list. */
interface PackedFindings extends Pick<SiteFindings, 'identity' | 'kind' | 'ties'> {
  passages: Array<Omit<Passage, 'page' | 'pages'> & { page: number; pages: number[] }>
  structured: Array<Omit<StructuredIdentity, 'page'> & { page: number }>
  foreignWords: Array<Omit<ForeignWords, 'page'> & { page: number }>
  postcodes: string[]
}

export function packFindings(findings: SiteFindings, pages: readonly CrawledPage[]): string {
  const places = new Map(pages.map((page, place) => [page, place]))
  const placeOf = (page: CrawledPage) => places.get(page) ?? 0
  const packed: PackedFindings = {
    identity: findings.identity,
    kind: findings.kind,
    ties: findings.ties,
    passages: findings.passages.map((passage) => ({
      ...passage,
      page: placeOf(passage.page),
      pages: passage.pages.map(placeOf),
    })),
    structured: findings.structured.map((item) => ({ ...item, page: placeOf(item.page) })),
    foreignWords: findings.foreignWords.map((item) => ({ ...item, page: placeOf(item.page) })),
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
  const pageAt = (place: number): CrawledPage => {
    const page = pages[place]
    if (!page) throw new Error('findings name a page that was not read')
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
