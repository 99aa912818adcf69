import { createSocket } from 'node:dgram'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type ListeningWeb, type SimulatedSite, SimulatedWeb } from './index.ts'
import { openSites, openWorld, resolverOf, visit } from './web-visitor.ts'

const PAGE = `<!doctype html><p>${'Acme Widgets Limited, company number 07687209. '.repeat(20)}</p>`

describe('pages', () => {
  it('of a world folder answer under all forms of their path, and nothing else does', async () => {
    const world = mkdtempSync(join(tmpdir(), 'world-'))
    try {
      const site = join(world, 'sites/acme.co.uk')
      mkdirSync(join(site, 'legal'), { recursive: true })
      writeFileSync(join(world, 'labels.csv'), 'the answers')
      writeFileSync(join(site, 'index.html'), 'home')
      writeFileSync(join(site, 'privacy.html'), 'privacy')
      writeFileSync(join(site, 'legal/terms.html'), 'terms')
      writeFileSync(join(site, 'robots.txt'), 'User-agent: *')
      writeFileSync(join(site, 'sitemap.xml'), '<urlset/>')
      writeFileSync(join(site, 'data.json'), '{}')
      writeFileSync(join(site, 'accounts.pdf'), '%PDF')
      writeFileSync(join(site, 'site.json'), '{ "headers": { "X-Powered-By": "sim" } }')
      await using web = await openWorld(world)
      const get = (path: string) => visit(web, `https://acme.co.uk${path}`)
      const served = {
        '': 'home',
        '/': 'home',
        '/index.html': 'home',
        '/privacy': 'privacy',
        '/privacy.html': 'privacy',
        '/privacy/': 'privacy',
        '/privacy?from=footer': 'privacy',
        '/legal/terms': 'terms',
        '/legal/terms.html': 'terms',
        '/legal/terms/': 'terms',
      }
      for (const [path, text] of Object.entries(served)) {
        const page = await get(path)
        expect([page.status, page.text, page.headers['content-type']], path).toEqual([
          200,
          text,
          'text/html; charset=utf-8',
        ])
        expect(page.headers['x-powered-by']).toBe('sim')
      }
      for (const path of [
        '/terms',
        '/legal',
        '/Privacy',
        '/site.json',
        '/../../labels.csv',
        '/%2e%2e/%2e%2e/labels.csv',
      ]) {
        const page = await get(path)
        expect([page.status, page.headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8'])
        expect(page.headers['x-powered-by']).toBe('sim')
      }
      const types = {
        '/robots.txt': 'text/plain; charset=utf-8',
        '/sitemap.xml': 'application/xml; charset=utf-8',
        '/data.json': 'application/json',
        '/accounts.pdf': 'application/pdf',
      }
      for (const [path, type] of Object.entries(types)) expect((await get(path)).headers['content-type']).toBe(type)
    } finally {
      rmSync(world, { recursive: true })
    }
  })

  it('of the demo world come with its certificates', async () => {
    await using web = await openWorld(join(import.meta.dirname, '../../worlds/demo'))
    const page = await visit(web, 'https://ashwolddental.co.uk/')
    expect(page.status).toBe(200)
    expect(page.certificate?.subject).toMatchObject({ O: 'Ashwold Dental Care Limited', serialNumber: '09822789' })
  })

  it('come in the charset of the site, and announce it unless the headers say otherwise', async () => {
    const text = '<p>Café “Zoë” – £5 ☃</p>'
    await using web = await openSites({
      'old.uk': { encoding: 'windows-1252', pages: { '/': text }, responses: { '/busy': { status: 503, body: '£' } } },
      'silent.uk': { encoding: 'windows-1252', headers: { 'Content-Type': 'text/html' }, pages: { '/': text } },
    })
    const old = await visit(web, 'https://old.uk/')
    expect(old.headers['content-type']).toBe('text/html; charset=windows-1252')
    expect(old.body.toString('latin1')).toBe('<p>Caf\xe9 \x93Zo\xeb\x94 \x96 \xa35 ?</p>')
    expect((await visit(web, 'https://old.uk/busy')).body).toEqual(Buffer.from([0xa3]))
    const silent = await visit(web, 'https://silent.uk/')
    expect(silent.headers['content-type']).toBe('text/html')
    expect(silent.body).toEqual(old.body)
  })

  it('are compressed for those who accept it, and the same for HEAD without the body', async () => {
    await using web = await openSites({ 'acme.co.uk': { pages: { '/': PAGE, '/short': 'short' } } })
    const get = (accepted: string, method = 'GET', path = '/') =>
      visit(web, `https://acme.co.uk${path}`, { method, headers: { 'accept-encoding': accepted } })
    const gzipped = await get('br, gzip;q=0.8')
    expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(gzipped.body).toString()).toBe(PAGE)
    for (const accepted of ['identity', 'gzip;q=0, br', '']) expect((await get(accepted)).text, accepted).toBe(PAGE)
    expect((await get('gzip', 'GET', '/short')).text).toBe('short')
    const head = await get('gzip', 'HEAD')
    expect(head.headers['content-length']).toBe(gzipped.headers['content-length'])
    expect([head.status, head.body.length]).toEqual([200, 0])
  })

  it('are only read: another method than GET and HEAD is refused', async () => {
    await using web = await openSites({ 'acme.co.uk': { pages: { '/': PAGE } } })
    const refusal = await visit(web, 'https://acme.co.uk/', { method: 'POST' })
    expect([refusal.status, refusal.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('of an international name are found under its punycode', async () => {
    await using web = await openSites({ 'café-tamm.co.uk': { pages: { '/': 'café' } } })
    expect(await resolverOf(web).resolve4('xn--caf-tamm-d1a.co.uk')).toHaveLength(1)
    const page = await visit(web, 'https://www.xn--caf-tamm-d1a.co.uk/')
    expect([page.status, page.text]).toEqual([200, 'café'])
    expect(page.certificate?.subjectaltname).toContain('DNS:xn--caf-tamm-d1a.co.uk')
  })
})

describe('redirects', () => {
  const locate = async (web: ListeningWeb, url: string) => {
    const { status, headers, text } = await visit(web, url)
    return headers.location === undefined ? text : `${status} ${headers.location}`
  }

  it('go from http to https with path and query, unless https_redirect is false', async () => {
    await using web = await openSites({
      'safe.uk': { pages: { '/': 'safe' } },
      'plain.uk': { https_redirect: false, https: 'refused', pages: { '/': 'plain' } },
    })
    expect(await locate(web, 'http://safe.uk/a/b?c=d')).toBe('301 https://safe.uk/a/b?c=d')
    expect(await locate(web, 'http://www.safe.uk/')).toBe('301 https://www.safe.uk/')
    expect(await locate(web, 'http://plain.uk/')).toBe('plain')
  })

  it('go between the bare host and www as the site wants it', async () => {
    const pages = { '/': 'home', '/privacy': 'privacy' }
    await using web = await openSites({
      'same.uk': { pages },
      'bare.uk': { www: 'redirect', pages },
      'canonical.uk': { www: 'canonical', pages },
      'none.uk': { www: 'none', pages },
      'plain.uk': { www: 'canonical', https_redirect: false, pages },
    })
    expect(await locate(web, 'https://www.same.uk/privacy')).toBe('privacy')
    expect(await locate(web, 'https://www.bare.uk/privacy?a')).toBe('301 https://bare.uk/privacy?a')
    expect(await locate(web, 'https://bare.uk/privacy')).toBe('privacy')
    expect(await locate(web, 'https://canonical.uk/privacy')).toBe('301 https://www.canonical.uk/privacy')
    expect(await locate(web, 'https://www.canonical.uk/privacy')).toBe('privacy')
    expect(await locate(web, 'http://plain.uk/')).toBe('301 http://www.plain.uk/')
    await expect(visit(web, 'https://www.none.uk/')).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('of single paths keep their target and status, and may go in circles', async () => {
    await using web = await openSites({
      'acme.co.uk': {
        redirects: { '/': '/home', '/home': '/', '/sold': { to: 'https://other.co.uk/', status: 302 } },
        pages: { '/': 'home', '/about': 'about' },
      },
    })
    expect(await locate(web, 'https://acme.co.uk/')).toBe('301 /home')
    expect(await locate(web, 'https://acme.co.uk/home')).toBe('301 /')
    expect(await locate(web, 'https://acme.co.uk/sold')).toBe('302 https://other.co.uk/')
    expect(await locate(web, 'https://acme.co.uk/about')).toBe('about')
  })
})

describe('scripted responses', () => {
  it('stand in for the file in all forms of its path, after their delay', async () => {
    await using web = await openSites({
      'acme.co.uk': {
        headers: { 'content-type': 'text/html', 'x-site': 'yes' },
        pages: { '/contact': 'the file', '/slow': 'slow file' },
        responses: {
          '/contact': { status: 503, headers: { 'Retry-After': '3600' }, body: '<h1>Back soon</h1>' },
          '/feed': { headers: { 'content-type': 'application/rss+xml' }, body: '<rss/>' },
          '/slow': { delay_ms: 150 },
          '/forbidden': { status: 403 },
        },
      },
    })
    for (const path of ['/contact', '/contact/', '/contact.html']) {
      const page = await visit(web, `https://acme.co.uk${path}`)
      expect([page.status, page.text, page.headers['retry-after']]).toEqual([503, '<h1>Back soon</h1>', '3600'])
      expect(page.headers).toMatchObject({ 'content-type': 'text/html', 'x-site': 'yes' })
    }
    const feed = await visit(web, 'https://acme.co.uk/feed')
    expect([feed.status, feed.headers['content-type'], feed.text]).toEqual([200, 'application/rss+xml', '<rss/>'])
    const startedAt = performance.now()
    expect(await visit(web, 'https://acme.co.uk/slow')).toMatchObject({ status: 200, text: 'slow file' })
    expect(performance.now() - startedAt).toBeGreaterThan(140)
    expect((await visit(web, 'https://acme.co.uk/forbidden')).status).toBe(403)
  })

  it('may be bytes that were prepared elsewhere', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/html' }
    const body = Buffer.alloc(500, 7)
    await using web = await openSites({ 'acme.co.uk': { responses: { '/': { headers, body } } } })
    const page = await visit(web, 'https://acme.co.uk/', { headers: { 'accept-encoding': 'gzip' } })
    expect(page.body).toEqual(body)
  })
})

describe('certificates', () => {
  it('name the host alone, or the company behind it as the site says', async () => {
    const certificate = {
      CN: 'www.ev.uk',
      O: 'HOLLIS & OLDROYD "JEWELLERY", LTD',
      OU: 'IT',
      L: 'Bangor',
      ST: 'Gwynedd',
      C: 'GB',
      serialNumber: '12255862',
      jurisdictionC: 'GB',
      businessCategory: 'Private Organization',
    }
    await using web = await openSites({ 'plain.uk': {}, 'ev.uk': { certificate } })
    const plain = (await visit(web, 'https://plain.uk/')).certificate
    expect({ ...plain?.subject }).toEqual({ CN: 'plain.uk' })
    expect(plain?.subjectaltname).toBe('DNS:plain.uk, DNS:www.plain.uk')
    expect({ ...(await visit(web, 'https://www.ev.uk/')).certificate?.subject }).toEqual(certificate)
  })

  it('are for another name by https: bad_certificate', async () => {
    await using web = await openSites({ 'bad.uk': { https: 'bad_certificate', pages: { '/': 'home' } } })
    await expect(visit(web, 'https://bad.uk/')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect((await visit(web, 'https://bad.uk/', { rejectUnauthorized: false })).text).toBe('home')
  })
})

const pages = { '/': 'home' }

describe('names', () => {
  it('lead to a public address that stays the same, with and without www', async () => {
    const sites = { 'acme.co.uk': {}, 'other.uk': {} }
    await using first = await openSites(sites)
    await using second = await openSites(sites)
    const [address = ''] = await resolverOf(first).resolve4('acme.co.uk')
    expect(address).toMatch(/^45\.\d+\.\d+\.\d+$/)
    expect(await resolverOf(second).resolve4('WWW.Acme.co.uk', { ttl: true })).toEqual([{ address, ttl: 60 }])
    expect(await resolverOf(first).resolve4('other.uk')).not.toEqual([address])
    await expect(resolverOf(first).resolve6('acme.co.uk')).rejects.toMatchObject({ code: 'ENODATA' })
    await expect(resolverOf(first).resolveMx('acme.co.uk')).rejects.toMatchObject({ code: 'ENODATA' })
  })

  it('do not exist without a site, by dns: nxdomain, and as www by www: none', async () => {
    await using web = await openSites({ 'gone.uk': { dns: 'nxdomain' }, 'bare.uk': { www: 'none' } })
    for (const name of ['nobody.uk', 'gone.uk', 'www.gone.uk', 'www.bare.uk', 'sub.bare.uk']) {
      await expect(resolverOf(web).resolve4(name), name).rejects.toMatchObject({ code: 'ENOTFOUND' })
    }
    expect(await resolverOf(web).resolve4('bare.uk')).toHaveLength(1)
  })

  it('stay without any answer by dns: timeout', async () => {
    await using web = await openSites({ 'slow.uk': { dns: 'timeout' } })
    await expect(resolverOf(web).resolve4('slow.uk')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  })

  it('can lead to any address a test asks for', async () => {
    await using web = await openSites({ 'inside.uk': { addresses: ['10.0.0.1', '11.2.3.4', 'fd00::1'] } })
    expect(await resolverOf(web).resolve4('inside.uk')).toEqual(['10.0.0.1', '11.2.3.4'])
    expect(await resolverOf(web).resolve6('inside.uk')).toEqual(['fd00::1'])
  })

  it('are answered after garbage has arrived', async () => {
    await using web = await openSites({ 'acme.co.uk': {} })
    const socket = createSocket('udp4')
    const port = Number(web.settings.dnsServer.split(':')[1])
    for (const garbage of ['', 'x', '\0'.repeat(12), 'GET / HTTP/1.1\r\n\r\n', '\xff'.repeat(600)]) {
      await new Promise((resolve) => socket.send(Buffer.from(garbage, 'latin1'), port, '127.0.0.1', resolve))
    }
    socket.close()
    expect(await resolverOf(web).resolve4('acme.co.uk')).toHaveLength(1)
  })
})

describe('trouble', () => {
  it('refused and reset connections end before a byte is answered', async () => {
    await using web = await openSites({
      'refused.uk': { http: 'refused', https: 'refused', pages },
      'reset.uk': { http: 'reset', https: 'reset', pages },
      'half.uk': { http: 'refused', pages },
    })
    for (const host of ['refused.uk', 'reset.uk']) {
      await expect(visit(web, `http://${host}/`), host).rejects.toMatchObject({ code: 'ECONNRESET' })
      await expect(visit(web, `https://${host}/`), host).rejects.toMatchObject({ code: 'ECONNRESET' })
    }
    await expect(visit(web, 'http://half.uk/')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect((await visit(web, 'https://half.uk/')).status).toBe(200)
  })

  it('a hanging site answers nothing, and lets go when the web closes', async () => {
    await using web = await openSites({
      'hang.uk': { http: 'hang', https: 'hang', pages },
      'late.uk': { responses: { '/': { delay_ms: 600_000, body: 'late' } } },
    })
    const urls = ['http://hang.uk/', 'https://hang.uk/', 'https://late.uk/']
    let ended = 0
    const visits = urls.map((url) => visit(web, url).finally(() => (ended += 1)))
    const outcomes = Promise.allSettled(visits)
    await expect.poll(() => web.stats.connections).toBe(3)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(ended).toBe(0)
    await web.close()
    expect((await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
      urls.map(() => 'ECONNRESET'),
    )
    await expect(visit(web, 'http://hang.uk/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('strikes a kept connection too when a site changes, and ends when it changes back', async () => {
    await using web = await openSites({ 'acme.co.uk': { https_redirect: false, pages: { '/': 'old' } } })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const get = () => visit(web, 'http://acme.co.uk/', { agent })
      expect((await get()).text).toBe('old')
      web.setSite('acme.co.uk', { http: 'reset' })
      await expect(get()).rejects.toMatchObject({ code: 'ECONNRESET' })
      web.setSite('acme.co.uk', { https_redirect: false, pages: { '/': 'new' } })
      expect((await get()).text).toBe('new')
      web.setSite('acme.co.uk', null)
      expect((await get()).status).toBe(421)
      await expect(resolverOf(web).resolve4('acme.co.uk')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    } finally {
      agent.destroy()
    }
  })

  it('a site.json with a wrong value is named at the start', async () => {
    const wrong = { dns: 'sometimes' } as unknown as SimulatedSite
    await expect(SimulatedWeb.fromSites({ 'acme.co.uk': wrong })).rejects.toThrow(/site\.json of acme\.co\.uk/)
  })
})

it('counts requests, connections, and how many a site had at once', async () => {
  const site = { https_redirect: false, pages, responses: { '/slow': { delay_ms: 200, body: 'slow' } } }
  await using web = await openSites({ 'acme.co.uk': site, 'other.uk': site })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const first = await visit(web, 'http://acme.co.uk/', { agent })
    expect((await visit(web, 'http://acme.co.uk/', { agent })).localPort).toBe(first.localPort)
    await visit(web, 'http://other.uk/', { agent })
  } finally {
    agent.destroy()
  }
  expect([web.stats.requests, web.stats.connections]).toEqual([3, 1])
  const slow = ['acme.co.uk', 'acme.co.uk', 'www.acme.co.uk']
  await Promise.all(slow.map((host) => visit(web, `http://${host}/slow`, { agent: false })))
  await visit(web, 'http://acme.co.uk/', { agent: false })
  expect(Object.fromEntries(web.stats.byHost)).toEqual({ 'acme.co.uk': 6, 'other.uk': 1 })
  expect(Object.fromEntries(web.stats.mostAtOnce)).toEqual({ 'acme.co.uk': 3, 'other.uk': 1 })
  expect([web.stats.requests, web.stats.connections]).toEqual([7, 5])
})
