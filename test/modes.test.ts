/** Live and test are two worlds of one account: a key of one neither reads nor changes what belongs to the other. */
import { describe, expect, test } from 'vitest'
import { ALDER, publish } from './setup/companies.ts'
import { prepareEach, type TestAccount, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'
import { rename, subscribe, watchNewCompany } from './setup/webhooks.ts'

const it = useTestService({ companies: [ALDER] })
const account = prepareEach(() => it.openAccount({ credits: 5 }))

const MODES = ['live', 'test'] as const
type Mode = (typeof MODES)[number]
const keyOf = (mode: Mode, of = account) => (mode === 'test' ? of.testKey : of.key)
const otherOf = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test')
const get = (path: string, mode: Mode) => it.call('GET', path, { key: keyOf(mode) })

test('a test key cannot read a live event through a listener, nor a live key a test event', async () => {
  const company = await watchNewCompany(it, account)
  const listeners = { live: 0, test: 0 }
  for (const mode of MODES) {
    listeners[mode] = (await it.call('POST', '/v1/webhook-listeners', { key: keyOf(mode), body: {} })).body.id
  }
  const fetchAs = (mode: Mode, id: number) =>
    it.call('POST', `/v1/webhook-listeners/${id}/events`, { key: keyOf(mode), body: {} })
  const typesOf = async (mode: Mode) =>
    (await fetchAs(mode, listeners[mode])).body.data.map((event: { signal_type: string }) => event.signal_type)
  await rename(it, company)
  await it.call('POST', '/v1/test/signals', { key: account.testKey, body: { signal_type: 'psc_changed' } })
  expect([await typesOf('live'), await typesOf('test')]).toEqual([['name_changed'], ['psc_changed']])
  for (const mode of MODES) {
    const id = listeners[otherOf(mode)]
    expect((await fetchAs(mode, id)).status).toBe(404)
    expect((await it.call('DELETE', `/v1/webhook-listeners/${id}`, { key: keyOf(mode) })).status).toBe(404)
  }
})

test.each(MODES)('a %s destination looks like none to the key of the other mode, and stays as it is', async (mode) => {
  const { id, receiver, see } = await subscribe(it, { account, mode })
  const before = (await get('/v1/partner/webhooks', mode)).body.data
  const reach = (method: string, suffix: string) =>
    it.call(method, `/v1/partner/webhooks/${id}${suffix}`, { key: keyOf(otherOf(mode)) })
  for (const suffix of ['/test', '/rotate-secret', '/enable', '/replay']) {
    expect([suffix, (await reach('POST', suffix)).status]).toEqual([suffix, 404])
  }
  expect((await reach('GET', '/deliveries')).status).toBe(404)
  expect((await reach('DELETE', '')).status).toBe(404)
  expect((await get('/v1/partner/webhooks', otherOf(mode))).body.data).toEqual([])
  expect((await get('/v1/partner/webhooks', mode)).body.data).toEqual(before)
  expect((await see('POST', '/test')).body.delivered).toBe(true)
  expect(receiver.arrived).toBe(1)
})

test('live events go to live destinations and test events to test destinations', async () => {
  const company = await watchNewCompany(it, account)
  const [live, tested] = [
    await subscribe(it, { account, company }),
    await subscribe(it, { account, company, mode: 'test' }),
  ]
  await rename(it, company)
  await it.call('POST', '/v1/test/signals', { key: account.testKey, body: { signal_type: 'psc_changed' } })
  const typesAt = ({ receiver }: typeof live) => receiver.received.map(({ headers }) => headers['x-webhook-event'])
  await live.receiver.waitFor(1)
  await tested.receiver.waitFor(1)
  await it.settle()
  expect([typesAt(live), typesAt(tested)]).toEqual([['name_changed'], ['psc_changed']])
})

test('a test key sees no movements of credits, and so no live job ids', async () => {
  const domain = publish(it.web)
  const asked = { key: account.key, body: { domain }, headers: { prefer: 'wait=30' } }
  expect((await it.call('POST', '/v1/resolve/domain', asked)).status).toBe(200)
  expect((await get('/v1/account/ledger', 'live')).body.data).not.toEqual([])
  expect((await get('/v1/account/ledger', 'test')).body).toMatchObject({ data: [], has_more: false, next_cursor: null })
  expect((await get('/v1/account/usage', 'live')).body.data).not.toEqual([])
  expect((await get('/v1/account/usage', 'test')).body).toMatchObject({ data: [], totals: { answers: 0, credits: 0 } })
})

test('a job and an answer of one mode are not found by the key of the other', async () => {
  const ask = (mode: Mode, domain: string) =>
    it.call('POST', '/v1/partner/enrich-company', { key: keyOf(mode), body: { domain } })
  const jobs = {
    live: (await ask('live', publish(it.web))).body.job_id,
    test: (await ask('test', 'slow.test')).body.job_id,
  }
  for (const mode of MODES) {
    expect((await get(`/v1/partner/enrich-company/${jobs[mode]}`, mode)).status).toBe(200)
    expect((await get(`/v1/partner/enrich-company/${jobs[mode]}`, otherOf(mode))).status).toBe(404)
    await using agent = await connect(it, { 'x-api-key': keyOf(otherOf(mode)) })
    const result = await agent.ask('check_job', { job_id: jobs[mode] })
    expect([result.isError, result.text]).toEqual([true, expect.stringContaining('There is no such job')])
  }
  await it.settle()
  const resolve = async (mode: Mode, domain: string) =>
    (
      await it.call('POST', '/v1/resolve/domain', {
        key: keyOf(mode),
        body: { domain },
        headers: { prefer: 'wait=30' },
      })
    ).body
  const answers = { live: await resolve('live', publish(it.web)), test: await resolve('test', 'matched.test') }
  for (const mode of MODES) {
    const path = `/v1/resolutions/${answers[mode].resolution_id}/evidence`
    expect([(await get(path, mode)).status, (await get(path, otherOf(mode))).status]).toEqual([200, 404])
  }
})

test('an Idempotency-Key of the test key gets no answer of the live key, nor the other way round', async () => {
  const send = (mode: Mode, body: object) =>
    it.call('POST', '/v1/watchlist', { key: keyOf(mode), body, headers: { 'idempotency-key': 'same-for-both' } })
  const tested = await send('test', { company_number: 'TS000001' })
  const live = await send('live', { company_number: ALDER.number })
  expect([tested.status, live.status]).toEqual([201, 201])
  expect(live.headers.get('idempotency-replayed')).toBeNull()
  for (const [mode, first] of [
    ['live', live],
    ['test', tested],
  ] as const) {
    const again = await send(mode, { company_number: first.body.company_number })
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
  }
})

describe('test companies', () => {
  const NUMBER = 'TS000001'

  test('are found by every company endpoint with the test key, and by none with the live key', async () => {
    await it.call('POST', '/v1/test/signals', { key: account.testKey, body: { signal_type: 'psc_changed' } })
    const profile = await get(`/v1/companies/${NUMBER}`, 'test')
    expect([profile.status, profile.body.company_name]).toEqual([200, 'TEST MODE TRADING LTD'])
    const history = await get(`/v1/companies/${NUMBER}/signals`, 'test')
    expect(history.body.data).toMatchObject([{ signal_type: 'psc_changed', company_number: NUMBER }])
    const numbersBy = async (query: string, mode: Mode) =>
      (await get(`/v1/companies/search?${query}`, mode)).body.data.map(
        (one: { company_number: string }) => one.company_number,
      )
    expect(await numbersBy('name=test+mode', 'test')).toContain(NUMBER)
    expect(await numbersBy('postcode=LS1', 'test')).toContain(NUMBER)
    for (const none of ['name=alderfinch', 'postcode=HG4', 'company_status=dissolved', 'name=test&page=2']) {
      expect([none, await numbersBy(none, 'test')]).toEqual([none, []])
    }
    for (const path of [`/v1/companies/${NUMBER}`, `/v1/companies/${NUMBER}/signals`]) {
      expect([path, (await get(path, 'live')).status]).toEqual([path, 404])
    }
    expect(await numbersBy('name=test+mode+trading', 'live')).not.toContain(NUMBER)
  })

  test('are all there is for the test key: a real company is 404', async () => {
    for (const suffix of ['', '/signals']) {
      const reply = await get(`/v1/companies/${ALDER.number}${suffix}`, 'test')
      expect([suffix, reply.status, reply.body.detail]).toEqual([suffix, 404, expect.stringContaining('TS000001')])
    }
    const asked = { key: account.testKey, body: { company_number: ALDER.number } }
    expect((await it.call('POST', '/v1/resolve/company', asked)).status).toBe(404)
    expect((await it.call('POST', '/v1/watchlist', asked)).status).toBe(404)
  })

  test('tell each account the signals it made itself, and nobody else’s', async () => {
    const other = await it.openAccount()
    await it.call('POST', '/v1/test/signals', { key: other.testKey, body: {} })
    const body = { company_number: NUMBER }
    const resolved = await it.call('POST', '/v1/resolve/company', { key: account.testKey, body })
    const enriched = await it.call('POST', '/v1/enrich', { key: account.testKey, body: { domain: 'matched.test' } })
    const history = await get(`/v1/companies/${NUMBER}/signals`, 'test')
    expect([resolved.body.signals, enriched.body.signals, history.body.data]).toEqual([[], [], []])
    for (const { text } of [resolved, enriched, history]) expect(text).not.toContain(other.id)
    const own = await it.call('POST', '/v1/resolve/company', { key: other.testKey, body })
    expect(own.body.signals).toHaveLength(1)
  })

  test('are what an agent with the test key finds, and no real company is', async () => {
    await using agent = await connect(it, { 'x-api-key': account.testKey })
    expect((await agent.ask('get_company', { company_number: NUMBER })).text).toContain('TEST MODE TRADING LTD')
    expect((await agent.ask('list_company_signals', { company_number: NUMBER })).isError).toBeFalsy()
    expect((await agent.ask('search_companies', { name: 'test mode' })).text).toContain(NUMBER)
    expect((await agent.ask('search_companies', { name: 'alderfinch' })).text).not.toContain(ALDER.number)
    for (const tool of ['get_company', 'list_company_signals']) {
      expect([tool, (await agent.ask(tool, { company_number: ALDER.number })).isError]).toEqual([tool, true])
    }
  })
})

describe('a secret is shown once', () => {
  const keyed = { 'idempotency-key': 'shown-once' }

  test('a webhook’s secret is not shown again by repeating the request that made it, nor after its deletion', async () => {
    it.web.setSite('shown-once.co.uk', {})
    const body = { webhook_url: 'https://shown-once.co.uk/in', signal_type: 'all' }
    const register = () => it.call('POST', '/v1/partner/webhooks', { key: account.key, body, headers: keyed })
    const [first, again] = [await register(), await register()]
    expect(first.body.secret).toMatch(/^whsec_/)
    expect([again.status, again.body.secret, again.body.note]).toEqual([201, null, expect.stringContaining('rotate')])
    expect(again.text).not.toContain(first.body.secret)
    await it.call('DELETE', `/v1/partner/webhooks/${first.body.id}`, { key: account.key })
    const gone = await register()
    expect([gone.status, gone.body.code]).toEqual([404, 'not_found'])
  })

  test('a rotated secret, a listener’s secret and a rotated key are not shown again by repeating the request', async () => {
    const person: TestAccount = await it.openAccount()
    const { id } = await subscribe(it, { account: person })
    const requests = [
      [`/v1/partner/webhooks/${id}/rotate-secret`, 'secret'],
      ['/v1/webhook-listeners', 'secret'],
      ['/v1/auth/api-key/rotate', 'api_key'],
    ] as const
    for (const [path, member] of requests) {
      const headers = { 'idempotency-key': `shown-once-${path}` }
      const send = () => it.call('POST', path, { token: person.token, body: {}, headers })
      const [first, again] = [await send(), await send()]
      expect([path, again.status, again.body[member], again.body.note]).toEqual([
        path,
        first.status,
        null,
        expect.stringContaining('first answer alone'),
      ])
      expect(again.text).not.toContain(first.body[member])
    }
  })

  test('every answer that is kept for repeats and has a secret in it can leave it out', async () => {
    const document = (await it.call('GET', '/openapi.json')).body
    const kept = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations as Record<string, Operation>),
    )
    const secretive: string[] = []
    for (const { operationId, responses } of kept) {
      // Every route that takes an Idempotency-Key, and no other, refuses one that was used for another request.
      if (!('422' in responses)) continue
      for (const { content } of Object.values(responses)) {
        const reference = content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
        const { properties = {} } = document.components.schemas[reference] ?? {}
        for (const [name, schema] of Object.entries(properties)) {
          if (!/(?:^|_)(?:secret|api_key|token|password)$/.test(name)) continue
          secretive.push(operationId)
          expect([operationId, name, JSON.stringify(schema)]).toEqual([
            operationId,
            name,
            expect.stringContaining('null'),
          ])
        }
      }
    }
    expect(secretive.sort()).toEqual(['openListener', 'registerDestination', 'rotateApiKey', 'rotateSecret'])
  })
})

interface Operation {
  operationId: string
  responses: Record<string, { content?: { 'application/json'?: { schema: { $ref?: string } } } }>
}

test('every change of a destination is in the audit trail, and a new one is mailed to the owner without its query', async () => {
  const person = await it.openAccount()
  const { id, host, see } = await subscribe(it, { account: person })
  await see('POST', '/rotate-secret')
  await see('POST', '/replay', {})
  await it.app.db.query(`update webhook_destination set status = 'disabled', disabled_reason = 'gone' where id = $1`, [
    id,
  ])
  await see('POST', '/enable')
  await see('DELETE', '')
  const { body: listener } = await it.call('POST', '/v1/webhook-listeners', { key: person.testKey, body: {} })
  await it.call('DELETE', `/v1/webhook-listeners/${listener.id}`, { key: person.testKey })
  const rows = await it.app.db.query<{ action: string; mode: string; id: string; ip: string | null }>(
    `select action, details ->> 'mode' as mode, details ->> 'destination_id' as id, ip from audit_event
     where account_id = $1 and action ~ '^(webhook|listener)_' order by seq`,
    [person.id],
  )
  expect(rows.map(({ action, mode, id: changed }) => `${mode} ${action} ${changed}`)).toEqual([
    `live webhook_created ${id}`,
    `live webhook_secret_rotated ${id}`,
    `live webhook_replayed ${id}`,
    `live webhook_enabled ${id}`,
    `live webhook_deleted ${id}`,
    `test listener_opened ${listener.id}`,
    `test listener_closed ${listener.id}`,
  ])
  expect(rows.every(({ ip }) => ip !== null)).toBe(true)
  await it.settle()
  const mail = it.mailbox.mailsTo(person.email).find(({ subject }) => subject.includes(host))
  expect(mail?.text).toContain(`https://${host}/in as well`)
  expect(mail?.text).not.toContain('from=nameplate')
})
