import { describe, expect, test } from 'vitest'
import { Frontier, toCrawlDelay } from './explore.ts'
import type { CandidatePage } from './link-promise.ts'
import { isSoftNotFound, listWellKnownPages, parseSitemap } from './page-sources.ts'

const home = new URL('https://acme.co.uk/')
const link = (path: string) => ({ href: new URL(path, home).href, text: '', region: 'main' as const })
const candidate = (path: string, kind: CandidatePage['kind'], score: number): CandidatePage => ({
  url: new URL(path, home),
  kind,
  score,
})

describe('a sitemap', () => {
  test('gives its pages, the first two hundred of them', () => {
    const urls = Array.from(
      { length: 500 },
      (_, index) => `<url><loc> https://acme.co.uk/p${index}?a&amp;b </loc></url>`,
    )
    const links = parseSitemap(`<?xml version="1.0"?><urlset>${urls.join('')}</urlset>`)
    expect(links).toHaveLength(200)
    expect(links[0]?.href).toBe('https://acme.co.uk/p0?a&b')
  })

  test('of sitemaps, or that is something else, gives none', () => {
    expect(parseSitemap('<sitemapindex><sitemap><loc>https://acme.co.uk/a.xml</loc></sitemap></sitemapindex>')).toEqual(
      [],
    )
    expect(parseSitemap('<html><body>Not here</body></html>')).toEqual([])
  })
})

describe('guesses', () => {
  test('try one page of each kind before other spellings', () => {
    const kinds = listWellKnownPages(home, []).map(({ kind }) => kind)
    expect(new Set(kinds.slice(0, 5)).size).toBe(5)
  })

  test('know where a shop system keeps its policies', () => {
    expect(listWellKnownPages(home, [link('/collections/all')])[0]?.url.pathname).toBe('/policies/privacy-policy')
  })

  test("keep the site's file endings", () => {
    const [first] = listWellKnownPages(home, [link('/services.html'), link('/team.html'), link('/')])
    expect(first?.url.pathname).toBe('/privacy-policy.html')
  })

  test('are not fooled by a friendly "not found"', () => {
    expect(isSoftNotFound({ title: 'Acme: Page not found', blocks: [] })).toBe(true)
    expect(isSoftNotFound({ title: 'Privacy policy', blocks: [] })).toBe(false)
  })
})

describe('the frontier', () => {
  test('gives each address once, and lets no kind crowd out the rest', () => {
    const frontier = new Frontier()
    frontier.add([
      candidate('/terms-1', 'terms', 80),
      candidate('/terms-2', 'terms', 80),
      candidate('/privacy', 'privacy', 70),
      candidate('/privacy/', 'privacy', 60),
      candidate('/seen', 'legal', 100),
    ])
    frontier.markSeen(new URL('/seen/', home))
    const taken = [frontier.take(), frontier.take(), frontier.take(), frontier.take()]
    expect(taken.map((page) => page?.url.pathname)).toEqual(['/terms-1', '/privacy', '/terms-2', undefined])
    frontier.add([candidate('/terms-1', 'terms', 80)])
    expect(frontier.take()).toBeNull()
  })
})

test.each([
  [0, { waitMs: 0, pagesMax: 10 }],
  [1.5, { waitMs: 1_500, pagesMax: 10 }],
  [5, { waitMs: 2_000, pagesMax: 4 }],
  [10, { waitMs: 2_000, pagesMax: 2 }],
  [30, { waitMs: 2_000, pagesMax: 1 }],
])('a crawl delay of %d seconds is kept, or paid for with fewer pages', (seconds, expected) => {
  expect(toCrawlDelay(seconds)).toEqual(expected)
})
