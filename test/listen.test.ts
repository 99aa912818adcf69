/** `nameplate listen`: the real program, the public API, and a receiver on this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request as sendOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { findFreePort } from '../rig/postgres.ts'
import { programEnvironment } from '../rig/program.ts'
import { Receiver } from '../rig/web/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { ALDER } from './setup/companies.ts'
import { prepareEach, useTestService } from './setup/harness.ts'

const HOST = 'hooks.alderfinch.co.uk'
const deployed = new Receiver()
const it = useTestService({ companies: [ALDER], sites: { [HOST]: { receiver: deployed } } })
const account = prepareEach(() => it.openAccount())
const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

interface Arrival {
  headers: IncomingHttpHeaders
  body: string
  path: string
}

/** Starts the receiver of a developer. */
async function develop({ port = 0, statuses = [204] } = {}) {
  const arrived: Arrival[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      arrived.push({ headers: request.headers, path: request.url ?? '', body })
      const status = statuses[arrived.length - 1] ?? statuses.at(-1) ?? 204
      response.writeHead(status, { location: '/elsewhere' }).end('<html>')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close().closeAllConnections())
  return { arrived, port: (server.address() as AddressInfo).port }
}

const MAIN = join(import.meta.dirname, '../clients/cli/main.ts')
const LIFE_MS = 300_000

// oxlint-disable-next-line typescript/no-explicit-any -- tests read the lines freely
type Line = Record<string, any>

/** Nothing of the service's settings: what a customer's machine has. */
function listen(argv: string[], env: NodeJS.ProcessEnv = customerEnvironment()) {
  const child = spawn(process.execPath, [MAIN, 'listen', ...argv], { env, timeout: LIFE_MS, killSignal: 'SIGKILL' })
  const [out, err] = [collect(child, 'stdout'), collect(child, 'stderr')]
  const exited = once(child, 'close').then(([code]) => ({ code: code as number, out: out(), err: err() }))
  cleanups.push(() => child.kill('SIGKILL'))
  const lines = () =>
    out()
      .split('\n')
      .slice(0, -1)
      .map((line): Line => JSON.parse(line))
  return {
    out,
    exited,
    lines,
    /** The first line that says so, once it is there. */
    until: async (happened: string, count = 1) => {
      const found = () => lines().filter((line) => line['happened'] === happened)
      const ended = () => (child.exitCode === null ? 'not yet' : `ended: ${err()}`)
      await expect.poll(() => (found().length < count ? ended() : 'there')).toBe('there')
      return found()[count - 1] as Line
    },
    interrupt: () => {
      child.kill('SIGINT')
      return exited
    },
  }
}

/** With the test key, whose events `raise` makes. */
function customerEnvironment(key = account.testKey): NodeJS.ProcessEnv {
  return {
    ...programEnvironment(),
    // Nothing that a login of the person who runs the tests has stored.
    XDG_CONFIG_HOME: '/nonexistent',
    NAMEPLATE_API_KEY: key,
    NAMEPLATE_API_URL: it.config.baseUrl.origin,
  }
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = []
  child[name]?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

const raise = (signal_type = 'status_changed') =>
  it.call('POST', '/v1/test/signals', { key: account.testKey, body: { signal_type } })

async function countListeners(): Promise<number> {
  const rows = await it.app.db.query(
    `select from webhook_destination where account_id = $1 and listens_until is not null and deleted_at is null`,
    [account.id],
  )
  return rows.length
}

test('a change of a watched company arrives at the local port just as at a destination, and Ctrl-C ends it', async () => {
  const { key } = account
  await it.call('POST', '/v1/watchlist', { key, body: { company_number: ALDER.number } })
  const body = { webhook_url: `https://${HOST}/in`, signal_type: 'all' }
  await it.call('POST', '/v1/partner/webhooks', { key, body })
  const receiver = await develop()
  const listening = listen(
    ['--forward-to', `http://127.0.0.1:${receiver.port}/hooks?from=here`, '--json'],
    customerEnvironment(key),
  )
  const { secret, forward_to: to } = await listening.until('listening')
  expect(to).toBe(`http://127.0.0.1:${receiver.port}/hooks?from=here`)

  await putCompanies(it.app, [{ ...ALDER, name: 'ALDERFINCH CAFÉ LIMITED' }])
  await recordQueuedChanges(it.app)
  const [there] = await deployed.waitFor(1)
  const line = await listening.until('handed_on')
  expect(receiver.arrived).toHaveLength(1)
  const [here] = receiver.arrived as [Arrival]
  expect(here.body).toBe(there?.body)
  expect(here.path).toBe('/hooks?from=here')
  expect(Object.keys(here.headers).filter(isOurs).sort()).toEqual(
    Object.keys(there?.headers ?? {})
      .filter(isOurs)
      .sort(),
  )
  for (const name of ['x-webhook-id', 'x-webhook-event', 'x-webhook-attempt', 'content-type'])
    expect([name, here.headers[name]]).toEqual([name, there?.headers[name]])
  const event = new Webhook(secret).verify(here.body, here.headers as Record<string, string>)
  expect(event).toMatchObject({ type: 'signal', signal_type: 'name_changed' })
  expect(line).toMatchObject({
    event_id: here.headers['x-webhook-id'],
    signal_type: 'name_changed',
    company_number: ALDER.number,
    company_name: 'ALDERFINCH CAFÉ LIMITED',
    attempt: 1,
    status: 204,
    duration_ms: expect.any(Number),
  })

  expect(await countListeners()).toBe(1)
  expect(await listening.interrupt()).toMatchObject({ code: 0, err: '' })
  expect(await countListeners()).toBe(0)
  expect(listening.lines().map(({ happened }) => happened)).toEqual(['listening', 'handed_on', 'stopped'])
})

const isOurs = (name: string) => !/^(?:host|connection|content-length|accept.*)$/.test(name)

test('it prints the secret, what to do with it, and a line for each event', async () => {
  const receiver = await develop()
  const listening = listen(['--forward-to', String(receiver.port), '--signal-type', 'director_appointed'])
  await expect.poll(listening.out).toContain('Ctrl-C stops.')
  const [, secret = ''] = /export WEBHOOK_SECRET='(whsec_\S+)'/.exec(listening.out()) ?? []
  await raise('name_changed')
  await raise('director_appointed')
  await expect.poll(listening.out).toContain('→')
  expect(listening.out()).toMatch(/^\d\d:\d\d:\d\d {2}director_appointed {2}TS000001 {2}\S.* {2}→ 204 {2}\d+ ms$/m)
  const [only] = receiver.arrived as [Arrival]
  expect(receiver.arrived).toHaveLength(1)
  expect(new Webhook(secret).verify(only.body, only.headers as Record<string, string>)).toMatchObject({ test: true })
  expect((await listening.interrupt()).out).toMatch(/Stopped\.\n$/)
})

test('while no receiver runs at the port it says so and tries again; then everything comes, in order', async () => {
  const port = await findFreePort()
  const listening = listen(['--forward-to', `http://127.0.0.1:${port}/`, '--json'])
  await listening.until('listening')
  for (const type of ['status_changed', 'name_changed', 'charge_registered']) await raise(type)
  const shown = await listening.until('unanswered')
  expect(shown).toMatchObject({
    signal_type: 'status_changed',
    reason: 'the connection was refused',
    next_try_ms: 1_000,
  })
  const again = await listening.until('unanswered', 2)
  expect(again).toMatchObject({ event_id: shown['event_id'], attempt: 2, next_try_ms: 2_000 })
  const receiver = await develop({ port })
  await listening.until('handed_on', 3)
  const types = receiver.arrived.map(({ headers }) => [headers['x-webhook-event'], headers['x-webhook-attempt']])
  expect(types).toEqual([
    ['status_changed', expect.stringMatching(/^[3-9]$/)],
    ['name_changed', '1'],
    ['charge_registered', '1'],
  ])
  expect((await listening.interrupt()).code).toBe(0)
})

test('every status of the receiver is shown, and the event is not sent again', async () => {
  const statuses = [500, 410, 302]
  const receiver = await develop({ statuses })
  const listening = listen(['--forward-to', `127.0.0.1:${receiver.port}`, '--json'])
  await listening.until('listening')
  for (const type of ['status_changed', 'name_changed', 'charge_registered']) await raise(type)
  await listening.until('handed_on', 3)
  const shown = listening.lines().filter(({ happened }) => happened === 'handed_on')
  expect(shown.map(({ status }) => status)).toEqual(statuses)
  await raise('psc_changed')
  await listening.until('handed_on', 4)
  const types = receiver.arrived.map(({ headers }) => headers['x-webhook-event'])
  expect(types).toEqual(['status_changed', 'name_changed', 'charge_registered', 'psc_changed'])
  await listening.interrupt()
})

test('it continues after the service was away for a moment, and misses nothing', async () => {
  const receiver = await develop()
  const way = await openWay(it.config.baseUrl)
  const env = { ...customerEnvironment(), NAMEPLATE_API_URL: `http://127.0.0.1:${way.port}` }
  const listening = listen(['--forward-to', String(receiver.port), '--json'], env)
  await listening.until('listening')
  way.close()
  await raise()
  expect(await listening.until('service_away')).toMatchObject({
    reason: expect.stringContaining('No answer from'),
  })
  await openWay(it.config.baseUrl, way.port)
  await listening.until('handed_on')
  expect(receiver.arrived).toHaveLength(1)
  await listening.interrupt()
})

/** To the service through a port that can be closed, as a deployment does for a moment. */
async function openWay(to: URL, port = 0) {
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    const onward = sendOn(new URL(url ?? '', to), { method, headers: { ...headers, host: to.host } }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    request.pipe(onward.on('error', () => response.destroy()))
    response.on('close', () => onward.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = () => server.close().closeAllConnections()
  cleanups.push(close)
  return { port: (server.address() as AddressInfo).port, close }
}

describe('what cannot work ends at once and says what to do', () => {
  const forward = ['--forward-to', 'http://localhost:3000/hooks']

  test.each([
    ['an address that is none', ['--forward-to', 'ftp://localhost/'], {}, 2, 'It must be an http address'],
    ['no key', forward, { NAMEPLATE_API_KEY: undefined }, 2, 'You are not logged in.'],
    ['no API', forward, { NAMEPLATE_API_URL: undefined }, 2, 'or set NAMEPLATE_API_URL and NAMEPLATE_API_KEY.'],
    ['a wrong key', forward, { NAMEPLATE_API_KEY: 'np_live_wrong' }, 1, 'comes from --api-key, NAMEPLATE_API_KEY or'],
    ['words for a key', [...forward, '--api-key', 'not a key'], {}, 1, 'This is not an API key.'],
    ['an unknown type', [...forward, '--signal-type', 'everything'], {}, 1, 'must be one of status_changed, '],
    [
      'no service',
      [...forward, '--api-url', 'http://127.0.0.1:2'],
      {},
      1,
      'the connection was refused. Is it running?',
    ],
  ])('%s', async (_, argv, change, code, words) => {
    const ended = await listen(argv, { ...customerEnvironment(), ...change }).exited
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(words) })
  })

  test('an address where something else answers', async () => {
    const { port } = await develop({ statuses: [200] })
    const ended = await listen([...forward, '--api-url', `http://127.0.0.1:${port}`]).exited
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('is not this API') })
  })
})
