import { once } from 'node:events'
import { Agent } from 'node:https'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ListeningWeb, Receiver, type ReceiverBehaviour } from './index.ts'
import { dial, openSites, visit } from './web-visitor.ts'

const HOOK = 'https://hooks.uk/in?from=nameplate'
const BODY = '{"id":"evt_1","name":"Café “Zoë” ☃","big":1e400}\r\n'

let receiver: Receiver
let web: ListeningWeb
beforeEach(async () => {
  receiver = new Receiver()
  web = await openSites({ 'hooks.uk': { receiver, pages: { '/': 'home' } } })
})
afterEach(() => web.close())

/** Each over a connection of its own. */
function post(eventId: string, url = HOOK) {
  return visit(web, url, { method: 'POST', agent: false, headers: { 'x-webhook-id': eventId }, body: BODY })
}

async function postTimes(count: number, eventId: string): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < count) statuses.push((await post(eventId)).status)
  return statuses
}

/** Whether the time is over before something else happens. */
async function isSilentFor(delayMs: number, event: Promise<unknown>): Promise<boolean> {
  const silence = new Promise<true>((resolve) => setTimeout(resolve, delayMs, true))
  return Promise.race([silence, event.then(() => false as const)])
}

describe('what was received', () => {
  it('is kept byte for byte, in order, whatever the path and the scheme', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x0d, 0x0a])
    const startedAt = Date.now()
    await visit(web, HOOK, { method: 'POST', headers: { 'X-Webhook-Id': 'evt_1' }, body: BODY })
    await visit(web, 'http://www.hooks.uk/', { method: 'POST', body: bytes })
    await visit(web, 'https://hooks.uk/other', { method: 'POST' })
    expect(receiver.received).toMatchObject([
      { method: 'POST', path: '/in?from=nameplate', body: BODY, rawBody: Buffer.from(BODY), answeredStatus: 200 },
      { method: 'POST', path: '/', rawBody: bytes, answeredStatus: 200 },
      { method: 'POST', path: '/other', body: '', rawBody: Buffer.alloc(0), answeredStatus: 200 },
    ])
    expect(receiver.received[0]?.headers).toMatchObject({ host: 'hooks.uk', 'x-webhook-id': 'evt_1' })
    expect(receiver.received[0]?.at.getTime()).toBeGreaterThanOrEqual(startedAt)
    expect(receiver.arrived).toBe(3)
  })

  it('leaves the pages of the site alone', async () => {
    expect((await visit(web, 'https://hooks.uk/')).text).toBe('home')
    expect((await visit(web, 'https://hooks.uk/', { method: 'PUT' })).status).toBe(405)
    expect(receiver.received).toEqual([])
  })

  it('counts each event, also those that are no longer kept, until it is cleared', async () => {
    receiver = new Receiver({ kind: 'ok' }, { keepMax: 3 })
    web.setSite('hooks.uk', { receiver })
    for (const eventId of ['evt_1', 'evt_2', 'evt_1', 'evt_3', 'evt_1']) await post(eventId)
    await visit(web, HOOK, { method: 'POST' })
    expect(receiver.received.map(({ headers }) => headers['x-webhook-id'])).toEqual(['evt_3', 'evt_1', undefined])
    expect(Object.fromEntries(receiver.eventIds())).toEqual({ evt_1: 3, evt_2: 1, evt_3: 1 })
    expect(receiver.arrived).toBe(6)
    receiver.clear()
    expect([receiver.received, receiver.eventIds().size, receiver.arrived]).toEqual([[], 0, 0])
  })

  it('can be waited for, and too few are named', async () => {
    const two = receiver.waitFor(2, 10_000)
    await postTimes(2, 'evt_1')
    expect(await two).toHaveLength(2)
    expect(await receiver.waitFor(1, 0)).toHaveLength(2)
    await expect(receiver.waitFor(3, 20)).rejects.toThrow(
      /2 of 3 requests arrived within 20 ms\n {2}POST \/in\?from=nameplate evt_1, answered 200\n/,
    )
  })

  it('is checked as the test says, and answered all the same', async () => {
    receiver = new Receiver({ kind: 'ok' }, { verify: ({ headers }) => (headers['x-signature'] ? null : 'unsigned') })
    web.setSite('hooks.uk', { receiver })
    await visit(web, HOOK, { method: 'POST', headers: { 'x-signature': 'abc' } })
    expect(receiver.problems).toEqual([])
    expect((await post('evt_1')).status).toBe(200)
    expect(receiver.problems).toEqual(['unsigned'])
  })

  it('has at most 1 MB of body: more is refused on a connection that lives on, and half a request is none', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const send = (bytes: number) => visit(web, HOOK, { method: 'POST', agent, body: Buffer.alloc(bytes, 'a') })
      expect((await send(1_048_577)).status).toBe(413)
      expect((await send(5_000_000)).status).toBe(413)
      expect((await send(1_048_576)).status).toBe(200)
      expect(receiver.received.map(({ rawBody }) => rawBody.length)).toEqual([1_048_576])
      expect(receiver.problems).toHaveLength(2)
      expect(web.stats.connections).toBe(1)
    } finally {
      agent.destroy()
    }
    const half = dial(web, HOOK, { method: 'POST', agent: false, headers: { 'content-length': '10' } })
    half.on('error', () => {})
    half.write('half')
    await expect.poll(() => web.stats.requests).toBe(4)
    half.destroy()
    expect((await post('evt_1')).status).toBe(200)
    expect(receiver.arrived).toBe(2)
  })
})

describe('behaviour', () => {
  it('ok: any 2xx, after its delay', async () => {
    expect((await post('evt_1')).status).toBe(200)
    receiver.behave({ kind: 'ok', status: 204, delayMs: 150 })
    const startedAt = performance.now()
    const pending = post('evt_2')
    await receiver.waitFor(2, 5_000)
    expect(receiver.received[1]?.answeredStatus).toBeNull()
    expect((await pending).status).toBe(204)
    expect(performance.now() - startedAt).toBeGreaterThan(140)
    expect(receiver.received[1]?.answeredStatus).toBe(204)
  })

  it('fails_first: the first attempts of each event fail, and counting starts again with the behaviour', async () => {
    receiver.behave({ kind: 'fails_first', count: 2 })
    expect(await postTimes(1, 'evt_1')).toEqual([500])
    expect(await postTimes(4, 'evt_2')).toEqual([500, 500, 200, 200])
    expect(await postTimes(2, 'evt_1')).toEqual([500, 200])
    receiver.behave({ kind: 'fails_first', count: 1, status: 503 })
    expect(await postTimes(2, 'evt_1')).toEqual([503, 200])
  })

  it.each([
    { status: 410 },
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 301, headers: { location: 'https://other.uk/' } },
    { status: 302, headers: { location: '/elsewhere' } },
    { status: 304 },
    { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Out of memory – sorry' },
  ])('status: $status with its headers and body', async (said) => {
    receiver.behave({ kind: 'status', ...said })
    const { status, headers, text } = await post('evt_1')
    expect({ status, text }).toEqual({ status: said.status, text: said.body ?? '' })
    expect(headers).toMatchObject(said.headers ?? {})
    expect(receiver.received[0]?.answeredStatus).toBe(said.status)
  })

  it('hang: the request is read and never answered, and lets go when the web closes', async () => {
    receiver.behave({ kind: 'hang' })
    const pending = post('evt_1')
    const outcome = expect(pending).rejects.toMatchObject({ code: 'ECONNRESET' })
    await receiver.waitFor(1, 5_000)
    expect(await isSilentFor(200, pending)).toBe(true)
    expect(receiver.received).toMatchObject([{ body: BODY, answeredStatus: null }])
    await web.close()
    await outcome
  })

  it('reset: the request is read and the connection ends', async () => {
    receiver.behave({ kind: 'reset' })
    await expect(post('evt_1')).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect(post('evt_1', 'http://hooks.uk/')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(receiver.received.map(({ body, answeredStatus }) => [body, answeredStatus])).toEqual([
      [BODY, null],
      [BODY, null],
    ])
  })

  it('trickle: the headers at once, and then byte after byte until the client leaves', async () => {
    receiver.behave({ kind: 'trickle', everyMs: 20 })
    const request = dial(web, HOOK, { method: 'POST', agent: false })
    request.end(BODY)
    const [response] = await once(request, 'response')
    expect([response.statusCode, receiver.received[0]?.answeredStatus]).toEqual([200, 200])
    const chunks: string[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
    await expect.poll(() => chunks.length).toBeGreaterThan(4)
    expect(new Set(chunks)).toEqual(new Set(['.']))
    expect(response.complete).toBe(false)
    request.destroy()
  })

  it('slow_headers: nothing until the delay is over, and no answer is recorded for a client that left', async () => {
    receiver.behave({ kind: 'slow_headers', delayMs: 300 })
    const pending = post('evt_1')
    await receiver.waitFor(1, 5_000)
    expect(await isSilentFor(200, pending)).toBe(true)
    expect((await pending).status).toBe(200)
    const impatient = dial(web, HOOK, { method: 'POST', agent: false })
    impatient.on('error', () => {})
    impatient.end(BODY)
    await receiver.waitFor(2, 5_000)
    impatient.destroy()
    expect((await post('evt_2')).status).toBe(200)
    expect(receiver.received.map(({ answeredStatus }) => answeredStatus)).toEqual([200, null, 200])
  })

  it('huge: a body of just so many bytes, also for those who hang up in the middle', async () => {
    receiver.behave({ kind: 'huge', bytes: 1_000_001 })
    expect((await post('evt_1')).body).toHaveLength(1_000_001)
    receiver.behave({ kind: 'huge', bytes: 10_000_000_000 })
    const request = dial(web, HOOK, { method: 'POST', agent: false })
    request.end(BODY)
    const [response] = await once(request, 'response')
    expect(response.headers['content-length']).toBe('10000000000')
    await once(response, 'data')
    request.destroy()
    receiver.behave({ kind: 'ok' })
    expect((await post('evt_2')).status).toBe(200)
  })

  it('sequence: one step for each request, and the last for all others', async () => {
    const steps: ReceiverBehaviour[] = [{ kind: 'status', status: 429 }, { kind: 'ok' }]
    receiver.behave({ kind: 'sequence', steps: [...steps, { kind: 'fails_first', count: 2, status: 502 }] })
    expect(await postTimes(5, 'evt_1')).toEqual([429, 200, 502, 502, 200])
  })
})

it('connections to a host with a bad certificate, or that takes none, bring no request', async () => {
  web.setSite('hooks.uk', { receiver, https: 'bad_certificate' })
  await expect(post('evt_1')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  for (const https of ['refused', 'reset'] as const) {
    web.setSite('hooks.uk', { receiver, https })
    await expect(post('evt_1'), https).rejects.toMatchObject({ code: 'ECONNRESET' })
  }
  expect(receiver.received).toEqual([])
  web.setSite('hooks.uk', { receiver })
  expect((await post('evt_1')).status).toBe(200)
})
