/** A developer's machine fetches its events: nothing is lost between two requests, and a wait ends when an event comes. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { prepareEach, useTestService } from './setup/harness.ts'
import { rename, watchNewCompany } from './setup/webhooks.ts'

const it = useTestService()
const account = prepareEach(() => it.openAccount())

/** Uses the test key: `raise` makes test events. */
const open = (body?: object, key = account.testKey) =>
  it.call('POST', '/v1/webhook-listeners', { key, ...(body ? { body } : {}) })
const fetchEvents = (id: number, body: object = {}, key = account.testKey) =>
  it.call('POST', `/v1/webhook-listeners/${id}/events`, { key, body })
const raise = (signal_type = 'status_changed') =>
  it.call('POST', '/v1/test/signals', { key: account.testKey, body: { signal_type } })

test('events are fetched with the text that is signed, until they are reported as received', async () => {
  const company = await watchNewCompany(it, account)
  const { status, body: listener } = await open({}, account.key)
  expect([status, listener]).toEqual([
    201,
    {
      id: expect.any(Number),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      expires_at: expect.stringMatching(/Z$/),
    },
  ])
  await rename(it, company)
  const first = await fetchEvents(listener.id, {}, account.key)
  expect(first.body.data).toEqual([
    { event_id: expect.stringMatching(/^evt_/), signal_type: 'name_changed', body: expect.any(String), attempt: 1 },
  ])
  const [event] = first.body.data
  const [stored] = await it.app.db.query<{ body: string }>('select body from webhook_event where event_id = $1', [
    event.event_id,
  ])
  expect(event.body).toBe(stored?.body)
  expect(JSON.parse(event.body)).toMatchObject({ id: event.event_id, data: { company_number: company.number } })
  expect(createHmac('sha256', listener.secret).update(`1.${event.body}`).digest('hex')).toHaveLength(64)

  await rename(it, company)
  const ids = async (body?: object) =>
    (await fetchEvents(listener.id, body, account.key)).body.data.map((each: { event_id: string }) => each.event_id)
  const [, second] = await ids()
  expect(await ids()).toEqual([event.event_id, second])
  expect(await ids({ received: [event.event_id, 'evt_of_nobody'] })).toEqual([second])
  expect(await ids()).toEqual([second])
})

test('a listener gets the type it asked for, and nothing from before it listened', async () => {
  await raise('name_changed')
  const { body: listener } = await open({ signal_type: 'name_changed' })
  await raise('psc_changed')
  expect((await fetchEvents(listener.id)).body.data).toEqual([])
  await raise('name_changed')
  expect((await fetchEvents(listener.id)).body.data).toHaveLength(1)
  const wrong = await open({ signal_type: 'nonsense' })
  expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'signal_type'])
})

test('a request that waits returns as soon as an event comes', async () => {
  const { body: listener } = await open()
  const begun = performance.now()
  const waiting = fetchEvents(listener.id, { wait_seconds: 25 })
  await new Promise((resolve) => setTimeout(resolve, 700))
  await raise()
  const { body } = await waiting
  expect(body.data).toHaveLength(1)
  expect(performance.now() - begun).toBeGreaterThan(650)
  expect(performance.now() - begun).toBeLessThan(25_000)
})

test('a wait without an event ends after its time with an empty list', async () => {
  const { body: listener } = await open()
  const begun = performance.now()
  expect((await fetchEvents(listener.id, { wait_seconds: 1 })).body).toEqual({ data: [] })
  expect(performance.now() - begun).toBeGreaterThanOrEqual(950)
})

test('a client that leaves ends its wait', async () => {
  const { body: listener } = await open()
  const path = `/v1/webhook-listeners/${listener.id}/events`
  // Each look for events extends the listener's life: one as the wait begins, and one at its end.
  const livesUntil = async () => {
    const [row] = await it.app.db.query<{ listens_until: Date }>(
      'select listens_until from webhook_destination where id = $1',
      [listener.id],
    )
    return row?.listens_until.getTime() ?? 0
  }
  const opened = await livesUntil()
  const leaving = new AbortController()
  const gone = fetch(new URL(path, it.config.baseUrl), {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'x-api-key': account.testKey, 'content-type': 'application/json' },
    body: JSON.stringify({ wait_seconds: 25 }),
  })
  await expect.poll(livesUntil).toBeGreaterThan(opened)
  const before = await livesUntil()
  leaving.abort()
  await expect(gone).rejects.toThrow('aborted')
  await expect.poll(livesUntil).toBeGreaterThan(before)
})

test.each([
  [{ wait_seconds: 26 }, 'wait_seconds'],
  [{ wait_seconds: -1 }, 'wait_seconds'],
  [{ wait_seconds: 'long' }, 'wait_seconds'],
  [{ received: Array(101).fill('evt_x') }, 'received'],
  [{ received: [7] }, 'received.0'],
])('refuses to fetch with %o', async (body, field) => {
  const { body: listener } = await open()
  const reply = await fetchEvents(listener.id, body)
  expect([reply.status, reply.body.errors[0].field]).toEqual([400, field])
})

test('a listener ends five minutes after its last fetch, or when it is closed', async () => {
  const { body: listener } = await open()
  it.clock.advance(250)
  expect((await fetchEvents(listener.id)).status).toBe(200)
  it.clock.advance(250)
  expect((await fetchEvents(listener.id)).status).toBe(200)
  it.clock.advance(301)
  const ended = await fetchEvents(listener.id)
  expect([ended.status, ended.body.code]).toEqual([404, 'not_found'])

  const { body: another } = await open()
  const close = () => it.call('DELETE', `/v1/webhook-listeners/${another.id}`, { key: account.testKey })
  expect((await close()).body).toEqual({ id: another.id, deleted: true })
  expect((await close()).status).toBe(404)
  expect((await fetchEvents(another.id)).status).toBe(404)
  for (const method of ['POST', 'DELETE']) {
    const path = `/v1/webhook-listeners/nonsense${method === 'POST' ? '/events' : ''}`
    const wrong = await it.call(method, path, { key: account.key, ...(method === 'POST' ? { body: {} } : {}) })
    expect(wrong.status).toBe(400)
  }
})

test('five listen at a time, and the end of one makes room for another', async () => {
  const opened = await Promise.all(Array.from({ length: 7 }, () => open()))
  expect(opened.filter(({ status }) => status === 201)).toHaveLength(5)
  const refused = opened.find(({ status }) => status === 409)
  expect(refused?.body.code).toBe('listener_limit_reached')
  it.clock.advance(301)
  expect((await open()).status).toBe(201)
})

test('a listener is no destination: it is not listed, and the routes of destinations do not know it', async () => {
  const { body: listener } = await open()
  expect((await it.call('GET', '/v1/partner/webhooks', { key: account.key })).body.data).toEqual([])
  for (const suffix of ['/test', '/rotate-secret', '/enable', '/replay']) {
    const path = `/v1/partner/webhooks/${listener.id}${suffix}`
    expect((await it.call('POST', path, { key: account.key })).status).toBe(404)
  }
  expect((await it.call('DELETE', `/v1/partner/webhooks/${listener.id}`, { key: account.key })).status).toBe(404)
})
