/** The documentation: every page, the same in Markdown, no link that leads nowhere, and a page behind every error. */
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../src/entry/http/errors.ts'
import { renderMarkdown } from '../src/entry/site/docs/markdown.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService()

const linksIn = (markup: string) => [...markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '')

/** Every page that can be reached from the first, following links within the site. */
async function walk(): Promise<Map<string, string>> {
  const [seen, left] = [new Map<string, string>(), ['/docs']]
  for (let path = left.pop(); path !== undefined && seen.size < 500; path = left.pop()) {
    if (seen.has(path)) continue
    const { status, text } = await it.visit('GET', path)
    expect([path, [200, 301].includes(status)]).toEqual([path, true])
    seen.set(path, text)
    if (path.startsWith('/docs')) {
      left.push(...linksIn(text).flatMap((href) => pathOf(href, path)))
    }
  }
  return seen
}

function pathOf(href: string, from: string): string[] {
  const url = new URL(href, new URL(from, it.config.siteUrl))
  return url.host === it.config.siteUrl.host ? [url.pathname] : []
}

test('no link of any page leads nowhere, nor to a heading that is not there', async () => {
  const pages = await walk()
  expect(pages.size).toBeGreaterThan(30)
  const missing = [...pages].flatMap(([path, text]) =>
    linksIn(text)
      .map((href) => new URL(href, new URL(path, it.config.siteUrl)))
      .filter(({ hash, pathname }) => hash !== '' && pages.get(pathname)?.includes(`id="${hash.slice(1)}"`) === false)
      .map(({ href }) => `${path}: ${href}`),
  )
  expect(missing).toEqual([])
})

test('every page is there in Markdown too, with this deployment’s addresses, and llms.txt lists them', async () => {
  const list = await it.visit('GET', '/llms.txt')
  const addresses = [...list.text.matchAll(/\((http[^)]+\.md)\)/g)].map(([, address]) => new URL(address ?? ''))
  expect(addresses.length).toBeGreaterThan(10)
  for (const { pathname } of addresses) {
    const { status, headers, text } = await it.visit('GET', pathname)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).not.toContain('example.com/v1')
    expect(text).toMatch(/^# /)
  }
  expect((await it.visit('GET', '/docs/quickstart.md')).text).toContain(`${it.config.baseUrl.origin}/v1/resolve/domain`)
})

test.each(Object.keys(ERRORS))('the type of %s is the address of a page that says what to do', async (code) => {
  const { status, text } = await it.visit('GET', `/docs/errors/${code}`)
  expect(status).toBe(200)
  expect(text).toContain('What to do')
})

test('a page that is not there says which ones are', async () => {
  const { status, text } = await it.visit('GET', '/docs/nothing')
  expect(status).toBe(404)
  expect(linksIn(text)).toContain('/docs/quickstart')
})

describe('Markdown', () => {
  test.each([
    ['[Bulk](bulk.md#limits)', '<p><a href="/docs/bulk#limits">Bulk</a></p>\n'],
    ['[Worlds](../worlds/README.md)', '<p><span>Worlds</span></p>\n'],
    [
      '## What it costs',
      '<h2 id="what-it-costs">What it costs<a class="anchor" href="#what-it-costs" tabindex="-1" aria-hidden="true">#</a></h2>\n',
    ],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>\n'],
  ])('%s', (text, markup) => {
    expect(renderMarkdown(text).markup).toBe(markup)
  })
})
