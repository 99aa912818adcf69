/** Where events are sent: which addresses are allowed, which account gets which event, and what a delivery contains. */
import { createHmac } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import type { ReceivedRequest } from '../rig/web/index.ts'
import { recordQueuedChanges, SIGNAL_TYPES } from '../src/signals/index.ts'
import { ALDER, publish } from './setup/companies.ts'
import { prepareEach, useTestService } from './setup/harness.ts'
import { isSigned, QUICK_WEBHOOKS, rename, subscribe, watchNewCompany } from './setup/webhooks.ts'

const it = useTestService({
  companies: [ALDER],
  sites: { 'hooks.co.uk': {}, 'inside.co.uk': { addresses: ['10.0.0.7'] }, 'our-own-site.co.uk': {} },
  siteUrl: new URL('http://our-own-site.co.uk'),
  webhooks: QUICK_WEBHOOKS,
})
const account = prepareEach(() => it.openAccount())

const URL_TAKEN = 'https://hooks.co.uk/in?token=of-the-receiver'
const register = (body: object = {}, headers: Record<string, string> = {}) =>
  it.call('POST', '/v1/partner/webhooks', {
    key: account.key,
    body: { webhook_url: URL_TAKEN, signal_type: 'all', ...body },
    headers,
  })
const list = async (key = account.key) => (await it.call('GET', '/v1/partner/webhooks', { key })).body

describe('registering', () => {
  test('returns the destination and its secret; the list has the same without the secret', async () => {
    const { status, body } = await register()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      kind: 'webhook',
      webhook_url: URL_TAKEN,
      signal_type: 'all',
      list: null,
      severity_min: null,
      status: 'active',
      disabled_reason: null,
      created_at: expect.stringMatching(/Z$/),
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      pending: 0,
      waits_until: null,
      waits_because: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret: _, ...shown } = body
    expect(await list()).toEqual({ data: [shown], page: 1, limit: 20, has_more: false })
  })

  test('shows the secret once: no table and no line of the log has it, before and after it was used', async () => {
    const { receiver, secret, company, see } = await subscribe(it, { account })
    await register({}, { 'idempotency-key': 'kept-with-its-answer' })
    await rename(it, company)
    await receiver.waitFor(1)
    await see('POST', '/test')
    await it.settle()
    const tables = ['webhook_destination', 'webhook_event', 'webhook_delivery', 'webhook_attempt', 'idempotency_key']
    const stored = await Promise.all(
      tables.map((table) => it.app.db.query<{ row: string }>(`select t::text as row from ${table} as t`)),
    )
    const text = `${JSON.stringify(stored)}${it.logText()}`
    expect(text).toContain('receiver-')
    expect([text.includes('whsec_'), text.includes(secret.slice(6))]).toEqual([false, false])
    expect(JSON.stringify(await list())).not.toContain('whsec_')
  })

  test.each([
    ['http', 'http://hooks.co.uk/in', 'https'],
    ['another port', 'https://hooks.co.uk:8080/in', 'port 443 or 8443'],
    ['a private address', 'https://10.0.0.1/in', 'public'],
    ['loopback', 'https://127.0.0.1/in', 'public'],
    ['loopback by name', 'https://localhost/in', 'public'],
    ['loopback in IPv6', 'https://[::1]/in', 'public'],
    ['loopback as a number', 'https://2130706433/in', 'public'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest', 'public'],
    ['a public IP address', 'https://45.10.20.30/in', 'name'],
    ['user name and password', 'https://user:word@hooks.co.uk/in', 'password'],
    ['a name that nobody has', 'https://not-there.co.uk/in', 'looked up'],
    ['a name that leads inside', 'https://inside.co.uk/in', 'public'],
    ['our own site', 'https://our-own-site.co.uk/in', 'public'],
    ['no address at all', 'hooks', 'https'],
    ['nothing', '', ''],
  ])('refuses %s, and says what is wrong', async (_, url, says) => {
    const reply = await register({ webhook_url: url })
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
    expect(reply.body.errors).toEqual([{ field: 'webhook_url', message: expect.stringContaining(says) }])
    expect((await list()).data).toEqual([])
  })

  test('accepts port 8443 and every type', async () => {
    expect((await register({ webhook_url: 'https://hooks.co.uk:8443/in' })).status).toBe(201)
    for (const type of ['director_resigned', 'resolution_completed']) {
      expect((await register({ signal_type: type })).body.signal_type).toBe(type)
    }
  })

  test('an unknown type is refused with the list of all types', async () => {
    for (const type of ['signal', '', null, undefined]) {
      const reply = await register({ signal_type: type })
      expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'signal_type'])
      for (const each of [...SIGNAL_TYPES, 'all', 'resolution_completed']) expect(reply.body.detail).toContain(each)
    }
  })

  test('the same address and type twice, or a type and `all` of them, is refused: every event would come twice', async () => {
    const first = await register()
    for (const again of [await register(), await register({ signal_type: 'name_changed' })]) {
      expect([again.status, again.body.code]).toEqual([409, 'destination_exists'])
      expect(again.body.detail).toContain(`Destination ${first.body.id} `)
    }
    expect((await register({ signal_type: 'resolution_completed' })).status).toBe(201)
    const at = { webhook_url: `${URL_TAKEN}/typed` }
    for (const signal_type of ['name_changed', 'psc_changed']) {
      expect((await register({ ...at, signal_type })).status).toBe(201)
    }
    expect((await register({ ...at, signal_type: 'all' })).status).toBe(409)
    // Of many at once, one is accepted.
    const burst = await Promise.all(Array.from({ length: 4 }, () => register({ webhook_url: `${URL_TAKEN}/burst` })))
    expect(burst.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(burst.filter(({ status }) => status === 409)).toHaveLength(3)
    await it.call('DELETE', `/v1/partner/webhooks/${first.body.id}`, { key: account.key })
    expect((await register()).status).toBe(201)
  })

  test('twenty are accepted and no more, also when several come at once', async () => {
    let paths = 0
    const another = () => {
      paths += 1
      return register({ webhook_url: `${URL_TAKEN}/${paths}` })
    }
    for (let count = 0; count < 19; count += 1) expect((await another()).status).toBe(201)
    const last = await Promise.all(Array.from({ length: 5 }, another))
    expect(last.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = last.filter(
      ({ status, body }) => status === 402 && body.code === 'plan_limit_reached' && body.limit === 20,
    )
    expect(refused).toHaveLength(4)
    const { data } = await list()
    expect(data).toHaveLength(20)
    await it.call('DELETE', `/v1/partner/webhooks/${data[0].id}`, { key: account.key })
    expect((await another()).status).toBe(201)
  })

  test('a repeated Idempotency-Key gets the first answer without its secret; another body is refused', async () => {
    const keyed = { 'idempotency-key': 'destination-1' }
    const [first, again] = [await register({}, keyed), await register({}, keyed)]
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual({ ...first.body, secret: null, note: expect.stringContaining('rotate-secret') })
    expect((await list()).data).toHaveLength(1)
    expect((await register({ signal_type: 'name_changed' }, keyed)).status).toBe(422)
  })

  test('the live key and a session manage the same destinations, and the test key its own', async () => {
    const person = await it.openAccount()
    const body = { webhook_url: URL_TAKEN, signal_type: 'all' }
    const live = await it.call('POST', '/v1/partner/webhooks', { key: person.key, body })
    const tested = await it.call('POST', '/v1/partner/webhooks', { key: person.testKey, body })
    const idsOf = async (key: string) => (await list(key)).data.map(({ id }: { id: number }) => id)
    expect([await idsOf(person.key), await idsOf(person.testKey)]).toEqual([[live.body.id], [tested.body.id]])
    const remove = (id: number) => it.call('DELETE', `/v1/partner/webhooks/${id}`, { token: person.token })
    expect((await remove(tested.body.id)).status).toBe(404)
    expect((await remove(live.body.id)).body).toEqual({ id: live.body.id, deleted: true })
    expect([await idsOf(person.key), await idsOf(person.testKey)]).toEqual([[], [tested.body.id]])
  })
})

describe('a change of a watched company', () => {
  test('reaches the receiver with the signal, signed over the exact bytes that arrived', async () => {
    const { receiver, secret, company, id } = await subscribe(it, { account })
    const formerly = company.name
    await rename(it, company)
    const [request] = await receiver.waitFor(1)
    if (!request) throw new Error('nothing came')
    const event = JSON.parse(request.body)
    const [{ is_read: _isRead, ...signal }] = (await it.call('GET', '/v1/signals', { key: account.key })).body.data
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{27}$/),
      type: 'signal',
      signal_type: 'name_changed',
      created_at: signal.detected_at,
      api_version: '1.0.0',
      sequence: expect.any(Number),
      data: signal,
    })
    expect(event.data.changes).toMatchObject([{ field: 'company_name', from: formerly, to: company.name }])
    expect(isSigned(request, secret)).toBe(true)
    const { headers, method, path } = request
    expect([method, path]).toEqual(['POST', '/in?from=nameplate'])
    const [timestamp, standardKey] = [headers['x-webhook-timestamp'], Buffer.from(secret.slice(6), 'base64')]
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-webhook-id': event.id,
      'x-webhook-event': 'name_changed',
      'x-webhook-attempt': '1',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', standardKey).update(`${event.id}.${timestamp}.${request.body}`).digest('base64')}`,
    })
    expect(headers).not.toHaveProperty('x-webhook-signature-previous')
    expect(headers['user-agent']).toMatch(/^Nameplate-Webhooks\/1\.0 \(\+http/)
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60)
    await it.settle()
    const [shown] = (await list()).data
    expect(shown).toMatchObject({ id, status: 'active', last_failure_at: null, consecutive_failures: 0 })
    expect(Date.parse(shown.last_success_at)).toBeGreaterThanOrEqual(Date.parse(event.created_at))
  })

  test('goes to the accounts that watch it, and to no other', async () => {
    const [mine, theirs] = [await subscribe(it), await subscribe(it)]
    const both = await watchNewCompany(it, mine.account)
    await it.call('POST', '/v1/watchlist', { key: theirs.account.key, body: { company_number: both.number } })
    await rename(it, mine.company)
    await rename(it, both)
    await it.call('DELETE', `/v1/watchlist/${both.number}`, { key: theirs.account.key })
    await rename(it, both)
    await mine.receiver.waitFor(3)
    await it.settle()
    const companiesSentTo = ({ receiver }: typeof mine) =>
      receiver.received.map(({ body }) => JSON.parse(body).data.company_number)
    expect(companiesSentTo(mine)).toHaveLength(3)
    expect(new Set(companiesSentTo(mine))).toEqual(new Set([mine.company.number, both.number]))
    expect(companiesSentTo(theirs)).toEqual([both.number])
  })

  test('goes to the destinations of its type and of all, each signed with its own secret', async () => {
    const all = await subscribe(it, { account })
    const { company } = all
    const named = await subscribe(it, { account, company, type: 'name_changed' })
    const status = await subscribe(it, { account, company, type: 'status_changed' })
    const jobs = await subscribe(it, { account, company, type: 'resolution_completed' })
    await putCompanies(it.app, [{ ...company, name: `${company.name} AND SONS`, status: 'liquidation' }])
    await recordQueuedChanges(it.app)
    await all.receiver.waitFor(2)
    await it.settle()
    const types = ({ receiver }: typeof all) =>
      receiver.received.map(({ headers }) => headers['x-webhook-event'] ?? '').sort()
    expect([all, named, status, jobs].map(types)).toEqual([
      ['name_changed', 'status_changed'],
      ['name_changed'],
      ['status_changed'],
      [],
    ])
    for (const { receiver, secret } of [all, named, status]) {
      expect(receiver.received.every((request) => isSigned(request, secret))).toBe(true)
    }
    const ids = (of: typeof all) => [...of.receiver.eventIds().keys()]
    expect([...ids(named), ...ids(status)].sort()).toEqual(ids(all).sort())
  })

  test('a test signal reaches no other account, even one that watches the test company', async () => {
    const { receiver, account: owner } = await subscribe(it, { mode: 'test' })
    await it.call('POST', '/v1/watchlist', { key: owner.testKey, body: { company_number: 'TS000001' } })
    const someone = await it.openAccount()
    await it.call('POST', '/v1/test/signals', { key: someone.testKey, body: {} })
    await it.settle()
    expect(receiver.received).toEqual([])
  })
})

/** Returns what the OpenAPI document finds wrong with a delivery: missing headers, invalid members. */
async function compareWithDocument(event: string, { headers, body }: ReceivedRequest): Promise<unknown> {
  const document = (await it.call('GET', '/openapi.json')).body
  const { parameters, requestBody } = document.webhooks[event].post
  const required = parameters.filter((parameter: { required: boolean }) => parameter.required)
  const missing = required.filter(({ name }: { name: string }) => headers[name.toLowerCase()] === undefined)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ ...document, $id: 'openapi' })
  const { $ref } = requestBody.content['application/json'].schema as { $ref: string }
  const isValid = ajv.validate({ $ref: `openapi${$ref}`, unevaluatedProperties: false }, JSON.parse(body))
  return [...missing, ...(isValid ? [] : (ajv.errors ?? []))]
}

test('deliveries are what the OpenAPI document says of them', async () => {
  const signals = await subscribe(it, { account })
  await rename(it, signals.company)
  await signals.see('POST', '/test')
  const received = await signals.receiver.waitFor(2)
  const find = (type: string) => received.find(({ headers }) => headers['x-webhook-event'] === type) as ReceivedRequest
  expect(await compareWithDocument('signal', find('name_changed'))).toEqual([])
  expect(await compareWithDocument('test', find('test'))).toEqual([])
  // The comparison finds mistakes: another kind of event does not match.
  expect(await compareWithDocument('signal', find('test'))).not.toEqual([])

  const jobs = await subscribe(it, { account, company: signals.company, type: 'resolution_completed' })
  const body = { domain: publish(it.web) }
  await it.call('POST', '/v1/resolve/domain', { key: account.key, body })
  const [finished] = await jobs.receiver.waitFor(1)
  expect(await compareWithDocument('resolution_completed', finished as ReceivedRequest)).toEqual([])
  expect(JSON.parse(finished?.body ?? '').data).toMatchObject({ input: body.domain, company_number: ALDER.number })
})

describe('deleting', () => {
  test('ends deliveries at once, those that were waiting too', async () => {
    const { receiver, company, see, id } = await subscribe(it, { account, behaviour: { kind: 'status', status: 500 } })
    await rename(it, company)
    await receiver.waitFor(1)
    const deleted = await see('DELETE', '')
    expect([deleted.status, deleted.body]).toEqual([200, { id, deleted: true }])
    await it.settle()
    const before = receiver.arrived
    receiver.behave({ kind: 'ok' })
    await rename(it, company)
    // Longer than the next attempts would have waited.
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(receiver.arrived).toBe(before)
    expect((await list()).data).toEqual([])
  })

  test('a second time, or of an unknown destination, is 404; what cannot be an id is 400', async () => {
    const { see } = await subscribe(it, { account })
    expect((await see('DELETE', '')).status).toBe(200)
    const again = await see('DELETE', '')
    expect([again.status, again.body.code]).toEqual([404, 'not_found'])
    for (const suffix of ['/deliveries', '/test', '/rotate-secret', '/enable', '/replay']) {
      const method = suffix === '/deliveries' ? 'GET' : 'POST'
      expect((await see(method, suffix)).status).toBe(404)
      const wrong = await it.call(method, `/v1/partner/webhooks/nonsense${suffix}`, { key: account.key })
      expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'id'])
    }
    for (const id of ['nonsense', '0', '1.5', '99999999999']) {
      expect((await it.call('DELETE', `/v1/partner/webhooks/${id}`, { key: account.key })).status).toBe(400)
    }
  })
})

test('a request that is still running under its Idempotency-Key returns 409', async () => {
  const { id } = await subscribe(it, { account, mode: 'test' })
  const requests = [
    ['/v1/partner/webhooks', { webhook_url: URL_TAKEN, signal_type: 'all' }],
    [`/v1/partner/webhooks/${id}/rotate-secret`, undefined],
    [`/v1/partner/webhooks/${id}/replay`, { only: 'missing' }],
    ['/v1/webhook-listeners', { signal_type: 'all' }],
    ['/v1/test/signals', { signal_type: 'name_changed' }],
  ] as const
  for (const [path, body] of requests) {
    const send = (sent: object | undefined) =>
      it.call('POST', path, {
        key: account.testKey,
        headers: { 'idempotency-key': `key-of-${path}` },
        ...(sent ? { body: sent } : {}),
      })
    expect((await send(body)).status).toBeLessThan(300)
    expect((await send({ ...body, signal_type: 'psc_changed', only: 'failed' })).status).toBe(422)
    // As if the first request were still running.
    await it.app.db.query('update idempotency_key set status = null, answer_sealed = null where account_id = $1', [
      account.id,
    ])
    const running = await send(body)
    expect([path, running.status, running.body.code]).toEqual([path, 409, 'idempotency_key_in_use'])
  }
})
