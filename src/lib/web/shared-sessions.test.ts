import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GuardedClient } from './guarded-client.ts'
import { SharedSessions } from './shared-sessions.ts'
import { type SmallWeb, startSmallWeb } from './small-web.fixture.ts'

const AT = { origin: 'https://hooks.example', hostname: 'hooks.example' }
const ADDRESS = '93.184.216.34'
const REQUEST = { method: 'POST', body: '{}', timeoutMs: 5_000, bodyBytesMax: 4_096, whenTooLarge: 'cut' } as const
const CHECKED_MS = 400

let web: SmallWeb
let client: GuardedClient
let sessions: SharedSessions

beforeEach(async () => {
  web = await startSmallWeb()
  web.names.set('hooks.example', [ADDRESS])
  web.sites.set('hooks.example', (request, response) => {
    if (request.url === '/slow') setTimeout(() => response.end('late'), 4 * CHECKED_MS)
    else if (request.url !== '/hang') response.end('taken')
  })
  client = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated: web.simulated })
  sessions = new SharedSessions({ checkedMs: CHECKED_MS, lifeMsMax: 3 * CHECKED_MS, idleMsMax: 2 * CHECKED_MS })
})

afterEach(async () => {
  await sessions.close()
  await client.close()
  await web[Symbol.asyncDispose]()
})

const take = () => sessions.take(AT, () => client.openSession({ connectionsPerOriginMax: 100 }))

async function send(path = '/'): Promise<string> {
  const use = await take()
  try {
    await use.session.resolve('hooks.example')
    return (await use.session.send(`https://hooks.example${path}`, REQUEST)).body.toString()
  } finally {
    use.leave()
  }
}

const asked = () => web.queries.filter((query) => query === 'A hooks.example').length

test('requests to one origin share a connection, and those to another have their own', async () => {
  web.names.set('other.example', [ADDRESS])
  web.sites.set('other.example', (_, response) => response.end('other'))
  expect([await send(), await send(), await send('/third')]).toEqual(['taken', 'taken', 'taken'])
  expect([web.connections, asked()]).toEqual([1, 1])
  const other = await sessions.take({ origin: 'https://other.example', hostname: 'other.example' }, () =>
    client.openSession(),
  )
  await other.session.send('https://other.example/', REQUEST)
  other.leave()
  expect(web.connections).toBe(2)
})

test('a name that is still the same after its time keeps its connections, once it was looked up again', async () => {
  await send()
  await sleep(CHECKED_MS + 20)
  await Promise.all([send(), send(), send()])
  expect(asked()).toBe(2)
  const { session, leave } = await take()
  leave()
  const again = await take()
  again.leave()
  expect(again.session).toBe(session)
})

test('a name that turned private is refused as soon as its time is over, although a connection is open', async () => {
  await send()
  web.names.set('hooks.example', ['10.0.0.7'])
  expect(await send()).toBe('taken')
  await sleep(CHECKED_MS + 20)
  await expect(send()).rejects.toMatchObject({ reason: 'blocked' })
  expect(web.connections).toBe(1)
})

test('a name that moved is dialled at its new address', async () => {
  const first = await take()
  expect((await first.session.send('https://hooks.example/', REQUEST)).address).toBe(ADDRESS)
  first.leave()
  web.names.set('hooks.example', ['93.184.216.99'])
  await sleep(CHECKED_MS + 20)
  const second = await take()
  expect((await second.session.send('https://hooks.example/', REQUEST)).address).toBe('93.184.216.99')
  second.leave()
  expect(first.session.isClosed).toBe(true)
})

test('no session takes requests for longer than its life', async () => {
  const first = await take()
  for (let count = 0; count < 5; count += 1) {
    await sleep(CHECKED_MS)
    const use = await take()
    use.leave()
  }
  const last = await take()
  expect(last.session).not.toBe(first.session)
  last.leave()
  expect(first.session.isClosed).toBe(false)
  first.leave()
  expect(first.session.isClosed).toBe(true)
})

test('a neighbour that hangs takes no connection from others', async () => {
  const hanging = Array.from({ length: 20 }, () => send('/hang').catch((error: unknown) => error))
  await expect.poll(() => web.connections).toBe(20)
  const begun = performance.now()
  expect(await Promise.all(Array.from({ length: 20 }, () => send()))).toEqual(Array(20).fill('taken'))
  expect(performance.now() - begun).toBeLessThan(REQUEST.timeoutMs)
  await client.close()
  await Promise.all(hanging)
})

test('a session that is retired while it is used serves what is under way to its end', async () => {
  const slow = send('/slow')
  await expect.poll(() => web.connections).toBe(1)
  const failed = await take()
  failed.retire()
  const next = await take()
  expect(next.session).not.toBe(failed.session)
  expect(failed.session.isClosed).toBe(false)
  expect(await slow).toBe('late')
  expect(failed.session.isClosed).toBe(true)
  next.leave()
})

test('an idle session is closed, and one in use is not', async () => {
  const idle = await take()
  idle.leave()
  await expect.poll(() => idle.session.isClosed).toBe(true)
  const used = await take()
  await sleep(4 * CHECKED_MS)
  expect(used.session.isClosed).toBe(false)
  used.leave()
})

test('closing ends idle sessions at once and lets nothing begin; the client ends what is in use', async () => {
  const idle = await sessions.take({ origin: 'https://idle.example', hostname: 'idle.example' }, () =>
    client.openSession(),
  )
  idle.leave()
  const hanging = send('/hang')
  const ended = expect(hanging).rejects.toMatchObject({ reason: 'network' })
  await expect.poll(() => web.connections).toBe(1)
  await sessions.close()
  expect(idle.session.isClosed).toBe(true)
  await expect(take()).rejects.toThrow('the sessions are closed')
  await client.close()
  await ended
})
