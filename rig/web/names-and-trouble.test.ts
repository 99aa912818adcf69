import { createSocket } from 'node:dgram'
import { Agent } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type SimulatedSite, SimulatedWeb } from './index.ts'
import { openSites, resolverOf, visit } from './web-visitor.ts'

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
