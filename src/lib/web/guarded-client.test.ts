/** Names, connections and what the machine around us says. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { GuardedClient, type WebSession } from './guarded-client.ts'
import { createGuardedConnector, createTrust } from './guarded-connector.ts'
import { type NameMeaning, type SmallWeb, startSmallWeb } from './small-web.fixture.ts'

const REQUEST = { timeoutMs: 5_000, bodyBytesMax: 1_000, whenTooLarge: 'cut' } as const

let web: SmallWeb
let client: GuardedClient
let session: WebSession
beforeAll(async () => {
  web = await startSmallWeb()
})
afterAll(() => web[Symbol.asyncDispose]())
beforeEach(() => {
  web.connections = 0
  web.queries.length = 0
  client = new GuardedClient({ userAgent: 'NameplateBot/test', dnsServers: [], simulated: web.simulated })
  session = client.openSession()
})
afterEach(() => client.close())

test('an answer says where it came from', async () => {
  web.names.set('acme.example', ['93.184.216.34', '2606:2800:21f::1'])
  web.sites.set('acme.example', (request, response) => {
    response.setHeader('x-agent', request.headers['user-agent'] ?? '')
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(`${request.method} ${request.url}`)
  })
  const answer = await session.send('http://ACME.example./a?b=%20#c', REQUEST)
  expect(answer).toMatchObject({ status: 200, cut: false, skipped: false, address: '93.184.216.34', certificate: null })
  expect(answer.url.href).toBe('http://acme.example/a?b=%20')
  expect(answer.body.toString()).toBe('GET /a?b=%20')
  expect(answer.headers).toMatchObject({ 'x-agent': 'NameplateBot/test', 'set-cookie': 'a=1, b=2' })
})

test('a POST carries its body and headers; a HEAD has no body, whatever length it tells', async () => {
  web.names.set('acme.example', ['93.184.216.34'])
  web.sites.set('acme.example', (request, response) => {
    response.setHeader('content-length', request.method === 'HEAD' ? 1_000_000 : 14)
    response.setHeader('x-signature', request.headers['x-signature'] ?? 'none')
    if (request.method === 'HEAD') response.end()
    else request.pipe(response.writeHead(200))
  })
  const headers = { 'X-Signature': 'signed', 'content-type': 'text/plain' }
  const posted = await session.send('http://acme.example/', {
    ...REQUEST,
    method: 'POST',
    headers,
    body: 'hello receiver',
  })
  expect([posted.headers['x-signature'], posted.body.toString()]).toEqual(['signed', 'hello receiver'])
  const head = await session.send('http://acme.example/', { ...REQUEST, method: 'HEAD', whenTooLarge: 'refuse' })
  expect([head.status, head.body.length]).toEqual([200, 0])
})

test.each(['host', 'Host', 'user-agent', 'accept-encoding'])('%s cannot be set from outside', async (name) => {
  web.names.set('acme.example', ['93.184.216.34'])
  await expect(session.send('http://acme.example/', { ...REQUEST, headers: { [name]: 'x' } })).rejects.toThrow(/own/)
  expect(web.connections).toBe(0)
})

test('a name that turns private after its first answer is asked once and stays where it was', async () => {
  web.names.set('rebind.example', (before) => [before === 0 ? '93.184.216.34' : '127.0.0.1'])
  web.sites.set('rebind.example', (_, response) => response.setHeader('connection', 'close').end('public'))
  for (let nth = 0; nth < 3; nth++) {
    const answer = await session.send('http://rebind.example/', REQUEST)
    expect([answer.body.toString(), answer.address]).toEqual(['public', '93.184.216.34'])
  }
  expect(web.connections).toBe(3)
  expect(web.queries.sort()).toEqual(['A rebind.example', 'AAAA rebind.example'])
  const later = client.openSession()
  await expect(later.send('http://rebind.example/', REQUEST)).rejects.toMatchObject({ reason: 'blocked' })
  expect(web.connections).toBe(3)
})

test('a socket is used again within its session, though the name would lead elsewhere now, and never by another', async () => {
  web.names.set('kept.example', (before) => [before === 0 ? '93.184.216.34' : '93.184.216.35'])
  web.sites.set('kept.example', (_, response) => response.end('kept'))
  for (let nth = 0; nth < 8; nth++) {
    expect(await session.send('http://kept.example/', REQUEST)).toMatchObject({ address: '93.184.216.34' })
  }
  const opened = web.connections
  expect(opened).toBeLessThanOrEqual(2)
  const elsewhere = await client.openSession().send('http://kept.example/', REQUEST)
  expect([elsewhere.address, web.connections]).toEqual(['93.184.216.35', opened + 1])
})

test('many requests at once share two sockets and one question', async () => {
  web.names.set('busy.example', ['93.184.216.34'])
  web.sites.set('busy.example', (_, response) => void setTimeout(() => response.end('ok'), 10))
  await Promise.all(Array.from({ length: 10 }, () => session.send('http://busy.example/', REQUEST)))
  expect([web.connections, web.queries.length]).toEqual([2, 2])
})

test.each<[string, NameMeaning, object]>([
  ['only in IPv6', ['2606:2800:21f::1'], { status: 200 }],
  ['through an alias', { alias: 'target.example' }, { status: 200 }],
  ['in the second try', (before) => (before === 0 ? 'silent' : ['93.184.216.34']), { status: 200 }],
  ['only in private IPv6', ['fd00::1'], { reason: 'blocked', detail: 'address' }],
  ['through an alias to a private one', { alias: 'private.example' }, { reason: 'blocked', detail: 'address' }],
  ['nowhere', [], { reason: 'name_not_found' }],
  ['through an alias to nowhere', { alias: 'nobody.example' }, { reason: 'name_not_found' }],
  ['where the name server fails', 'servfail', { reason: 'name_failed', detail: 'ESERVFAIL' }],
  ['where the name server is silent', 'silent', { reason: 'name_timeout' }],
])('a name that leads %s', async (_, meaning, outcome) => {
  web.names.set('target.example', ['93.184.216.35'])
  web.names.set('private.example', ['10.0.0.1'])
  web.names.set('named.example', meaning)
  web.sites.set('named.example', (_request, response) => response.end('here'))
  const got = await session.send('http://named.example/', REQUEST).catch((error: unknown) => error)
  expect(got).toMatchObject(outcome)
})

test('a refused name tells nobody what it meant', async () => {
  web.names.set('inside.example', ['10.20.30.40'])
  const error = await session.send('http://inside.example/', REQUEST).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason: 'blocked', detail: 'address' })
  expect((error as Error).message).not.toContain('10.20.30.40')
  expect((error as Error).cause).toBeUndefined()
})

test('a session tells the addresses of a name by the same rules', async () => {
  web.names.set('many.example', ['93.184.216.34', '93.184.216.35', '2606:2800:21f::1'])
  expect(await session.resolve('Many.Example.')).toEqual(['93.184.216.34', '93.184.216.35', '2606:2800:21f::1'])
  expect(await session.resolve('[2606:2800:21f::1]')).toEqual(['2606:2800:21f::1'])
  for (const host of ['localhost', '127.0.0.1', '2130706433', '[::1]', '10.1', 'a b.example', 'x@many.example']) {
    await expect(session.resolve(host), host).rejects.toMatchObject({ reason: 'blocked' })
  }
  expect(web.connections).toBe(0)
})

test('the simulated web has no other ports', async () => {
  web.names.set('acme.example', ['93.184.216.34'])
  for (const url of ['http://acme.example:8080/', 'https://acme.example:8443/']) {
    await expect(session.send(url, REQUEST)).rejects.toMatchObject({ reason: 'refused' })
  }
  expect(web.connections).toBe(0)
})

test('a port where nobody listens is told as refused', async () => {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  const lonely = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated: { ...web.simulated, httpPort: port } })
  web.names.set('acme.example', ['93.184.216.34'])
  const sent = lonely.openSession().send('http://acme.example/', REQUEST)
  await expect(sent).rejects.toMatchObject({ reason: 'refused', detail: 'ECONNREFUSED' })
  await lonely.close()
})

test.each([
  ['a name that was never looked up', 'unknown.example', undefined],
  ['a name pinned to nothing', 'empty.example', []],
  ['a name pinned to a private address', 'private.example', ['127.0.0.1']],
  ['a private literal, whatever is pinned', '127.0.0.1', ['93.184.216.34']],
  ['a private IPv6 literal, whatever is pinned', '::1', ['93.184.216.34']],
])('the last step does not dial %s', async (_, hostname, pinned) => {
  let reached = 0
  const trap = createServer(() => (reached += 1)).listen(0, '127.0.0.1')
  await once(trap, 'listening')
  const port = `${(trap.address() as AddressInfo).port}`
  const connect = createGuardedConnector({
    simulated: null,
    trust: createTrust(null),
    pinnedAddresses: () => pinned,
    onConnected: () => {},
  })
  const outcome = await new Promise((resolve) =>
    connect({ hostname, protocol: 'http:', port }, (...[error]) => resolve(error)),
  )
  trap.close()
  expect(outcome).toMatchObject({ reason: 'blocked' })
  expect(reached).toBe(0)
})

test('a proxy that the environment names is not used', async () => {
  web.names.set('acme.example', ['93.184.216.34'])
  web.sites.set('acme.example', (_, response) => response.end('direct'))
  let asked = 0
  const proxy = createServer((socket) => {
    asked += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const program = `
    import { GuardedClient } from './guarded-client.ts'
    const client = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated: ${JSON.stringify(web.simulated)} })
    for (const scheme of ['http', 'https']) {
      const answer = await client.openSession().send(scheme + '://acme.example/', ${JSON.stringify(REQUEST)})
      console.log(answer.body.toString())
    }
    await client.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname),
    env: { ...Object.fromEntries(names.map((name) => [name, address])), NODE_USE_ENV_PROXY: '1' },
  })
  proxy.close()
  expect([stdout, asked]).toEqual(['direct\ndirect\n', 0])
})

test('a closed client ends what is under way and asks nothing more', async () => {
  web.names.set('slow.example', ['93.184.216.34'])
  web.sites.set('slow.example', () => {})
  const waiting = session.send('http://slow.example/', REQUEST)
  const ended = expect(waiting).rejects.toMatchObject({ reason: 'network' })
  while (web.connections === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await client.close()
  await ended
  await expect(session.send('http://slow.example/', REQUEST)).rejects.toMatchObject({ reason: 'network' })
  expect(web.connections).toBe(1)
})
