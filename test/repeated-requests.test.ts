/** What becomes of a request with an Idempotency-Key when its response cannot be stored, or when it takes too long. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { callerOf } from '../src/entry/http/caller.ts'
import { respondOnce } from '../src/entry/http/idempotency.ts'
import type { RoutePlugin } from '../src/entry/http/server.ts'
import { ALDER, BRACKEN, newCompany } from './setup/companies.ts'
import { type Reply, useOtherProcess, useTestService, WAIT } from './setup/harness.ts'
import { readOpenApi } from './setup/statuses.ts'
import { subscribe } from './setup/webhooks.ts'

/** The first request waits here until the test lets it end. */
const first = Promise.withResolvers<void>()
let runs = 0
const slowRoute: RoutePlugin = (app, server) => {
  server.post('/test/slow', { config: { accepts: ['key'] } }, async (request, reply) =>
    respondOnce(app, { request, reply, caller: callerOf(request) }, async () => {
      runs += 1
      const run = runs
      if (run === 1) await first.promise
      return { status: 200, body: { run } }
    }),
  )
}

const it = useTestService({ companies: [ALDER, BRACKEN], extraRoutes: [slowRoute] })

const other = useOtherProcess(it)

/** Longer than a request may run. */
const LEASE_ENDED_SECONDS = 301

/** From now on no response is stored, as if the process died just before. */
async function refuseResponses(): Promise<() => Promise<void>> {
  await it.app.db.query(
    `create or replace function refuse_response() returns trigger language plpgsql as
     $$ begin raise exception 'the response is not stored'; end $$`,
  )
  await it.app.db.query(
    `create trigger refuse_response before update on idempotency_key
     for each row when (new.status is not null) execute function refuse_response()`,
  )
  const storeAgain = async () => {
    await it.app.db.query('drop trigger if exists refuse_response on idempotency_key')
  }
  onTestFinished(storeAgain)
  return storeAgain
}

/** An account with a destination, a bulk job whose row a person must decide, and a site that nobody has read. */
async function open() {
  const account = await it.openAccount({ credits: 20 })
  const { id: destination, host } = await subscribe(it, { account })
  const started = await it.call('POST', '/v1/bulk', {
    key: account.key,
    rawBody: 'Company name\nalderfinch joinry limted\n',
    headers: { 'content-type': 'text/csv' },
  })
  expect(started.status).toBe(202)
  await it.settle()
  const { domain, number } = await newCompany(it)
  return { ...account, destination, host, bulk: String(started.body.id), domain, number }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Each does something new whenever it runs. Paths are those of the documentation. */
const ONCE: Record<string, (of: Opened) => { path?: string; key?: string; token?: string; body?: object }> = {
  'POST /v1/auth/api-key/rotate': ({ token }) => ({ token, body: { overlap_hours: 24 } }),
  'POST /v1/bulk': ({ key }) => ({ key, body: { domains: ['ebay.co.uk'] } }),
  'POST /v1/watchlist/bulk': ({ key }) => ({ key, body: { company_numbers: [ALDER.number] } }),
  'POST /v1/watchlists': ({ key }) => ({ key, body: { name: 'Once' } }),
  'POST /v1/watchlists/{id}/import': ({ key }) => ({
    key,
    path: '/v1/watchlists/default/import',
    body: { company_numbers: [BRACKEN.number] },
  }),
  'POST /v1/partner/webhooks': ({ key, host }) => ({
    key,
    body: { webhook_url: `https://${host}/another`, signal_type: 'all' },
  }),
  'POST /v1/partner/webhooks/{id}/rotate-secret': ({ key, destination }) => ({
    key,
    path: `/v1/partner/webhooks/${destination}/rotate-secret`,
  }),
  'POST /v1/partner/webhooks/{id}/replay': ({ key, destination }) => ({
    key,
    path: `/v1/partner/webhooks/${destination}/replay`,
  }),
  'POST /v1/webhook-listeners': ({ key }) => ({ key, body: { signal_type: 'all' } }),
  'POST /v1/test/signals': ({ testKey }) => ({ key: testKey }),
}

/** Each changes nothing when it runs again. */
const AGAIN: typeof ONCE = {
  'POST /v1/enrich': ({ key, domain }) => ({ key, body: { domain } }),
  'POST /v1/resolve/domain': ({ key, domain }) => ({ key, body: { domain } }),
  'POST /v1/partner/enrich-company': ({ key, domain }) => ({ key, body: { domain } }),
  'POST /v1/resolve/company': ({ key, number }) => ({ key, body: { company_number: number } }),
  'POST /v1/watchlist': ({ key }) => ({ key, body: { company_number: ALDER.number } }),
  'POST /v1/watchlists/{id}/companies': ({ key }) => ({
    key,
    path: '/v1/watchlists/default/companies',
    body: { company_number: BRACKEN.number },
  }),
  'POST /v1/bulk/{id}/decisions': ({ key, bulk }) => ({
    key,
    path: `/v1/bulk/${bulk}/decisions`,
    body: { rows: [{ row: 1, action: 'reassign', company_number: ALDER.number }] },
  }),
}

const ask = (request: string, of: Opened, idempotencyKey = request.replaceAll(' ', '-')) => {
  const [method = '', documented = ''] = request.split(' ')
  const { path = documented, ...rest } = (ONCE[request] ?? AGAIN[request])?.(of) ?? {}
  return it.call(method, path, { ...rest, headers: { 'idempotency-key': idempotencyKey, ...WAIT } })
}

/** How many rows the account has of everything that requests make or pay for. */
async function countMade({ id }: Opened) {
  const tables = ['api_key', 'bulk', 'webhook_destination', 'audit_event', 'ledger_entry', 'review_decision']
  const counts = tables.map((table) => `(select count(*)::integer from ${table} where account_id = $1) as ${table}`)
  const ofWatchlists = ['company_list', 'watch', 'watched_signal'].map(
    (table) =>
      `(select count(*)::integer from ${table} join watchlist on watchlist.id = watchlist_id where account_id = $1) as ${table}`,
  )
  const [row] = await it.app.db.query(`select ${[...counts, ...ofWatchlists].join(', ')}`, [id])
  return row
}

const shortly = ({ status, body, headers }: Reply) => [status, body.code, headers.get('idempotency-replayed')]

test('every request that takes an Idempotency-Key is tried here', () => {
  const takers = Object.entries(readOpenApi().paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { responses }]) => JSON.stringify(responses).includes('idempotency_key_in_use'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  expect(takers.toSorted()).toEqual(Object.keys({ ...ONCE, ...AGAIN }).toSorted())
})

describe('when a response cannot be stored', () => {
  test('it is sent all the same, and repeats get it as soon as it can be', async () => {
    const account = await open()
    const storeAgain = await refuseResponses()
    const made = await ask('POST /v1/watchlists', account)
    expect(made.status).toBe(201)
    expect(shortly(await ask('POST /v1/watchlists', account))).toEqual([409, 'idempotency_key_in_use', null])
    await storeAgain()
    await expect.poll(async () => shortly(await ask('POST /v1/watchlists', account))).toEqual([201, undefined, 'true'])
    expect((await ask('POST /v1/watchlists', account)).body).toEqual(made.body)
  })

  test('its work is not done again, and repeats say that it was done', async () => {
    const account = await open()
    await refuseResponses()
    for (const request of Object.keys(ONCE)) {
      const { status } = await ask(request, account)
      expect([request, status]).toEqual([request, expect.toSatisfy((code: number) => code >= 200 && code < 300)])
    }
    await it.settle()
    const made = await countMade(account)
    it.clock.advance(LEASE_ENDED_SECONDS)
    for (const request of Object.keys(ONCE)) {
      const repeat = await ask(request, account)
      expect([request, ...shortly(repeat), repeat.body.retryable]).toEqual([
        request,
        409,
        'idempotency_response_lost',
        null,
        false,
      ])
    }
    await it.settle()
    expect(await countMade(account)).toEqual(made)
    expect((await ask('POST /v1/webhook-listeners', account, 'a-new-key')).status).toBe(201)
  })

  test('a request that changes nothing when it is repeated is answered again, and charged once', async () => {
    const account = await open()
    await refuseResponses()
    for (const request of Object.keys(AGAIN)) {
      const { status } = await ask(request, account)
      expect([request, status]).toEqual([request, expect.toSatisfy((code: number) => code === 200 || code === 201)])
    }
    await it.settle()
    const made = await countMade(account)
    expect((await it.movesOf(account)).filter((move) => move.startsWith('capture'))).toHaveLength(1)
    it.clock.advance(LEASE_ENDED_SECONDS)
    for (const request of Object.keys(AGAIN)) {
      const repeat = await ask(request, account)
      expect([request, ...shortly(repeat)]).toEqual([request, 200, undefined, null])
    }
    await it.settle()
    expect(await countMade(account)).toEqual(made)
  })
})

describe('a request that took so long that another process has its key', () => {
  test('changes nothing', async () => {
    const account = await open()
    const send = (call: typeof it.call) =>
      call('POST', '/v1/watchlists', {
        key: account.key,
        body: { name: 'Contested' },
        headers: { 'idempotency-key': 'contested' },
      })
    const waiting = async () =>
      (
        await it.app.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length
    const holder = await it.app.db.pool.connect()
    await holder.query('begin')
    await holder.query('select from watchlist where account_id = $1 for update', [account.id])
    const slow = send(it.call)
    await expect.poll(waiting).toBe(1)
    it.clock.advance(LEASE_ENDED_SECONDS)
    const next = send(other.call)
    await expect.poll(waiting).toBe(2)
    await holder.query('commit')
    holder.release()
    expect(shortly(await slow)).toEqual([409, 'idempotency_key_in_use', null])
    const made = await next
    expect(made.status).toBe(201)
    const { body } = await it.call('GET', '/v1/watchlists', { key: account.key })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['default', made.body.id])
    const repeat = await send(it.call)
    expect([...shortly(repeat), repeat.body.id]).toEqual([201, undefined, 'true', made.body.id])
  })

  test('does not replace the response that is stored', async () => {
    const { key } = await it.openAccount()
    const send = () => it.call('POST', '/test/slow', { key, headers: { 'idempotency-key': 'slow' } })
    const slow = send()
    await expect.poll(() => runs).toBe(1)
    it.clock.advance(LEASE_ENDED_SECONDS)
    expect((await send()).body).toEqual({ run: 2 })
    first.resolve()
    expect((await slow).body).toEqual({ run: 1 })
    const repeat = await send()
    expect([...shortly(repeat), repeat.body]).toEqual([200, undefined, 'true', { run: 2 }])
  })
})
