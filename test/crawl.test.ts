/** A web site is read politely and within bounds, and every crawl ends with an outcome and a sentence that explains it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SimulatedSite } from '../rig/web/index.ts'
import { LeasedLimiter } from '../src/lib/limits/leased-limiter.ts'
import { Pace } from '../src/lib/web/pace.ts'
import type { Crawl } from '../src/resolver/crawl/crawl.ts'
import { openPage } from '../src/resolver/read/messages.ts'
import { useCrawler } from './setup/crawler.ts'

const TEXT = 'We have made and mended clocks for churches and town halls since 1870. '.repeat(5)

function html(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><title>Acme</title>${head}</head><body>${body}</body></html>`
}
const page = (title: string, links = '') => html(`<main><h1>${title}</h1><p>${title}. ${TEXT}</p>${links}</main>`)
const anchor = (href: string, text: string) => `<a href="${href}">${text}</a>`
const footer = (...links: Array<[string, string]>) =>
  `<footer>${links.map(([href, text]) => anchor(href, text)).join(' ')}</footer>`

const PLAIN: SimulatedSite = {
  pages: {
    '/': page('Acme', footer(['/about', 'About us'], ['/privacy', 'Privacy'], ['/legal', 'Legal'], ['/shop', 'Shop'])),
    '/about': page('About'),
    '/privacy': page('Privacy'),
    '/legal': page('Legal'),
    '/shop': page('Shop'),
  },
}
const wall = (status: number, body: string): SimulatedSite => ({ responses: { '/': { status, body: html(body) } } })
const withRobots = (text: string, site = PLAIN): SimulatedSite => ({
  ...site,
  pages: { ...site.pages, '/robots.txt': text },
})
const manyLinks = (path: (index: number) => string): string =>
  Array.from({ length: 500 }, (_, index) => anchor(path(index), `Terms of sale ${index}`)).join('')

const it = useCrawler()
const pathsOf = (found: Crawl) => found.pages.map(({ url }) => new URL(url).pathname)
const asked = (found: Crawl) => found.attempts.map(({ url }) => new URL(url).pathname)

test('the pages that may say who runs the site are read, best first, and nothing else', async () => {
  const domain = it.publish(PLAIN)
  const found = await it.crawl(domain)
  expect(found).toMatchObject({ domain, outcome: 'read', reason: '', redirectedTo: null })
  expect(pathsOf(found)).toEqual(['/', '/legal', '/privacy', '/about'])
  expect(found.pages.map(({ kind }) => kind)).toEqual(['home', 'legal', 'privacy', 'about'])
  expect(found.pages[0]).toMatchObject({ url: `https://${domain}/`, status: 200 })
  expect(found.pages[0] && openPage(found.pages[0]).document.title).toBe('Acme')
  expect(found.pages[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(asked(found)[0]).toBe('/robots.txt')
  expect(asked(found)).not.toContain('/shop')
  expect(found.certificates).toMatchObject([{ host: domain, commonName: domain }])
})

test('the crawl stops as soon as the proof is complete', async () => {
  const counts: number[] = []
  const found = await it.crawl(it.publish(PLAIN), {
    isProofComplete: (pages) => {
      counts.push(pages.length)
      return pages.some(({ kind }) => kind === 'legal')
    },
  })
  expect(pathsOf(found)).toEqual(['/', '/legal'])
  expect(counts).toEqual([1, 2])
  const atOnce = await it.crawl(it.publish(PLAIN), { isProofComplete: async () => true })
  expect(asked(atOnce)).toEqual(['/robots.txt', '/'])
})

test('every page is reported as soon as it is read', async () => {
  const reported: string[] = []
  const found = await it.crawl(it.publish(PLAIN), { onPage: ({ url }) => reported.push(url) })
  expect(reported).toEqual(found.pages.map(({ url }) => url))
})

test('where robots.txt keeps us out, nothing but robots.txt is asked for', async () => {
  const found = await it.crawl(it.publish(withRobots('User-agent: *\nDisallow: /')))
  expect(found.attempts.map(({ outcome }) => outcome)).toEqual(['200', 'robots'])
})

describe.concurrent('a site that cannot be read', () => {
  test.each<[string, SimulatedSite | null, Crawl['outcome'], RegExp]>([
    ['has no name', null, 'failed', /does not resolve/],
    ['has silent name servers', { ...PLAIN, dns: 'timeout' }, 'failed', /name servers .* do not respond/],
    ['points into a private network', { ...PLAIN, addresses: ['10.0.0.7'] }, 'failed', /not on the public internet/],
    ['breaks connections off', { ...PLAIN, http: 'reset', https: 'reset' }, 'failed', /web server|secure connection/],
    ['refuses connections', { ...PLAIN, http: 'refused', https: 'refused' }, 'failed', /web server|secure connection/],
    ['never answers', { ...PLAIN, http: 'hang', https: 'hang' }, 'failed', /does not respond in time/],
    ['has a wrong certificate', { ...PLAIN, https: 'bad_certificate', http: 'refused' }, 'failed', /certificate/],
    ['redirects to itself', { redirects: { '/': '/home', '/home': '/' } }, 'failed', /in a circle/],
    ['redirects on and on', { redirects: hops(7) }, 'failed', /too often/],
    ['is broken', { responses: { '/': { status: 500 } } }, 'failed', /server error \(500 /],
    ['is overloaded', { responses: { '/': { status: 503 } } }, 'failed', /server error \(503 /],
    ['is gone', { responses: { '/': { status: 410 } } }, 'failed', /no home page \(410 /],
    ['has no home page', { pages: {} }, 'failed', /no home page \(404 /],
    ['has an empty home page', { responses: { '/': { status: 200, body: '' } } }, 'failed', /empty/],
    [
      'is a file',
      { responses: { '/': { headers: { 'content-type': 'application/pdf' }, body: '%PDF' } } },
      'failed',
      /not a web page/,
    ],
    ['has broken rules', { ...PLAIN, responses: { '/robots.txt': { status: 500 } } }, 'failed', /robots\.txt/],
    ['asks for a password', wall(401, 'Members only'), 'blocked', /password/],
    ['refuses us', wall(403, 'Forbidden'), 'blocked', /refuses our requests \(403 /],
    ['has had enough of us', wall(429, 'Too many requests'), 'blocked', /429/],
    ['is withheld', wall(451, 'Not here'), 'blocked', /legal reasons/],
    ['checks browsers', wall(503, 'Checking your browser before accessing the site'), 'blocked', /browser check/],
    ['checks browsers with a good status', wall(200, 'Please verify you are human'), 'blocked', /browser check/],
    ['keeps programs out', withRobots('User-agent: *\nDisallow: /'), 'blocked', /robots\.txt/],
    ['keeps us out', withRobots('User-agent: NameplateBot\nDisallow: /'), 'blocked', /robots\.txt/],
  ])('%s', async (_, site, outcome, reason) => {
    const domain = site ? it.publish(site) : 'nobody.co.uk'
    const found = await it.crawl(domain)
    expect(found).toMatchObject({ outcome, pages: [] })
    expect(found.reason).toMatch(reason)
    expect(found.attempts.length).toBeGreaterThan(0)
    expect(found.attempts.length).toBeLessThanOrEqual(15)
  })
})

function hops(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [index === 0 ? '/' : `/hop-${index}`, `/hop-${index + 1}`]),
  )
}

describe.concurrent('the home page is found', () => {
  test.each<[string, SimulatedSite, (host: string) => string]>([
    ['at www, when the bare name sends there', { ...PLAIN, www: 'canonical' }, (host) => `https://www.${host}/`],
    ['at the bare name, when there is no www', { ...PLAIN, www: 'none' }, (host) => `https://${host}/`],
    [
      'over http, when nobody listens for https',
      { ...PLAIN, https: 'refused', https_redirect: false },
      (host) => `http://${host}/`,
    ],
    [
      'over http, when the certificate is wrong',
      { ...PLAIN, https: 'bad_certificate', https_redirect: false },
      (host) => `http://${host}/`,
    ],
    ['over http, when https hangs', { ...PLAIN, https: 'hang', https_redirect: false }, (host) => `http://${host}/`],
    [
      'behind five redirects',
      { ...PLAIN, redirects: { ...hops(4), '/hop-4': '/start' }, pages: { '/start': page('Start') } },
      (host) => `https://${host}/start`,
    ],
    [
      'behind a refresh',
      { pages: { '/': html('', '<meta http-equiv="refresh" content="0; url=/start">'), '/start': page('Start') } },
      (host) => `https://${host}/start`,
    ],
    [
      'in front of a refresh that leads nowhere',
      { pages: { '/': html(TEXT, '<meta http-equiv="refresh" content="0; url=/lost">') } },
      (host) => `https://${host}/`,
    ],
  ])('%s', async (_, site, url) => {
    const domain = it.publish(site)
    const found = await it.crawl(domain, { isProofComplete: () => true })
    expect(found).toMatchObject({ outcome: 'read', redirectedTo: null, pages: [{ url: url(domain), kind: 'home' }] })
  })

  test('at www, when the bare name does not exist', async () => {
    const domain = it.publish({})
    it.web.setSite(domain, null)
    it.web.setSite(`www.${domain}`, PLAIN)
    const found = await it.crawl(domain, { isProofComplete: () => true })
    expect(found).toMatchObject({ outcome: 'read', pages: [{ url: `https://www.${domain}/` }] })
  })

  test('at www, when the bare name has nothing to show', async () => {
    const domain = it.publish({ responses: { '/': { status: 404 } } })
    it.web.setSite(`www.${domain}`, PLAIN)
    const found = await it.crawl(domain, { isProofComplete: () => true })
    expect(found).toMatchObject({ outcome: 'read', pages: [{ url: `https://www.${domain}/` }] })
  })

  test('a circle of refreshes ends', async () => {
    const found = await it.crawl(
      it.publish({
        pages: {
          '/': html(TEXT, '<meta http-equiv="refresh" content="0; url=/a">'),
          '/a': html(`${TEXT} a`, '<meta http-equiv="refresh" content="0; url=/">'),
        },
      }),
      { isProofComplete: () => true },
    )
    expect(asked(found)).toEqual(['/robots.txt', '/', '/a'])
  })
})

describe.concurrent('a site that moved', () => {
  test.each([
    ['by redirect', (to: string): SimulatedSite => ({ redirects: { '/': `https://${to}/` } })],
    [
      'by refresh',
      (to: string): SimulatedSite => ({
        pages: { '/': html('', `<meta http-equiv="refresh" content="0;url=https://${to}/">`) },
      }),
    ],
  ])('%s is read where it went, and the answer says so', async (_, moved) => {
    const group = it.publish(PLAIN)
    const found = await it.crawl(it.publish(moved(group)))
    expect(found).toMatchObject({ outcome: 'read', redirectedTo: group })
    expect(found.pages.every(({ url }) => new URL(url).hostname === group)).toBe(true)
    expect(found.pages).toHaveLength(4)
    expect(found.certificates.map(({ host }) => host)).toContain(group)
  })

  test('and back again is a circle', async () => {
    const [first, second] = [it.publish({}), it.publish({})]
    it.web.setSite(first, { redirects: { '/': `https://${second}/` } })
    it.web.setSite(second, { redirects: { '/': `https://${first}/` } })
    expect(await it.crawl(first)).toMatchObject({ outcome: 'failed', reason: 'The site redirects in a circle.' })
  })

  test('to a site that keeps programs out is left alone', async () => {
    const group = it.publish(withRobots('User-agent: *\nDisallow: /'))
    const found = await it.crawl(it.publish({ redirects: { '/': `https://${group}/` } }))
    expect(found).toMatchObject({ outcome: 'blocked', redirectedTo: group, pages: [] })
  })

  test('a later page that leads to another site is not followed', async () => {
    const group = it.publish(PLAIN)
    const found = await it.crawl(it.publish({ ...PLAIN, redirects: { '/legal': `https://${group}/legal` } }))
    expect(found.redirectedTo).toBeNull()
    expect(pathsOf(found)).toEqual(['/', '/privacy', '/about'])
    expect(it.web.stats.byHost.get(group)).toBeUndefined()
  })
})

describe.concurrent('the rules of robots.txt', () => {
  test('are kept for each page', async () => {
    const found = await it.crawl(it.publish(withRobots('User-agent: *\nDisallow: /legal')))
    expect(pathsOf(found)).toEqual(['/', '/privacy', '/about'])
    expect(found.attempts).toContainEqual(
      expect.objectContaining({ url: expect.stringMatching(/\/legal$/), outcome: 'robots' }),
    )
  })

  test('are not needed: without a file everything may be read', async () => {
    expect(
      (await it.crawl(it.publish({ ...PLAIN, responses: { '/robots.txt': { status: 403 } } }))).pages,
    ).toHaveLength(4)
  })

  test('slow us down', async () => {
    const domain = it.publish(withRobots('User-agent: *\nCrawl-delay: 1'))
    const startedAtMs = performance.now()
    const found = await it.crawl(domain, { isProofComplete: (pages) => pages.length === 3 })
    expect(performance.now() - startedAtMs).toBeGreaterThan(1_900)
    expect(found.pages).toHaveLength(3)
    expect(it.web.stats.mostAtOnce.get(domain)).toBe(1)
  })

  test('cost guesses too, when they ask for long pauses', async () => {
    const found = await it.crawl(
      it.publish(withRobots('User-agent: *\nCrawl-delay: 10', { pages: { '/': page('Acme') } })),
    )
    expect(asked(found)).toEqual(['/robots.txt', '/', '/sitemap.xml', '/privacy-policy'])
  })

  test('cost pages, when they ask for long pauses', async () => {
    expect((await it.crawl(it.publish(withRobots('User-agent: *\nCrawl-delay: 30')))).pages).toHaveLength(1)
  })
})

describe.concurrent('bounds', () => {
  test('five hundred links lead to ten pages', async () => {
    const pages = {
      '/': page(
        'Acme',
        manyLinks((index) => `/terms-${index}`),
      ),
    }
    for (let index = 0; index < 500; index += 1) Object.assign(pages, { [`/terms-${index}`]: page(`Terms ${index}`) })
    const domain = it.publish({ pages })
    const found = await it.crawl(domain)
    expect(found.pages).toHaveLength(10)
    expect(it.web.stats.byHost.get(domain)).toBe(11)
    expect(it.web.stats.mostAtOnce.get(domain)).toBeLessThanOrEqual(2)
  })

  test('five hundred dead links cost nine requests, not five hundred', async () => {
    const domain = it.publish({
      pages: {
        '/': page(
          'Acme',
          manyLinks((index) => `/terms-${index}`),
        ),
      },
    })
    expect((await it.crawl(domain)).pages).toHaveLength(1)
    expect(it.web.stats.byHost.get(domain)).toBe(11)
  })

  test('without links, the sitemap and at most six usual addresses are tried', async () => {
    const found = await it.crawl(it.publish({ pages: { '/': page('Acme') } }))
    expect(asked(found).slice(0, 3)).toEqual(['/robots.txt', '/', '/sitemap.xml'])
    expect(asked(found).slice(3)).toHaveLength(6)
    expect(new Set(asked(found)).size).toBe(9)
  })

  test('beside a menu that can be read, at most four are tried', async () => {
    const found = await it.crawl(it.publish(PLAIN))
    expect(asked(found)).toHaveLength(1 + 4 + 4)
  })

  test('a guess that hits spares the other spellings of its kind', async () => {
    const found = await it.crawl(it.publish({ pages: { '/': page('Acme'), '/privacy-policy': page('Privacy') } }))
    expect(pathsOf(found)).toEqual(['/', '/privacy-policy'])
    expect(asked(found).filter((path) => path.startsWith('/privacy'))).toEqual(['/privacy-policy'])
  })

  test('the sitemap leads to pages that no menu shows', async () => {
    const domain = it.publish({})
    const sitemap = `<urlset><url><loc>https://${domain}/who/particulars</loc></url><url><loc>https://${domain}/docs/company-details</loc></url></urlset>`
    it.web.setSite(domain, {
      pages: {
        '/': page('Acme'),
        '/docs/company-details': page('Details'),
        '/map.xml': sitemap,
        '/robots.txt': `Sitemap: https://${domain}/map.xml`,
      },
    })
    const found = await it.crawl(domain)
    expect(pathsOf(found)).toEqual(['/', '/docs/company-details'])
  })

  test('the same content under another address is not a second page', async () => {
    const shell = html('<div id="root"></div><script src="/app.js"></script>')
    const paths = [
      '/',
      '/privacy',
      '/privacy-policy',
      '/terms',
      '/terms-and-conditions',
      '/legal',
      '/about',
      '/about-us',
      '/contact',
    ]
    const found = await it.crawl(it.publish({ pages: Object.fromEntries(paths.map((path) => [path, shell])) }))
    expect(found).toMatchObject({ outcome: 'thin', reason: 'The pages are drawn by scripts and hold hardly any text.' })
    expect(found.pages).toHaveLength(1)
  })

  test('a page is cut at two megabytes, and a site at ten', async () => {
    const big = (title: string, links = '') =>
      html(`<h1>${title}</h1>${links}${'<p>word word word</p>'.repeat(150_000)}`)
    const links = Array.from({ length: 9 }, (_, index) => anchor(`/terms-${index}`, `Terms ${index}`)).join('')
    const pages: Record<string, string> = { '/': big('Acme', links) }
    for (let index = 0; index < 9; index += 1) pages[`/terms-${index}`] = big(`Terms ${index}`)
    const found = await it.crawl(it.publish({ pages }))
    expect(found.pages[0]?.bytes).toBe(2_000_000)
    expect(found.pages[0] && openPage(found.pages[0]).document.cut).toBe(true)
    expect(found.pages.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(10_000_000)
    expect(found.pages.length).toBeGreaterThanOrEqual(5)
  })

  test('a site that answers slowly is left when its time is over, with what was read', async () => {
    const found = await it.crawl(it.publish({ ...PLAIN, responses: { '/about': { delay_ms: 5_500 } } }), {
      timeMs: 4_000,
    })
    expect(found.outcome).toBe('read')
    expect(pathsOf(found)).toEqual(['/', '/legal', '/privacy'])
  })
})

describe('politeness', () => {
  const seconds = (sinceMs: number) => (performance.now() - sinceMs) / 1_000

  test('two processes together stay below two requests a second to a host, after a dozen', async () => {
    const domain = it.publish(PLAIN)
    const paces = [new Pace(new LeasedLimiter(it.db)), new Pace(new LeasedLimiter(it.db))]
    const startedAtMs = performance.now()
    const crawls = await Promise.all(
      [...paces, ...paces.slice(0, 1)].map((each) =>
        it.crawl(domain, { isProofComplete: (pages) => pages.length === 4 }, { pace: each }),
      ),
    )
    const requests = it.web.stats.byHost.get(domain) ?? 0
    expect(crawls.map(({ pages }) => pages.length)).toEqual([4, 4, 4])
    expect(requests).toBe(15)
    expect(requests).toBeLessThanOrEqual(12 + 2 * seconds(startedAtMs))
  })

  test('hosts that share an address share its rate', async () => {
    const paces = [new Pace(new LeasedLimiter(it.db)), new Pace(new LeasedLimiter(it.db))]
    const startedAtMs = performance.now()
    const slots = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        (paces[index % 2] as Pace).waitToSend({ host: `tenant-${index}.co.uk`, address: '203.0.113.9' }, 1_500),
      ),
    )
    const granted = slots.filter(Boolean).length
    expect(granted).toBeLessThanOrEqual(40 + 10 * seconds(startedAtMs))
    expect(granted).toBeGreaterThanOrEqual(30)
  })

  test('a slot that would be free too late is refused at once', async () => {
    const target = { host: 'busy.co.uk', address: '203.0.113.10' }
    while (await it.pace.waitToSend(target, 100)) await sleep(1)
    const waitsMs: number[] = []
    for (let trial = 0; trial < 5; trial += 1) {
      while (await it.pace.waitToSend(target, 1)) await sleep(1)
      const startedAtMs = performance.now()
      expect(await it.pace.waitToSend(target, 100)).toBe(false)
      waitsMs.push(performance.now() - startedAtMs)
    }
    expect(Math.min(...waitsMs)).toBeLessThan(90)
  })

  test('a crawl of six pages costs a write or two for each bucket', async () => {
    let writes = 0
    const counted = new LeasedLimiter({
      query: (text, params) => {
        writes += 1
        return it.db.query(text, params)
      },
    })
    const links = ['terms', 'privacy', 'legal', 'about', 'contact'].map((name) => anchor(`/${name}`, name)).join('')
    const pages: Record<string, string> = { '/': page('Acme', links) }
    for (const name of ['terms', 'privacy', 'legal', 'about', 'contact']) pages[`/${name}`] = page(name)
    const found = await it.crawl(
      it.publish({ pages }),
      { isProofComplete: (read) => read.length === 6 },
      { pace: new Pace(counted) },
    )
    expect(found.pages).toHaveLength(6)
    expect(writes).toBeLessThanOrEqual(4)
  })

  test('crawls of one address wait for each other in a process, and give up in time', async () => {
    const leases = await Promise.all(Array.from({ length: 8 }, () => it.pace.enterAddress('203.0.113.11', 100)))
    expect(leases.every(Boolean)).toBe(true)
    expect(await it.pace.enterAddress('203.0.113.11', 50)).toBeNull()
    const waiting = it.pace.enterAddress('203.0.113.11', 5_000)
    leases[0]?.()
    const lease = await waiting
    expect(lease).not.toBeNull()
    for (const leave of [lease, ...leases.slice(1)]) leave?.()
    const again = await Promise.all(Array.from({ length: 8 }, () => it.pace.enterAddress('203.0.113.11', 100)))
    expect(again.every(Boolean)).toBe(true)
  })
})
