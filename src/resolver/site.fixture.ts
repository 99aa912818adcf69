import type { OpenedPage } from './crawl/crawl.ts'
import type { PageKind } from './crawl/link-promise.ts'
import { extractFindings, type SiteFindings } from './extract/findings.ts'
import { readPage } from './page/read-page.ts'

/** What a site of these pages says, without crawling it. */
export function fixtureSite(domain: string, pages: Record<string, string>): SiteFindings {
  const crawled = Object.entries(pages).map(([path, html]): OpenedPage => {
    const url = `https://${domain}${path}`
    const document = readPage(Buffer.from(html), { url, contentType: 'text/html; charset=utf-8' })
    return {
      url,
      status: 200,
      fetchedAt: new Date(0),
      sha256: '0'.repeat(64),
      bytes: html.length,
      kind: kindOf(path),
      document,
    }
  })
  return extractFindings({ domain, redirectedTo: null, pages: crawled, certificates: [] })
}

function kindOf(path: string): PageKind {
  if (path === '/') return 'home'
  const kinds: PageKind[] = ['legal', 'privacy', 'terms', 'about', 'contact', 'cookies']
  return kinds.find((kind) => path.includes(kind)) ?? 'other'
}
