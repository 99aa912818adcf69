/** Every forbidden form goes through a real client while listeners stand where it would lead: none of them is reached. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import corpus from './web/forbidden-addresses.fixture.json' with { type: 'json' }
import { GuardError, GuardedClient, type SimulatedWeb } from './web/guarded-client.ts'
import { type SmallWeb, startSmallWeb } from './web/small-web.fixture.ts'

const PORTS = [22, 25, 80, 443, 6379, 8080, 8443]
const PUBLIC_ADDRESS = '93.184.216.34'
const REQUEST = { timeoutMs: 5_000, bodyBytesMax: 1_000, whenTooLarge: 'cut' } as const

let web: SmallWeb
const traps: Server[] = []
let reached = 0

beforeAll(async () => {
  web = await startSmallWeb()
  for (const host of ['127.0.0.1', '::1']) for (const port of [...PORTS, 0]) await setTrap(host, port)
})
afterAll(async () => {
  for (const trap of traps) trap.close()
  await web[Symbol.asyncDispose]()
})
beforeEach(() => {
  reached = 0
  web.connections = 0
  web.queries.length = 0
})

async function setTrap(host: string, port: number): Promise<void> {
  const trap = createServer((socket) => {
    reached += 1
    socket.destroy()
  })
  try {
    await once(trap.listen(port, host), 'listening')
    traps.push(trap)
  } catch {
    // Taken, or not ours to take, or no IPv6 here.
  }
}

function createClient(simulated: SimulatedWeb | null): GuardedClient {
  return new GuardedClient({
    userAgent: 'test',
    dnsServers: [web.simulated.dnsServer],
    simulated,
    deniedHosts: ['api.nameplate.example', 'nameplate.example'],
  })
}

const WORLDS = [
  ['the internet', () => null],
  ['the simulated web', () => web.simulated],
] as const

/** Returns the result of each address that was not blocked. */
async function listUnblocked(urls: string[], simulated: SimulatedWeb | null): Promise<string[]> {
  const client = createClient(simulated)
  const unblocked: string[] = []
  for (const url of urls) {
    const session = client.openSession()
    const outcome = await session.send(url, REQUEST).then(
      ({ status }) => `${status}`,
      (error: unknown) => (error instanceof GuardError ? error.reason : String(error)),
    )
    if (outcome !== 'blocked') unblocked.push(`${url} ${outcome}`)
    await session.close()
  }
  await client.close()
  return unblocked
}

test.each(WORLDS)('no form of a forbidden address leads anywhere in %s', async (_, simulated) => {
  expect(await listUnblocked(corpus.blocked, simulated())).toEqual([])
  expect([reached, web.connections, web.queries]).toEqual([0, 0, []])
})

test.each(WORLDS)('a name with a forbidden answer is refused in %s', async (_, simulated) => {
  for (const [url, answers] of Object.entries(corpus.blockedByAnswer)) {
    web.names.set(new URL(url).hostname.replace(/\.$/, ''), answers)
  }
  expect(await listUnblocked(Object.keys(corpus.blockedByAnswer), simulated())).toEqual([])
  expect([reached, web.connections]).toEqual([0, 0])
})

test.each(WORLDS)('every forbidden range is refused as the answer of a name server in %s', async (_, simulated) => {
  const hosts = corpus.forbiddenAnswers.map((_address, nth) => `range-${nth}.example.org`)
  corpus.forbiddenAnswers.forEach((address, nth) => {
    web.names.set(hosts[nth] ?? '', [address])
    web.names.set(`also-${hosts[nth]}`, [PUBLIC_ADDRESS, address])
    web.names.set(`alias-${hosts[nth]}`, { alias: hosts[nth] ?? '' })
  })
  const urls = ['', 'also-', 'alias-'].flatMap((prefix) =>
    hosts.flatMap((host) => [`http://${prefix}${host}/`, `https://${prefix}${host}:8443/`]),
  )
  expect(await listUnblocked(urls, simulated())).toEqual([])
  expect([reached, web.connections]).toEqual([0, 0])
})

test('a public site cannot redirect to any of them', async () => {
  const start = 'http://start.example.org/'
  web.names.set('start.example.org', [PUBLIC_ADDRESS])
  for (const [url, answers] of Object.entries(corpus.blockedByAnswer)) {
    web.names.set(new URL(url).hostname.replace(/\.$/, ''), answers)
  }
  const targets = [...corpus.blocked, ...Object.keys(corpus.blockedByAnswer)].filter(
    // What cannot stand in a header is no redirect, and what stays on the same host is harmless.
    // oxlint-disable-next-line eslint/no-control-regex
    (url) => !/[\u0000-\u001f\u007f]/.test(url) && URL.parse(url, start)?.host !== 'start.example.org',
  )
  expect(targets.length).toBeGreaterThan(450)
  const hosts = new Set<string | undefined>()
  let target = ''
  web.sites.set('start.example.org', (request, response) => {
    hosts.add(request.headers.host)
    response.writeHead(302, { location: Buffer.from(target).toString('latin1') }).end()
  })
  const client = createClient(web.simulated)
  const session = client.openSession()
  const unblocked: string[] = []
  for (target of targets) {
    const outcome = await session.follow(start, { ...REQUEST, hopsMax: 5 }).then(
      ({ answer }) => `${answer.url.href} ${answer.status}`,
      (error: unknown) => (error instanceof GuardError ? error.reason : String(error)),
    )
    if (outcome !== 'blocked') unblocked.push(`${target} ${outcome}`)
  }
  await client.close()
  expect(unblocked).toEqual([])
  expect(reached).toBe(0)
  expect([...hosts]).toEqual(['start.example.org'])
})

test('the listeners would have noticed', async () => {
  // Every machine has a free port, so at least one trap listens.
  expect(traps.length).toBeGreaterThan(0)
  for (const trap of traps) {
    const { address, port } = trap.address() as AddressInfo
    await once(connect(port, address).resume(), 'close')
  }
  expect(reached).toBe(traps.length)
})
