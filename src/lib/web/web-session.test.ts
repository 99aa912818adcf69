/** Redirects, and the bounds of an answer. */
import type { RequestListener } from 'node:http'
import zlib from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { GuardedClient, type WebRequest, type WebSession } from './guarded-client.ts'
import { type SmallWeb, startSmallWeb } from './small-web.fixture.ts'

const REQUEST = { timeoutMs: 5_000, bodyBytesMax: 1_000, whenTooLarge: 'cut' } as const
const FOLLOW = { ...REQUEST, hopsMax: 5 }
const START = 'http://start.example/one/two'

let web: SmallWeb
let client: GuardedClient
let session: WebSession
beforeAll(async () => {
  web = await startSmallWeb()
  for (const host of ['start.example', 'other.example']) web.names.set(host, ['93.184.216.34'])
  web.names.set('private.example', ['127.0.0.1'])
})
afterAll(() => web[Symbol.asyncDispose]())
beforeEach(() => {
  web.connections = 0
  web.sites.clear()
  client = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated: web.simulated, deniedHosts: ['me.example'] })
  session = client.openSession()
})
afterEach(() => client.close())

function redirectTo(location: string, status = 302): RequestListener {
  return (_, response) => response.writeHead(status, { location }).end('moved')
}

test('a redirect is an answer when nobody asked to follow it', async () => {
  web.sites.set('start.example', redirectTo('http://other.example/'))
  const answer = await session.send(START, REQUEST)
  expect(answer).toMatchObject({ status: 302, headers: { location: 'http://other.example/' }, skipped: false })
  expect(answer.body.toString()).toBe('moved')
})

test.each([301, 302, 303, 307, 308])('%i is followed to another site, and the way is told', async (status) => {
  web.sites.set('start.example', redirectTo('https://other.example/there', status))
  web.sites.set('other.example', (request, response) => response.end(`${request.method} ${request.url}`))
  const { answer, hops } = await session.follow(START, FOLLOW)
  expect(hops).toEqual([{ url: START, status }])
  expect([answer.url.href, answer.body.toString()]).toEqual(['https://other.example/there', 'GET /there'])
  expect(answer.certificate?.host).toBe('other.example')
})

test.each([
  ['three', 'http://start.example/one/three'],
  ['/three', 'http://start.example/three'],
  ['//other.example/three', 'http://other.example/three'],
  ['?three', 'http://start.example/one/two?three'],
  ['/über', 'http://start.example/%C3%BCber'],
  ['http://OTHER.example./#part', 'http://other.example/'],
])('a redirect to %s is followed to %s', async (location, url) => {
  const site: RequestListener = (request, response) => {
    if (request.url !== '/one/two') response.end('arrived')
    else response.writeHead(301, { location: Buffer.from(location).toString('latin1') }).end()
  }
  web.sites.set('start.example', site).set('other.example', site)
  const { answer } = await session.follow(START, FOLLOW)
  expect([answer.url.href, answer.body.toString()]).toEqual([url, 'arrived'])
})

test.each([
  'http://127.0.0.1:8080/secret',
  'http://private.example/',
  '//127.0.0.1/',
  '//private.example/',
  'http://2130706433/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  'ftp://other.example/',
  'gopher://other.example:6379/_INFO',
  'javascript:alert(1)',
  'http://user:pass@other.example/',
  'http://other.example:22/',
  'http://other.example:25/',
  'http://other.example:6379/',
  'http://localhost/',
  'https://me.example/',
  'http://other.example\\@127.0.0.1/',
  'http://other.example/a b',
  'http://256.1.1.1/',
])('a redirect to %s is blocked at the second hop', async (location) => {
  web.sites.set('start.example', redirectTo(location))
  await expect(session.follow(START, FOLLOW)).rejects.toMatchObject({ reason: 'blocked' })
  expect(web.connections).toBe(1)
})

test.each([START, '', '?again'])('a loop by "%s" ends after the hops allowed', async (location) => {
  let asked = 0
  web.sites.set('start.example', (_, response) => {
    asked += 1
    response.writeHead(302, { location }).end()
  })
  await expect(session.follow(START, FOLLOW)).rejects.toMatchObject({ reason: 'too_many_redirects' })
  expect(asked).toBe(6)
  expect(web.connections).toBeLessThanOrEqual(2)
})

test('a redirect that names no place is the answer', async () => {
  web.sites.set('start.example', (_, response) => response.writeHead(302).end('where?'))
  const { answer, hops } = await session.follow(START, FOLLOW)
  expect([answer.status, answer.body.toString(), hops]).toEqual([302, 'where?', []])
})

test('where only https is allowed, no redirect leads to http', async () => {
  web.sites.set('start.example', redirectTo('http://other.example/'))
  const sent = session.follow('https://start.example/', { ...FOLLOW, schemes: ['https'], ports: [443, 8443] })
  await expect(sent).rejects.toMatchObject({ reason: 'blocked', detail: 'scheme' })
})

test('credentials and headers of ours stay with the origin they were meant for, also when the way leads back', async () => {
  const seen: Record<string, unknown> = {}
  const site: RequestListener = (request, response) => {
    const { authorization, cookie, 'x-own': own, accept } = request.headers
    seen[`${request.headers.host}${request.url}`] = [authorization, cookie, own, accept]
    const next: Record<string, string> = { '/one/two': '/same', '/same': 'http://other.example/', '/': `${START}/back` }
    const location = next[request.url ?? '']
    if (location) response.writeHead(302, { location }).end()
    else response.end()
  }
  web.sites.set('start.example', site).set('other.example', site)
  const headers = { Authorization: 'Bearer x', cookie: 'a=b', 'X-Own': '1', accept: 'text/html' }
  await session.follow(START, { ...FOLLOW, headers })
  expect(seen).toEqual({
    'start.example/one/two': ['Bearer x', 'a=b', '1', 'text/html'],
    'start.example/same': ['Bearer x', 'a=b', '1', 'text/html'],
    'other.example/': [undefined, undefined, undefined, 'text/html'],
    'start.example/one/two/back': [undefined, undefined, undefined, 'text/html'],
  })
})

test('a POST is not repeated elsewhere', async () => {
  web.sites.set('start.example', redirectTo('http://other.example/', 307))
  const { answer, hops } = await session.follow(START, { ...FOLLOW, method: 'POST', body: 'secret' })
  expect([answer.status, hops]).toEqual([307, []])
})

test('one time counts for all hops together', async () => {
  web.sites.set('start.example', (_, response) => {
    setTimeout(() => response.writeHead(302, { location: START }).end(), 80)
  })
  const sent = session.follow(START, { ...FOLLOW, timeoutMs: 250 })
  await expect(sent).rejects.toMatchObject({ reason: 'timeout' })
})

/** Started by the test, ended by the client: when it goes, the site stops. */
function drip(piece: string | Buffer, everyMs: number): RequestListener {
  return (_, response) => {
    const timer = setInterval(() => response.write(piece), everyMs)
    response.on('close', () => clearInterval(timer))
  }
}

test.each<[string, RequestListener]>([
  ['never answers', () => {}],
  ['drips its body', drip('x', 10)],
  [
    'drips a compressed body',
    (request, response) => {
      response.setHeader('content-encoding', 'gzip')
      drip(zlib.gzipSync(''), 10)(request, response)
    },
  ],
  [
    'drips its headers',
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x: y\r\n'), 10)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
    },
  ],
  [
    'only ever promises',
    ({ socket }) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
    },
  ],
])('a site that %s is left when the time is over', async (_, site) => {
  web.sites.set('start.example', site)
  const startedAt = Date.now()
  const sent = session.send(START, { ...REQUEST, timeoutMs: 300 })
  await expect(sent).rejects.toMatchObject({ reason: 'timeout' })
  expect(Date.now() - startedAt).toBeLessThan(2_000)
})

test('the time includes the name', async () => {
  web.names.set('silent.example', 'silent')
  const sent = session.send('http://silent.example/', { ...REQUEST, timeoutMs: 200 })
  await expect(sent).rejects.toMatchObject({ reason: 'timeout' })
})

test('the caller may end it earlier, even before it begins', async () => {
  web.sites.set('start.example', () => {})
  const later = session.send(START, { ...REQUEST, signal: AbortSignal.timeout(50) })
  await expect(later).rejects.toMatchObject({ reason: 'timeout' })
  const before = session.send(START, { ...REQUEST, signal: AbortSignal.abort() })
  await expect(before).rejects.toMatchObject({ reason: 'timeout' })
})

const LARGE = 'x'.repeat(3_000)
test.each<[string, RequestListener]>([
  ['announced', (_, response) => response.end(LARGE)],
  [
    'in pieces',
    (_, response) => {
      response.write(LARGE)
      response.end(LARGE)
    },
  ],
  ['endless', drip(LARGE, 1)],
  ['compressed', (_, response) => response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync(LARGE))],
  [
    'a bomb',
    (_, response) => response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync(Buffer.alloc(50_000_000, 'x'))),
  ],
])('a body that is too large (%s) is cut or refused, as asked', async (_, site) => {
  web.sites.set('start.example', site)
  const cut = await session.send(START, REQUEST)
  expect([cut.cut, cut.body.toString()]).toEqual([true, 'x'.repeat(1_000)])
  const refused = session.send(START, { ...REQUEST, whenTooLarge: 'refuse' })
  await expect(refused).rejects.toMatchObject({ reason: 'too_large' })
})

test('an announced length beyond the bound is refused before the body comes', async () => {
  web.sites.set('start.example', (_, response) => {
    response.writeHead(200, { 'content-length': 1_001 }).flushHeaders()
  })
  const refused = session.send(START, { ...REQUEST, whenTooLarge: 'refuse' })
  await expect(refused).rejects.toMatchObject({ reason: 'too_large' })
})

test.each<[string, string, RequestListener]>([
  ['stacked encodings', 'encoding', (_, response) => response.setHeader('content-encoding', 'gzip, gzip').end('x')],
  [
    'encodings in two headers',
    'encoding',
    (_, response) => response.setHeader('content-encoding', ['gzip', 'br']).end('x'),
  ],
  ['a false encoding', 'encoding', (_, response) => response.setHeader('content-encoding', 'gzip').end('not gzip')],
  ['one header beyond 16 KB', 'headers', (_, response) => response.setHeader('x', 'y'.repeat(17_000)).end('x')],
  [
    'many headers beyond 16 KB',
    'headers',
    (_, response) => {
      for (let nth = 0; nth < 400; nth++) response.setHeader(`x-${nth}`, 'y'.repeat(50))
      response.end('x')
    },
  ],
  [
    'endless headers',
    'headers',
    ({ socket }) => {
      socket.on('error', () => {}).write(`HTTP/1.1 200 OK\r\n${'x: yyyyyyyyyyyyyyyyyyyy\r\n'.repeat(20_000)}`)
    },
  ],
  ['a cut connection', 'reset', ({ socket }) => void socket.destroy()],
  [
    'half a body',
    'reset',
    (_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half')
      setTimeout(() => response.socket?.destroy(), 20)
    },
  ],
  ['something that is not HTTP', 'network', ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
])('%s is told as %s, before and after the name is known', async (_, reason, site) => {
  web.sites.set('start.example', site)
  await expect(session.send(START, REQUEST)).rejects.toMatchObject({ reason })
  await session.resolve('start.example')
  await expect(session.send(START, REQUEST)).rejects.toMatchObject({ reason })
  web.sites.set('start.example', (_request, response) => response.end('fine'))
  expect((await session.send(START, REQUEST)).body.toString()).toBe('fine')
})

test.each<[string, RequestListener]>([
  ['a short one', (_, response) => response.setHeader('content-type', 'image/png').end('picture')],
  ['a long one', (_, response) => response.setHeader('content-type', 'image/png').end(Buffer.alloc(5_000_000))],
  [
    'an endless one',
    (request, response) => {
      response.setHeader('content-type', 'image/png')
      drip('x', 5)(request, response)
    },
  ],
])('a body of the wrong kind is not read: %s', async (_, site) => {
  web.sites.set('start.example', site)
  const asked: Array<string | null> = []
  const accepts: WebRequest['accepts'] = (type) => {
    asked.push(type)
    return type?.startsWith('text/html') ?? false
  }
  const answer = await session.send(START, { ...REQUEST, accepts })
  expect([answer.status, answer.skipped, answer.body.length, asked]).toEqual([200, true, 0, ['image/png']])
})
