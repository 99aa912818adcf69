/** A receiver that fails is tried again and then disabled; once it works again, it gets what it missed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ReceivedRequest } from '../rig/web/index.ts'
import { DAY_SECONDS, useTestService } from './setup/harness.ts'
import { isSigned, QUICK_WEBHOOKS, rename, type Subscribed, subscribe } from './setup/webhooks.ts'

const it = useTestService({ webhooks: QUICK_WEBHOOKS })

interface LoggedAttempt {
  id: number
  event_id: string
  attempt: number
  replay: boolean
  started_at: string
  duration_ms: number
  status: number | null
  error: string | null
  response: string
  request: string
  state: string
  next_attempt_at: string | null
}

/** Newest first. */
async function logOf({ see }: Subscribed, query = ''): Promise<LoggedAttempt[]> {
  const reply = await see('GET', `/deliveries${query}`)
  expect(reply.status).toBe(200)
  return reply.body.data
}

const read = async ({ account, id }: Subscribed) => {
  const { data } = (await it.call('GET', '/v1/partner/webhooks', { key: account.key })).body
  return (data as Array<{ id: number; status: string; disabled_reason: string | null }>).find((each) => each.id === id)
}

async function untilState(to: Subscribed, state: string): Promise<void> {
  await expect.poll(async () => (await logOf(to))[0]?.state).toBe(state)
}

async function untilShown(to: Subscribed, shown: object): Promise<void> {
  await expect.poll(() => read(to)).toMatchObject(shown)
}

const untilDisabled = (to: Subscribed, reason: string) =>
  untilShown(to, { status: 'disabled', disabled_reason: reason })

const idsOf = (received: readonly ReceivedRequest[]) => received.map(({ headers }) => headers['x-webhook-id'] ?? '')
const attemptsOf = (received: readonly ReceivedRequest[]) => received.map(({ headers }) => headers['x-webhook-attempt'])

describe('a delivery that fails', () => {
  test('is tried again with the same id and a rising attempt until it is accepted', async () => {
    const to = await subscribe(it, { behaviour: { kind: 'fails_first', count: 2 } })
    await rename(it, to.company)
    const received = await to.receiver.waitFor(3)
    expect(attemptsOf(received)).toEqual(['1', '2', '3'])
    expect(new Set(idsOf(received)).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(received.every((request) => isSigned(request, to.secret))).toBe(true)
    await untilState(to, 'delivered')
    expect(await logOf(to)).toMatchObject(
      [3, 2, 1].map((attempt) => ({ attempt, status: attempt === 3 ? 200 : 500, error: null, state: 'delivered' })),
    )
    expect(await read(to)).toMatchObject({
      status: 'active',
      consecutive_failures: 0,
      last_failure_at: expect.stringMatching(/Z$/),
      last_success_at: expect.stringMatching(/Z$/),
    })
  })

  test('is logged with status, duration and the first 4 kB of the response, without control characters', async () => {
    const body = `\u0000\u001b[31mno room\n${'x'.repeat(6_000)}`
    const to = await subscribe(it, { behaviour: { kind: 'status', status: 507, body } })
    await rename(it, to.company)
    await untilState(to, 'failed')
    const log = await logOf(to)
    expect(log).toHaveLength(4)
    const [last, , , first] = log
    expect(first).toEqual({
      id: expect.any(Number),
      event_id: to.receiver.received[0]?.headers['x-webhook-id'],
      signal_type: 'name_changed',
      attempt: 1,
      replay: false,
      started_at: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      status: 507,
      error: null,
      response: body.slice(2, 4_096),
      request: to.receiver.received[0]?.body.toString(),
      state: 'failed',
      next_attempt_at: null,
    })
    expect(last).toMatchObject({ attempt: 4, state: 'failed', next_attempt_at: null })
    await sleep(600)
    expect(to.receiver.arrived).toBe(4)
  })

  test('a redirect is a failure and is not followed', async () => {
    const elsewhere = await subscribe(it)
    const headers = { location: `https://${elsewhere.host}/in` }
    const to = await subscribe(it, { behaviour: { kind: 'status', status: 308, headers } })
    await rename(it, to.company)
    await untilState(to, 'failed')
    expect((await logOf(to)).map(({ status }) => status)).toEqual([308, 308, 308, 308])
    expect(elsewhere.receiver.received).toEqual([])
  })

  test('a receiver that requests a wait gets it', async () => {
    const busy = { kind: 'status', status: 429, headers: { 'retry-after': '2' } } as const
    const to = await subscribe(it, { behaviour: { kind: 'sequence', steps: [busy, { kind: 'ok' }] } })
    await rename(it, to.company)
    await to.receiver.waitFor(1)
    await untilState(to, 'pending')
    const [asked] = await logOf(to)
    const nextAt = Date.parse(asked?.next_attempt_at ?? '')
    const waitsMs = nextAt - Date.parse(asked?.started_at ?? '') - Number(asked?.duration_ms)
    expect(waitsMs).toBeGreaterThanOrEqual(2_000)
    expect(waitsMs).toBeLessThan(20_000)
    const [, second] = await to.receiver.waitFor(2)
    expect(second?.at.getTime()).toBeGreaterThanOrEqual(nextAt)
    await untilState(to, 'delivered')
  })

  test.each([
    ['timeout', { kind: 'hang' }],
    ['timeout', { kind: 'trickle', everyMs: 50 }],
    ['timeout', { kind: 'slow_headers', delayMs: 5_000 }],
    ['reset', { kind: 'reset' }],
  ] as const)('says %s in the log of a receiver that behaves like this: %o', async (error, behaviour) => {
    const to = await subscribe(it, { behaviour: { kind: 'sequence', steps: [behaviour, { kind: 'ok' }] } })
    await rename(it, to.company)
    await to.receiver.waitFor(2)
    await untilState(to, 'delivered')
    const [, first] = await logOf(to)
    expect(first).toMatchObject({ attempt: 1, status: null, error, response: '' })
    if (error === 'timeout') expect(first?.duration_ms).toBeGreaterThanOrEqual(950)
  })

  test('a certificate that is not valid and a name that is gone are named in the log', async () => {
    const to = await subscribe(it)
    it.web.setSite(to.host, { https: 'bad_certificate', receiver: to.receiver })
    await rename(it, to.company)
    await untilState(to, 'failed')
    expect((await logOf(to))[0]).toMatchObject({ status: null, error: 'certificate' })
    it.web.setSite(to.host, null)
    await rename(it, to.company)
    await expect.poll(async () => (await logOf(to))[0]?.error).toBe('name_not_found')
    expect(to.receiver.received).toEqual([])
  })
})

describe('the log', () => {
  test('has the request of every attempt and is filtered by how it ended', async () => {
    const to = await subscribe(it)
    await rename(it, to.company)
    await to.receiver.waitFor(1)
    to.receiver.behave({ kind: 'status', status: 500 })
    await rename(it, to.company)
    await expect.poll(async () => (await logOf(to, '?result=failed')).length).toBeGreaterThan(0)
    const [failed] = await logOf(to, '?result=failed')
    await expect.poll(async () => (await logOf(to, '?result=delivered')).length).toBe(1)
    const delivered = await logOf(to, '?result=delivered')
    expect([failed?.status, delivered.map(({ status }) => status)]).toEqual([500, [200]])
    expect(JSON.parse(delivered[0]?.request ?? '')).toMatchObject({ id: delivered[0]?.event_id })
    expect((await to.see('GET', '/deliveries?result=maybe')).status).toBe(400)
  })

  test('is read by page and by cursor, which is stable while attempts arrive, and for one event', async () => {
    const to = await subscribe(it)
    for (let count = 0; count < 5; count += 1) await rename(it, to.company)
    await to.receiver.waitFor(5)
    await expect.poll(async () => (await logOf(to)).length).toBe(5)
    const all = await logOf(to)
    const first = (await to.see('GET', '/deliveries?limit=2')).body
    expect(first).toMatchObject({ data: all.slice(0, 2), page: 1, limit: 2, has_more: true })
    expect((await to.see('GET', '/deliveries?limit=2&page=2')).body.data).toEqual(all.slice(2, 4))
    await rename(it, to.company)
    await expect.poll(async () => (await logOf(to)).length).toBe(6)
    const second = (await to.see('GET', `/deliveries?limit=2&cursor=${first.next_cursor}`)).body
    expect(second.data).toEqual(all.slice(2, 4))
    const third = (await to.see('GET', `/deliveries?limit=2&cursor=${second.next_cursor}`)).body
    expect(third).toMatchObject({ data: all.slice(4), has_more: false, next_cursor: null })
    expect(await logOf(to, `?event_id=${all[3]?.event_id}`)).toEqual([all[3]])
    expect(await logOf(to, '?event_id=evt_of_nobody')).toEqual([])
    for (const query of ['?limit=0', '?limit=101', '?page=0', '?cursor=x', '?page=10000']) {
      expect((await to.see('GET', `/deliveries${query}`)).status).toBe(400)
    }
  })
})

describe('trying a destination', () => {
  test('sends a test event at once and returns the response', async () => {
    const to = await subscribe(it, { type: 'psc_changed' })
    const { status, body } = await to.see('POST', '/test')
    expect([status, body]).toEqual([
      200,
      {
        event_id: expect.stringMatching(/^evt_/),
        delivered: true,
        status: 200,
        error: null,
        duration_ms: expect.any(Number),
        response: '',
      },
    ])
    const [request] = to.receiver.received
    expect(request && isSigned(request, to.secret)).toBe(true)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ id: body.event_id, type: 'test', test: true })
    expect(await logOf(to)).toMatchObject([{ event_id: body.event_id, signal_type: 'test', state: 'delivered' }])
    expect(await read(to)).toMatchObject({ last_success_at: null })
  })

  test('says why it failed, tries once, and changes nothing about the destination', async () => {
    const to = await subscribe(it, { behaviour: { kind: 'status', status: 410, body: 'gone away' } })
    expect((await to.see('POST', '/test')).body).toMatchObject({ delivered: false, status: 410, response: 'gone away' })
    to.receiver.behave({ kind: 'hang' })
    expect((await to.see('POST', '/test')).body).toMatchObject({ delivered: false, status: null, error: 'timeout' })
    await it.settle()
    expect(to.receiver.arrived).toBe(2)
    expect(await read(to)).toMatchObject({ status: 'active', consecutive_failures: 0, last_failure_at: null })
    expect((await to.see('POST', '/replay')).body).toEqual({ queued: 0, has_more: false, next_cursor: null })
  })

  test('too often is refused, and nothing is sent', async () => {
    const to = await subscribe(it)
    const empty = `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')`
    await it.app.db.query(empty, [`webhook-test:${to.account.id}`])
    const refused = await to.see('POST', '/test')
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(to.receiver.arrived).toBe(0)
  })
})

describe('a destination that is disabled', () => {
  test('returned 410: its owner gets an e-mail; enabled again, a replay brings what it missed', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person, behaviour: { kind: 'status', status: 410 } })
    await rename(it, to.company)
    await untilDisabled(to, 'gone')
    const first = idsOf(to.receiver.received)
    await rename(it, to.company)
    await rename(it, to.company)
    await it.settle()
    expect(to.receiver.arrived).toBe(1)
    const mails = it.mailbox
      .mailsTo(person.email)
      .filter(({ subject }) => subject === `Nameplate stopped sending to ${to.host}`)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`/v1/partner/webhooks/${to.id}/enable`)
    // The query may contain the receiver's own secret.
    expect(mails[0]?.text).not.toContain('from=nameplate')

    const early = await to.see('POST', '/replay', { only: 'missing' })
    expect([early.status, early.body.code]).toEqual([409, 'destination_disabled'])
    to.receiver.behave({ kind: 'ok' })
    to.receiver.clear()
    expect((await to.see('POST', '/test')).body.delivered).toBe(true)
    const enabled = await to.see('POST', '/enable')
    expect([enabled.status, enabled.body]).toMatchObject([
      200,
      { id: to.id, status: 'active', disabled_reason: null, consecutive_failures: 0 },
    ])
    expect((await to.see('POST', '/enable')).body).toEqual(enabled.body)
    await it.settle()
    expect(to.receiver.arrived).toBe(1)

    to.receiver.clear()
    const replayed = await to.see('POST', '/replay', { only: 'missing' })
    expect([replayed.status, replayed.body]).toEqual([202, { queued: 3, has_more: false, next_cursor: null }])
    const received = [...(await to.receiver.waitFor(3))]
    expect(idsOf(received)).toContain(first[0])
    expect(attemptsOf(received)).toEqual(['1', '1', '1'])
    // A delivery that was missed has no line in the log before its first attempt is recorded.
    const delivered = async () =>
      (await logOf(to)).filter(({ replay, state }) => replay && state === 'delivered').length
    await expect.poll(delivered).toBe(3)
    const again = await to.see('POST', '/replay', { only: 'missing' })
    expect(again.body).toEqual({ queued: 0, has_more: false, next_cursor: null })
  })

  test('failed for longer than allowed without one success: its owner gets an e-mail', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person, behaviour: { kind: 'status', status: 500 } })
    await rename(it, to.company)
    await untilShown(to, { status: 'active', consecutive_failures: 4 })
    it.clock.advance(4 * DAY_SECONDS)
    await rename(it, to.company)
    await untilShown(to, { status: 'active', consecutive_failures: 8 })
    it.clock.advance(1.5 * DAY_SECONDS)
    await rename(it, to.company)
    await untilDisabled(to, 'no_success')
    await it.settle()
    const mails = it.mailbox
      .mailsTo(person.email)
      .filter(({ subject }) => subject === `Nameplate stopped sending to ${to.host}`)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('has not accepted')
    // The event whose attempt came last is one that was missed; the other two had spent theirs.
    await to.see('POST', '/enable')
    to.receiver.behave({ kind: 'ok' })
    expect((await to.see('POST', '/replay', { only: 'missing' })).body.queued).toBe(1)
    expect((await to.see('POST', '/replay', { only: 'failed' })).body.queued).toBe(2)
  })

  test('its name now leads to a private address: nothing is dialled, and after three attempts it is disabled', async () => {
    const to = await subscribe(it)
    it.web.setSite(to.host, { receiver: to.receiver, addresses: ['10.0.0.1'] })
    await rename(it, to.company)
    await untilDisabled(to, 'blocked_address')
    const log = await logOf(to)
    expect(log.map(({ status, error, state }) => `${status} ${error} ${state}`)).toEqual([
      'null blocked missed',
      'null blocked missed',
      'null blocked missed',
    ])
    expect([to.receiver.arrived, it.web.stats.byHost.get(to.host)]).toEqual([0, undefined])
    const refused = await to.see('POST', '/enable')
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'webhook_url'])
    expect(await read(to)).toMatchObject({ status: 'disabled' })
    it.web.setSite(to.host, { receiver: to.receiver })
    expect((await to.see('POST', '/enable')).body.status).toBe('active')
  })
})

describe('a replay', () => {
  test('of what failed sends only those, again from the first attempt, with the same ids', async () => {
    const to = await subscribe(it)
    await rename(it, to.company)
    await to.receiver.waitFor(1)
    await untilState(to, 'delivered')
    to.receiver.behave({ kind: 'status', status: 503 })
    await rename(it, to.company)
    await untilState(to, 'failed')
    const [failed] = await logOf(to)
    to.receiver.clear()
    to.receiver.behave({ kind: 'fails_first', count: 1 })
    expect((await to.see('POST', '/replay', { only: 'failed' })).body.queued).toBe(1)
    // Pending deliveries are not sent twice.
    expect((await to.see('POST', '/replay', { only: 'failed' })).body.queued).toBe(0)
    const received = await to.receiver.waitFor(2)
    expect([idsOf(received), attemptsOf(received)]).toEqual([
      [failed?.event_id, failed?.event_id],
      ['1', '2'],
    ])
    await untilState(to, 'delivered')
  })

  test('takes a span of time, and without options sends everything again', async () => {
    const to = await subscribe(it)
    const times: Date[] = []
    for (let count = 0; count < 3; count += 1) {
      it.clock.advance(3_600)
      times.push(it.clock.now())
      await rename(it, to.company)
    }
    const events = idsOf(await to.receiver.waitFor(3)).slice()
    await expect.poll(async () => (await logOf(to)).length).toBe(3)
    const [first, second, third] = times.map((time) => time.toISOString())
    const replay = async (body?: object) => {
      to.receiver.clear()
      const { queued } = (await to.see('POST', '/replay', body)).body
      const received = idsOf(await to.receiver.waitFor(queued)).slice()
      await expect.poll(async () => (await logOf(to)).map(({ state }) => state)).not.toContain('pending')
      return received.sort()
    }
    expect(await replay({ since: second, until: third })).toEqual([events[1]])
    expect(await replay({ since: second })).toEqual(events.slice(1).sort())
    expect(await replay({ until: first })).toEqual([])
    // Half past something is the same moment everywhere.
    const elsewhere = `${new Date(Date.parse(third ?? '') + 3_600_000).toISOString().slice(0, -1)}+01:00`
    expect(await replay({ since: elsewhere })).toEqual([events[2]])
    expect(await replay({ event_id: events[1] })).toEqual([events[1]])
    expect(await replay({ event_id: 'evt_unknown' })).toEqual([])
    expect(await replay()).toEqual(events.toSorted())
    expect(await replay({ only: 'failed' })).toEqual([])
    for (const [body, field] of [
      [{ since: third, until: second }, 'until'],
      [{ since: 'yesterday' }, 'since'],
      [{ only: 'delivered' }, 'only'],
    ] as const) {
      const refused = await to.see('POST', '/replay', body)
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, field])
    }
  })
})

describe('rotating the secret', () => {
  test('both sign for a day, and then only the new one', async () => {
    const to = await subscribe(it)
    const rotated = await to.see('POST', '/rotate-secret')
    const { secret, previous_secret_valid_until: until, ...shown } = rotated.body
    expect([rotated.status, shown]).toEqual([200, await read(to)])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).not.toBe(to.secret)
    expect(Math.round((Date.parse(until) - it.clock.now().getTime()) / 3_600_000)).toBe(24)

    await rename(it, to.company)
    const [during] = await to.receiver.waitFor(1)
    if (!during) throw new Error('nothing came')
    expect([isSigned(during, secret), isSigned(during, to.secret, 'x-webhook-signature-previous')]).toEqual([
      true,
      true,
    ])
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    await it.settle()

    it.clock.advance(DAY_SECONDS + 60)
    await rename(it, to.company)
    const [, after] = await to.receiver.waitFor(2)
    expect(after && isSigned(after, secret)).toBe(true)
    expect(after?.headers).not.toHaveProperty('x-webhook-signature-previous')
    expect(after?.headers['webhook-signature']).toMatch(/^v1,\S{44}$/)
  })

  test('sent twice under one Idempotency-Key rotates it once', async () => {
    const to = await subscribe(it)
    const rotate = () =>
      it.call('POST', `/v1/partner/webhooks/${to.id}/rotate-secret`, {
        key: to.account.key,
        headers: { 'idempotency-key': 'rotate-1' },
      })
    const [first, again] = [await rotate(), await rotate()]
    expect(again.body).toEqual({ ...first.body, secret: null, note: expect.any(String) })
    await rename(it, to.company)
    const [request] = await to.receiver.waitFor(1)
    expect(request && isSigned(request, first.body.secret)).toBe(true)
    expect(request && isSigned(request, to.secret, 'x-webhook-signature-previous')).toBe(true)
  })
})
