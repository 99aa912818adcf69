/** A site that attacks the crawler gets an outcome like any other: soon, and without harm to other crawls. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SimulatedSite } from '../rig/web/index.ts'
import type { Crawl } from '../src/resolver/crawl/crawl.ts'
import { openReaderThreads } from '../src/resolver/read/reader-threads.ts'
import { SiteReader } from '../src/resolver/read/site-reader.ts'
import { useCrawler } from './setup/crawler.ts'

const it = useCrawler()

/** Returns the crawl, and the longest stall of this process. */
async function crawl(site: SimulatedSite, reader?: SiteReader): Promise<{ found: Crawl; stallMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const found = await it.crawl(it.publish(site), {}, reader ? { reader } : {})
  delay.disable()
  return { found, stallMs: delay.max / 1e6 }
}

/** Enough for a busy machine. Without the bounds, these sites stalled the process for 1 to 45 seconds. */
const STALL_MS_MAX = 900

const TEXT = 'We have made and mended clocks for churches and town halls since 1870. '.repeat(5)
const home = `<!doctype html><title>Acme</title><main><p>${TEXT}</p></main>`
const agents = (count: number) =>
  Array.from({ length: count }, (_, index) => `User-agent: b${index}\n`).join('') + 'User-agent: *\n'
const wildcards = `User-agent: *\nDisallow: /${'*'.repeat(99_900)}b`
const longPath = `/${'a'.repeat(15_000)}`

describe('a robots.txt', () => {
  test('of thousands of agents and rules neither stops the process nor keeps the site from being read', async () => {
    const rules = `${agents(18_000)}${'Disallow: /a\n'.repeat(14_000)}`
    const { found, stallMs } = await crawl({ pages: { '/robots.txt': rules, '/': home } })
    expect(found).toMatchObject({ outcome: 'read' })
    expect(stallMs).toBeLessThan(STALL_MS_MAX)
  })
})

describe('an address of 15,000 characters', () => {
  test('is not followed as a redirect, and does not stop the process', async () => {
    const { found, stallMs } = await crawl({
      pages: { '/robots.txt': wildcards },
      responses: { '/': { status: 302, headers: { location: longPath } } },
    })
    expect(found).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('too long') })
    expect(Math.max(...found.attempts.map(({ url }) => url.length))).toBeLessThanOrEqual(2_048)
    expect(stallMs).toBeLessThan(STALL_MS_MAX)
  })

  test('is not followed as a refresh', async () => {
    const refresh = `<meta http-equiv="refresh" content="0; url=${longPath}">`
    const { found } = await crawl({ pages: { '/robots.txt': wildcards, '/': refresh + home } })
    expect(found).toMatchObject({ outcome: 'read' })
    expect(found.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/'])
  })

  test('is not followed to rules', async () => {
    const { found } = await crawl({
      pages: { '/': home },
      responses: { '/robots.txt': { status: 302, headers: { location: longPath } } },
    })
    expect(found).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('too long') })
  })
})

describe('a page that ends the thread that reads it', () => {
  const slow = '<table><tr><td>x'.repeat(100_000)

  test('by its processor time is a site that cannot be read, and the next site is read', async () => {
    const own = openReaderThreads({ threads: 1, cpuMsMax: 1 })
    const { found } = await crawl({ pages: { '/': slow } }, new SiteReader(own))
    expect(found).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('time or memory') })
    expect(found.attempts.at(-1)?.outcome).toBe('unreadable')
    await own.close()
    expect((await crawl({ pages: { '/': home } })).found.outcome).toBe('read')
  })

  test('by its memory is a site that cannot be read, and the process lives', async () => {
    const own = openReaderThreads({ threads: 1, heapMbMax: 8 })
    const { found } = await crawl({ pages: { '/': '<p>1234 Ltd '.repeat(160_000) } }, new SiteReader(own))
    expect(found).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('time or memory') })
    await own.close()
  })
})

test('a site that timed out while this process stalled is not reported as unreadable: the crawl fails instead', async () => {
  const found = it.crawlOnce(it.publish({ pages: { '/': home }, http: 'hang', https: 'hang' }))
  const failed = expect(found).rejects.toThrow('stalled')
  await sleep(300)
  const until = performance.now() + 5_000
  while (performance.now() < until);
  await failed
})
