/**
 * Every route of the contract, and what holds for all of them: no credentials, someone else's things, bad input, too
 * much of it. A route that is not in this table fails the first test.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { connectAgent } from './setup/agent-walk.ts'
import { ALDER, siteNaming, siteOf } from './setup/companies.ts'
import { startTestService, type TestAccount, type TestService } from './setup/harness.ts'
import type { OpenApi } from './setup/statuses.ts'

let it: TestService
let owner: TestAccount
let other: TestAccount
beforeAll(async () => {
  it = await startTestService({ companies: [ALDER] })
  owner = await it.signUp()
  other = await it.signUp()
})
afterAll(() => it[Symbol.asyncDispose]())

interface RouteCase {
  route: string
  /** What it takes; `public` routes are callable by anyone. */
  accepts: 'public' | 'session' | 'key' | 'session or key'
  /** Which of the account's rate limits it falls under; `api` unless said. */
  limit?: 'api' | 'partner'
  /** A body it accepts. */
  body?: () => object
  /** The largest it takes, where that is not what all take. */
  bodyBytesMax?: number
  /** Shows that another account's credential does not reach this account's things. */
  otherAccount: 'no account behind it' | (() => Promise<void>)
}

const CASES: RouteCase[] = [
  { route: 'GET /healthz', accepts: 'public', otherAccount: 'no account behind it' },
  { route: 'GET /readyz', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/auth/signup',
    accepts: 'public',
    otherAccount: 'no account behind it',
    body: () => ({ email: 'new@customer.test', password: 'seven quiet harbours' }),
  },
  {
    route: 'POST /v1/auth/login',
    accepts: 'public',
    otherAccount: 'no account behind it',
    body: () => ({ email: owner.email, password: owner.password }),
  },
  { route: 'GET /v1/auth/verify-email', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/auth/resend-verification',
    accepts: 'public',
    otherAccount: 'no account behind it',
    body: () => ({ email: owner.email }),
  },
  {
    route: 'POST /v1/auth/forgot-password',
    accepts: 'public',
    otherAccount: 'no account behind it',
    body: () => ({ email: owner.email }),
  },
  {
    route: 'POST /v1/auth/reset-password',
    accepts: 'public',
    otherAccount: 'no account behind it',
    body: () => ({ token: 'nonsense', new_password: 'seven quiet harbours' }),
  },
  {
    route: 'POST /v1/auth/change-password',
    accepts: 'session',
    body: () => ({ current_password: 'not this one', new_password: 'seven quiet harbours' }),
    otherAccount: async () => {
      const body = { current_password: owner.password, new_password: 'taken over by another' }
      // Both accounts have the same password here, so only the session decides whose is changed.
      const changed = await it.call('POST', '/v1/auth/change-password', { token: other.token, body })
      expect(changed.status).toBe(200)
      other.token = changed.body.token
      const login = await it.call('POST', '/v1/auth/login', { body: { email: owner.email, password: owner.password } })
      expect(login.status).toBe(200)
    },
  },
  {
    route: 'GET /v1/auth/me',
    accepts: 'session or key',
    otherAccount: async () => {
      const me = await it.call('GET', '/v1/auth/me', { key: other.key })
      expect(me.body.account_id).toBe(other.id)
      expect(me.text).not.toContain(owner.id)
    },
  },
  {
    route: 'POST /v1/auth/api-key/rotate',
    accepts: 'session',
    body: () => ({}),
    otherAccount: async () => {
      const body = { overlap_hours: 0 }
      other.key = (await it.call('POST', '/v1/auth/api-key/rotate', { token: other.token, body })).body.api_key
      expect((await it.call('GET', '/v1/auth/me', { key: owner.key })).status).toBe(200)
    },
  },
  {
    route: 'DELETE /v1/auth/api-keys/{id}',
    accepts: 'session',
    otherAccount: async () => {
      const { api_keys: keys } = (await it.call('GET', '/v1/auth/me', { token: owner.token })).body
      const reply = await it.call('DELETE', `/v1/auth/api-keys/${keys[0].id}`, { token: other.token })
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
      expect((await it.call('GET', '/v1/auth/me', { key: owner.key })).status).toBe(200)
    },
  },
  {
    route: 'GET /v1/account/ledger',
    accepts: 'session or key',
    otherAccount: async () => {
      const mine = await it.call('GET', '/v1/account/ledger', { token: owner.token })
      const theirs = await it.call('GET', '/v1/account/ledger', { token: other.token })
      const ids = (reply: typeof mine) => reply.body.data.map((entry: { id: number }) => entry.id) as number[]
      expect(ids(theirs).filter((id) => ids(mine).includes(id))).toEqual([])
      // A cursor into another's ledger shows one's own, from there on.
      const cursor = (ids(mine)[0] ?? 0) + 1
      const reached = await it.call('GET', `/v1/account/ledger?cursor=${cursor}`, { token: other.token })
      expect(ids(reached).filter((id) => ids(mine).includes(id))).toEqual([])
    },
  },
  {
    route: 'GET /v1/account/notifications',
    accepts: 'session or key',
    otherAccount: async () => {
      const shown = await it.call('GET', '/v1/account/notifications', { token: other.token })
      expect(shown.body.email).toBe(other.email)
    },
  },
  {
    route: 'PATCH /v1/account/notifications',
    accepts: 'session or key',
    body: () => ({ daily_digest: false }),
    otherAccount: async () => {
      const set = (account: TestAccount, body: object) =>
        it.call('PATCH', '/v1/account/notifications', { token: account.token, body })
      await set(owner, { daily_digest: true })
      expect((await set(other, { daily_digest: false })).body.daily_digest).toBe(false)
      const mine = await it.call('GET', '/v1/account/notifications', { token: owner.token })
      expect(mine.body).toEqual({ daily_digest: true, email: owner.email })
    },
  },
  {
    route: 'GET /v1/connections',
    accepts: 'session',
    otherAccount: async () => {
      const id = await ownerConnects()
      expect((await it.call('GET', '/v1/connections', { token: other.token })).text).not.toContain(id)
    },
  },
  {
    route: 'PATCH /v1/connections/{id}',
    accepts: 'session',
    body: () => ({ daily_credit_cap: 5 }),
    otherAccount: async () => {
      const [path, body] = [`/v1/connections/${await ownerConnects()}`, { daily_credit_cap: 5 }]
      const theirs = await it.call('PATCH', path, { token: other.token, body })
      expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found'])
      expect((await it.call('PATCH', path, { token: owner.token, body })).status).toBe(200)
    },
  },
  {
    route: 'DELETE /v1/connections/{id}',
    accepts: 'session',
    otherAccount: async () => {
      const path = `/v1/connections/${await ownerConnects()}`
      const theirs = await it.call('DELETE', path, { token: other.token })
      expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found'])
      expect((await it.call('DELETE', path, { token: owner.token })).status).toBe(200)
    },
  },
  // The register is public: every account sees the same companies.
  { route: 'GET /v1/companies/search', accepts: 'session or key', otherAccount: 'no account behind it' },
  { route: 'GET /v1/companies/{company_number}', accepts: 'session or key', otherAccount: 'no account behind it' },
  {
    route: 'GET /v1/companies/{company_number}/signals',
    accepts: 'session or key',
    otherAccount: 'no account behind it',
  },
  // Spreadsheet programs send no credential.
  { route: 'GET /reconcile', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'POST /reconcile',
    accepts: 'public',
    otherAccount: 'no account behind it',
    body: () => ({ queries: '{}' }),
  },
  { route: 'GET /reconcile/properties', accepts: 'public', otherAccount: 'no account behind it' },
  { route: 'GET /reconcile/suggest/entity', accepts: 'public', otherAccount: 'no account behind it' },
  { route: 'GET /reconcile/suggest/property', accepts: 'public', otherAccount: 'no account behind it' },
  { route: 'GET /reconcile/suggest/type', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'GET /v1/watchlist',
    accepts: 'session or key',
    otherAccount: async () => {
      await ownerWatches()
      expect((await it.call('GET', '/v1/watchlist', { token: other.token })).body.data).toEqual([])
    },
  },
  {
    route: 'POST /v1/watchlist',
    accepts: 'session or key',
    body: () => ({ company_number: ALDER.number }),
    otherAccount: async () => {
      await ownerWatches()
      // For the other account it is not watched yet.
      const body = { company_number: ALDER.number }
      expect((await it.call('POST', '/v1/watchlist', { token: other.token, body })).status).toBe(201)
      await it.call('DELETE', `/v1/watchlist/${ALDER.number}`, { token: other.token })
    },
  },
  {
    route: 'PUT /v1/watchlist',
    accepts: 'session or key',
    body: () => ({ company_numbers: [ALDER.number] }),
    bodyBytesMax: 1024 * 1024,
    otherAccount: async () => {
      await ownerWatches()
      const body = { company_numbers: [] }
      expect((await it.call('PUT', '/v1/watchlist', { token: other.token, body })).body.removed).toEqual([])
      expect((await it.call('GET', '/v1/watchlist', { token: owner.token })).body.data).toHaveLength(1)
    },
  },
  {
    route: 'POST /v1/watchlist/bulk',
    accepts: 'session or key',
    body: () => ({ company_numbers: [ALDER.number] }),
    otherAccount: async () => {
      await ownerWatches()
      const body = { company_numbers: [ALDER.number] }
      const watched = await it.call('POST', '/v1/watchlist/bulk', { token: other.token, body })
      expect(watched.body).toMatchObject({ counts: { watched: 1, already_watched: 0 }, used: 1 })
      await it.call('DELETE', `/v1/watchlist/${ALDER.number}`, { token: other.token })
    },
  },
  {
    route: 'DELETE /v1/watchlist/{company_number}',
    accepts: 'session or key',
    otherAccount: async () => {
      await ownerWatches()
      const unwatched = await it.call('DELETE', `/v1/watchlist/${ALDER.number}`, { token: other.token })
      expect(unwatched.body.was_watched).toBe(false)
      expect((await it.call('GET', '/v1/watchlist', { token: owner.token })).body.data).toHaveLength(1)
    },
  },
  {
    route: 'GET /v1/signals',
    accepts: 'session or key',
    otherAccount: async () => {
      await ownerWatches()
      await putCompanies(it.app, [{ ...ALDER, status: 'liquidation' }])
      await recordQueuedChanges(it.app)
      expect((await it.call('GET', '/v1/signals', { token: owner.token })).body.data).toHaveLength(1)
      expect((await it.call('GET', '/v1/signals', { token: other.token })).body.data).toEqual([])
    },
  },
  { route: 'GET /v1/status', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/enrich',
    accepts: 'session or key',
    body: asksForDomain,
    otherAccount: () => asksAtItsOwnCost('/v1/enrich'),
  },
  // Whoever has a job's id may ask how far it is.
  { route: 'GET /v1/enrich/status/{job_id}', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/resolve/domain',
    accepts: 'session or key',
    body: asksForDomain,
    otherAccount: () => asksAtItsOwnCost('/v1/resolve/domain'),
  },
  {
    route: 'POST /v1/resolve/company',
    accepts: 'session or key',
    body: () => ({ company_number: ALDER.number }),
    otherAccount: () => asksAtItsOwnCost('/v1/resolve/company', { company_number: ALDER.number }, 200),
  },
  // Whoever was told an answer's id may read its evidence.
  { route: 'GET /v1/resolutions/{id}/evidence', accepts: 'session or key', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/resolutions/{id}/dispute',
    accepts: 'session or key',
    body: () => ({ reason: 'It is not them.' }),
    otherAccount: async () => {
      const id = await ownerIsAnswered('matched-for-its-owner.co.uk', siteOf(ALDER))
      const path = `/v1/resolutions/${id}/dispute`
      const theirs = await it.call('POST', path, { token: other.token, body: {} })
      expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found'])
    },
  },
  {
    route: 'GET /v1/reviews',
    accepts: 'session or key',
    otherAccount: async () => {
      await ownerReviews()
      expect((await it.call('GET', '/v1/reviews', { token: other.token })).body.data).toEqual([])
    },
  },
  { route: 'GET /v1/reviews/{id}', accepts: 'session or key', otherAccount: () => hidesReview('GET', '') },
  {
    route: 'POST /v1/reviews/{id}/decision',
    accepts: 'session or key',
    body: () => ({ action: 'reject' }),
    otherAccount: () => hidesReview('POST', '/decision', { action: 'reject' }),
  },
  {
    route: 'DELETE /v1/reviews/{id}/decision',
    accepts: 'session or key',
    otherAccount: () => hidesReview('DELETE', '/decision'),
  },
  {
    route: 'POST /v1/bulk',
    accepts: 'session or key',
    body: () => ({ domains: ['not-there.co.uk'] }),
    bodyBytesMax: 2 * 1024 * 1024,
    otherAccount: async () => {
      const creditsOf = async ({ token }: TestAccount) => (await it.call('GET', '/v1/auth/me', { token })).body.credits
      const [before, asking] = [await creditsOf(owner), await it.openAccount({ credits: 1 })]
      const body = { domains: ['asked-for-in-a-bulk.co.uk'] }
      const sent = await it.call('POST', '/v1/bulk', { key: asking.key, body })
      expect([sent.status, sent.body.credits_max]).toEqual([202, 1])
      await it.settle()
      expect(await creditsOf(owner)).toEqual(before)
    },
  },
  {
    route: 'GET /v1/bulk',
    accepts: 'session or key',
    otherAccount: async () => {
      const id = await ownerSendsBulk()
      const ids = async ({ token }: TestAccount) =>
        (await it.call('GET', '/v1/bulk', { token })).body.data.map((bulk: { id: string }) => bulk.id) as string[]
      expect([(await ids(owner)).includes(id), (await ids(other)).includes(id)]).toEqual([true, false])
    },
  },
  { route: 'GET /v1/bulk/{id}', accepts: 'session or key', otherAccount: () => hidesBulk('GET', '') },
  { route: 'POST /v1/bulk/{id}/cancel', accepts: 'session or key', otherAccount: () => hidesBulk('POST', '/cancel') },
  { route: 'POST /v1/bulk/{id}/resume', accepts: 'session or key', otherAccount: () => hidesBulk('POST', '/resume') },
  { route: 'GET /v1/bulk/{id}/results', accepts: 'session or key', otherAccount: () => hidesBulk('GET', '/results') },
  {
    route: 'POST /v1/partner/enrich-company',
    accepts: 'session or key',
    limit: 'partner',
    body: asksForDomain,
    otherAccount: () => asksAtItsOwnCost('/v1/partner/enrich-company'),
  },
  {
    route: 'GET /v1/partner/enrich-company/{job_id}',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: async () => {
      const body = { domain: 'seen-by-its-owner.co.uk' }
      const asked = await it.call('POST', '/v1/partner/enrich-company', { key: owner.key, body })
      expect(asked.status).toBe(202)
      const mine = await it.call('GET', asked.body.status_url, { key: owner.key })
      const theirs = await it.call('GET', asked.body.status_url, { key: other.key })
      const nobodys = await it.call('GET', `/v1/partner/enrich-company/${JOB_ID}`, { key: other.key })
      expect([mine.status, theirs.status, theirs.body.code]).toEqual([200, 404, 'not_found'])
      expect(theirs.body.detail).toBe(nobodys.body.detail)
    },
  },
  {
    route: 'GET /v1/partner/webhooks',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: async () => {
      await ownerRegisters()
      expect((await it.call('GET', '/v1/partner/webhooks', { token: other.token })).body.data).toEqual([])
    },
  },
  {
    route: 'POST /v1/partner/webhooks',
    accepts: 'session or key',
    limit: 'partner',
    body: () => newDestination(),
    otherAccount: async () => {
      await ownerRegisters()
      const theirs = await it.call('POST', '/v1/partner/webhooks', { token: other.token, body: newDestination() })
      expect(theirs.status).toBe(201)
      const mine = await it.call('GET', '/v1/partner/webhooks', { token: owner.token })
      expect(mine.body.data.map(({ id }: { id: number }) => id)).not.toContain(theirs.body.id)
      await it.call('DELETE', `/v1/partner/webhooks/${theirs.body.id}`, { token: other.token })
    },
  },
  {
    route: 'DELETE /v1/partner/webhooks/{id}',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: () => hidesDestination('DELETE', ''),
  },
  {
    route: 'GET /v1/partner/webhooks/{id}/deliveries',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: () => hidesDestination('GET', '/deliveries'),
  },
  {
    route: 'POST /v1/partner/webhooks/{id}/test',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: () => hidesDestination('POST', '/test'),
  },
  {
    route: 'POST /v1/partner/webhooks/{id}/rotate-secret',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: () => hidesDestination('POST', '/rotate-secret'),
  },
  {
    route: 'POST /v1/partner/webhooks/{id}/enable',
    accepts: 'session or key',
    limit: 'partner',
    otherAccount: () => hidesDestination('POST', '/enable'),
  },
  {
    route: 'POST /v1/partner/webhooks/{id}/replay',
    accepts: 'session or key',
    limit: 'partner',
    body: () => ({ only: 'failed' }),
    otherAccount: () => hidesDestination('POST', '/replay', { only: 'failed' }),
  },
  {
    route: 'POST /v1/webhook-listeners',
    accepts: 'session or key',
    body: () => ({ signal_type: 'all' }),
    otherAccount: async () => {
      const [mine, theirs] = [await listen(owner), await listen(other)]
      expect(mine).not.toBe(theirs)
    },
  },
  {
    route: 'POST /v1/webhook-listeners/{id}/events',
    accepts: 'session or key',
    body: () => ({ received: [] }),
    otherAccount: async () => {
      const path = `/v1/webhook-listeners/${await listen(owner)}/events`
      const reply = await it.call('POST', path, { token: other.token, body: {} })
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
    },
  },
  {
    route: 'DELETE /v1/webhook-listeners/{id}',
    accepts: 'session or key',
    otherAccount: async () => {
      const path = `/v1/webhook-listeners/${await listen(owner)}`
      expect((await it.call('DELETE', path, { token: other.token })).status).toBe(404)
      expect((await it.call('DELETE', path, { token: owner.token })).status).toBe(200)
    },
  },
  {
    route: 'POST /v1/test/signals',
    accepts: 'session or key',
    body: () => ({ signal_type: 'status_changed' }),
    otherAccount: async () => {
      const watch = { body: { company_number: 'TS000001' } }
      for (const { testKey } of [owner, other]) await it.call('POST', '/v1/watchlist', { key: testKey, ...watch })
      await it.call('POST', '/v1/test/signals', { key: other.testKey, body: {} })
      const feedOf = async ({ testKey }: TestAccount) =>
        (await it.call('GET', '/v1/signals', { key: testKey })).body.data
      expect([(await feedOf(owner)).length, (await feedOf(other)).length]).toEqual([0, 1])
    },
  },
  {
    route: 'GET /v1/account/usage',
    accepts: 'session or key',
    otherAccount: async () => {
      const day = '2026-01-15'
      await it.app.db.query(`insert into usage_day values ($1, $2, 'matched', 3, 3)`, [owner.id, day])
      const range = `/v1/account/usage?from=${day}&to=${day}`
      expect((await it.call('GET', range, { token: owner.token })).body.totals).toEqual({ answers: 3, credits: 3 })
      expect((await it.call('GET', range, { token: other.token })).body.data).toEqual([])
    },
  },
]

async function ownerConnects(): Promise<string> {
  await connectAgent(it, owner)
  return (await it.call('GET', '/v1/connections', { token: owner.token })).body.data[0].id
}

async function ownerWatches(): Promise<void> {
  await it.call('POST', '/v1/watchlist', { token: owner.token, body: { company_number: ALDER.number } })
}

let addresses = 0

/** Another address each time: an event goes to one address once. */
function newDestination() {
  it.web.setSite('hooks.co.uk', {})
  addresses += 1
  return { webhook_url: `https://hooks.co.uk/in/${addresses}`, signal_type: 'all' }
}

async function ownerRegisters(): Promise<number> {
  const registered = await it.call('POST', '/v1/partner/webhooks', { token: owner.token, body: newDestination() })
  expect(registered.status).toBe(201)
  return registered.body.id
}

/** Someone else's destination looks like one that nobody has. */
async function hidesDestination(method: string, suffix: string, body?: object): Promise<void> {
  const id = await ownerRegisters()
  const reach = (number: number) =>
    it.call(method, `/v1/partner/webhooks/${number}${suffix}`, { token: other.token, ...(body ? { body } : {}) })
  const [theirs, nobodys] = [await reach(id), await reach(999_999)]
  expect([theirs.status, theirs.body.code, theirs.body.detail]).toEqual([404, 'not_found', nobodys.body.detail])
  expect((await it.call('DELETE', `/v1/partner/webhooks/${id}`, { token: owner.token })).status).toBe(200)
}

async function ownerSendsBulk(): Promise<string> {
  const body = { domains: ['not-there.co.uk'] }
  const sent = await it.call('POST', '/v1/bulk', { token: owner.token, body })
  expect(sent.status).toBe(202)
  return sent.body.id
}

async function hidesBulk(method: string, suffix: string): Promise<void> {
  const id = await ownerSendsBulk()
  const reach = (one: string) => it.call(method, `/v1/bulk/${one}${suffix}`, { token: other.token })
  const [theirs, nobodys] = [await reach(id), await reach(`blk_${'0'.repeat(27)}`)]
  expect([theirs.status, theirs.body.code, theirs.body.detail]).toEqual([404, 'not_found', nobodys.body.detail])
  expect((await it.call('GET', `/v1/bulk/${id}`, { token: owner.token })).body.status).not.toBe('cancelled')
}

/** Answers the id of what the owner was told. */
async function ownerIsAnswered(domain: string, site: SimulatedSite): Promise<string> {
  it.web.setSite(domain, site)
  const asked = { key: owner.key, body: { domain }, headers: { prefer: 'wait=30' } }
  const { body } = await it.call('POST', '/v1/resolve/domain', asked)
  return body.resolution_id
}

async function ownerReviews(): Promise<string> {
  await ownerIsAnswered('doubtful-for-its-owner.co.uk', siteNaming(ALDER))
  return (await it.call('GET', '/v1/reviews', { token: owner.token })).body.data[0].id
}

/** Someone else's review looks like one that nobody has. */
async function hidesReview(method: string, suffix: string, body?: object): Promise<void> {
  const id = await ownerReviews()
  const reach = (one: string) =>
    it.call(method, `/v1/reviews/${one}${suffix}`, { token: other.token, ...(body ? { body } : {}) })
  const [theirs, nobodys] = [await reach(id), await reach('rev_nobodys')]
  expect([theirs.status, theirs.body.code, theirs.body.detail]).toEqual([404, 'not_found', nobodys.body.detail])
  expect((await it.call('GET', `/v1/reviews/${id}`, { token: owner.token })).body.decision).toBeNull()
}

async function listen({ token }: TestAccount): Promise<number> {
  return (await it.call('POST', '/v1/webhook-listeners', { token, body: {} })).body.id
}

function asksForDomain(): object {
  return { domain: 'not-there.co.uk' }
}

/** The credit is held at the account whose key it is, and at no other. */
async function asksAtItsOwnCost(path: string, question?: object, status = 202): Promise<void> {
  const creditsOf = async ({ key }: TestAccount) => (await it.call('GET', '/v1/auth/me', { key })).body.credits
  const [before, asking] = [await creditsOf(owner), await it.openAccount({ credits: 1 })]
  const body = question ?? { domain: `asked-for-at${path.replaceAll('/', '-')}.co.uk` }
  const asked = await it.call('POST', path, { key: asking.key, body })
  expect([asked.status, asked.headers.get('credits-remaining')]).toEqual([status, '0'])
  expect(await creditsOf(owner)).toEqual(before)
}

test('every route of the OpenAPI document has its no-credentials and other-account case here', async () => {
  const document = (await it.call('GET', '/openapi.json')).body as OpenApi
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
      // Where none will do, a credential only shows its holder more.
      const isPublic = (operation.security ?? []).some((scheme) => Object.keys(scheme).length === 0)
      const named = schemes.map((scheme) => (scheme === 'apiKey' ? 'key' : scheme)).join(' or ')
      const accepts = isPublic || named === '' ? 'public' : named
      return `${method.toUpperCase()} ${path}: ${accepts}`
    }),
  )
  const cases = CASES.map(({ route, accepts }) => `${route}: ${accepts}`)
  expect([...cases, `${AGENT_ENDPOINT}: key or oauth`].sort()).toEqual(documented.sort())
})

/** Makes one of the owner's, live: by what stands before the id in a path. A route of a new kind needs its line. */
const MAKERS: Record<string, () => Promise<string | number>> = {
  'api-keys': async () => {
    const sql = `select id from api_key where account_id = $1 and mode = 'live' and expires_at is null`
    return (await it.app.db.query<{ id: string }>(sql, [owner.id]))[0]?.id ?? ''
  },
  connections: ownerConnects,
  status: ownerAsks,
  'enrich-company': ownerAsks,
  resolutions: () => ownerIsAnswered('shared-with-nobody.co.uk', siteOf(ALDER)),
  reviews: ownerReviews,
  bulk: ownerSendsBulk,
  webhooks: ownerRegisters,
  'webhook-listeners': () => listen(owner),
}

/** There the id itself is the permission, in the mode it belongs to. */
const OPEN_BY_ID = ['GET /v1/enrich/status/{job_id}', 'GET /v1/resolutions/{id}/evidence']

async function ownerAsks(): Promise<string> {
  const asked = await it.call('POST', '/v1/enrich', {
    key: owner.key,
    body: { domain: 'asked-for-by-its-owner.co.uk' },
  })
  const [row] = await it.app.db.query<{ id: string }>(
    'select id from resolution_job where account_id = $1 order by created_at desc limit 1',
    [owner.id],
  )
  return asked.body.job_id ?? row?.id ?? ''
}

describe('every route with an id', () => {
  const withId = CASES.filter(({ route }) => /\{(?:id|job_id)\}/.test(route))

  test.each(withId)(
    '$route is 404 to another account, and to the key of the other mode',
    async ({ route, accepts, body }) => {
      const [method = '', template = ''] = route.split(' ')
      const kind = /([\w-]+)\/\{/.exec(template)?.[1] ?? ''
      const make = MAKERS[kind]
      if (!make) throw new Error(`say in MAKERS how the owner gets one of ${kind}`)
      const path = template.replace(/\{\w+\}/, String(await make()))
      const sent = body ? { body: body() } : {}
      const observers = [
        { who: 'session of another account', credential: { token: other.token }, takes: 'session' },
        { who: 'live key of another account', credential: { key: other.key }, takes: 'key' },
        { who: 'test key of another account', credential: { key: other.testKey }, takes: 'key' },
        { who: 'test key of the owner', credential: { key: owner.testKey }, takes: 'key' },
      ]
      for (const { who, credential, takes } of observers) {
        if (accepts === 'public' || (OPEN_BY_ID.includes(route) && !who.startsWith('test key'))) continue
        const reply = await it.call(method, path, { ...credential, ...sent })
        expect([who, reply.status]).toEqual([who, accepts.includes(takes) ? 404 : 401])
      }
    },
  )
})

/** Speaks JSON-RPC, also when it refuses: the same promises are in `mcp.test.ts`. */
const AGENT_ENDPOINT = 'POST /mcp'

/** Pages of the site and descriptions for machines: public, and without an account behind them. */
const UNDOCUMENTED = [
  'DELETE /mcp',
  'GET /',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/openid-configuration',
  'GET /account',
  'GET /assets/icon.svg',
  'GET /assets/site.css',
  'GET /bot',
  'GET /connected-apps',
  'GET /console',
  'GET /console/*',
  'GET /console/assets/{name}',
  'GET /docs',
  'GET /docs/:page',
  'GET /docs/api/',
  'GET /docs/api/js/scalar.js',
  'GET /docs/errors',
  'GET /docs/errors/:code',
  'GET /evidence/{id}',
  'GET /forgot-password',
  'GET /llms.txt',
  'GET /mcp',
  'GET /metrics',
  'GET /oauth/authorize',
  'GET /oauth/authorize/{uid}',
  'GET /oauth/interaction/{uid}',
  'GET /oauth/jwks',
  'GET /openapi.json',
  'GET /reconcile/preview',
  'GET /reset-password',
  'GET /sign-in',
  'GET /sign-up',
  'GET /unsubscribe',
  'GET /verify-email',
  'OPTIONS *',
  'OPTIONS /.well-known/oauth-authorization-server',
  'OPTIONS /.well-known/openid-configuration',
  'OPTIONS /mcp',
  'OPTIONS /oauth/jwks',
  'OPTIONS /oauth/register',
  'OPTIONS /oauth/revoke',
  'OPTIONS /oauth/token',
  'POST /connected-apps/{id}/cap',
  'POST /connected-apps/{id}/end',
  'POST /console/session',
  'POST /forgot-password',
  'POST /oauth/authorize',
  'POST /oauth/interaction/{uid}/allow',
  'POST /oauth/interaction/{uid}/deny',
  'POST /oauth/interaction/{uid}/sign-in',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /resend-verification',
  'POST /reset-password',
  'POST /sign-in',
  'POST /sign-out',
  'POST /sign-up',
  'POST /unsubscribe',
  'POST /verify-email',
]

test('a route that is not in the OpenAPI document is a known page or description', () => {
  const documented = new Set([...CASES.map(({ route }) => route), AGENT_ENDPOINT])
  const found =
    it.service.server?.routeList
      .filter((route) => !route.startsWith('HEAD '))
      .map((route) => (route.startsWith('GET /docs') ? route : route.replaceAll(/:(\w+)/g, '{$1}'))) ?? []
  expect(found.filter((route) => !documented.has(route)).sort()).toEqual(UNDOCUMENTED)
})

const JOB_ID = `job_${'0'.repeat(27)}`
const POLICIES = { api: '"api";q=120;w=6', partner: '"partner";q=60;w=6' }

/** Whose thing it is comes before what is sent to it: see the test of another account's things below. */
const OWNED_FIRST = new Set([
  'POST /v1/partner/webhooks/{id}/replay',
  'POST /v1/reviews/{id}/decision',
  'PATCH /v1/connections/{id}',
  'POST /v1/webhook-listeners/{id}/events',
])

describe.each(CASES)('$route', ({ route, accepts, limit = 'api', body, bodyBytesMax = 65_536, otherAccount }) => {
  const [method = '', template = ''] = route.split(' ')
  const path = template
    .replace('{company_number}', '01234567')
    .replace(/(webhooks|listeners)\/\{id\}/, '$1/1')
    .replace(/\{(job_id|id)\}/, JOB_ID)
  const withBody = () => (body ? { body: body() } : {})
  const credentialOf = ({ key, token }: TestAccount) =>
    accepts === 'public' ? {} : accepts === 'key' ? { key } : { token }

  test.runIf(accepts !== 'public')('refuses a call without credentials, or with false ones', async () => {
    const none = await it.call(method, path, withBody())
    expect([none.status, none.body.code]).toEqual([401, 'missing_credentials'])
    const token = await it.call(method, path, { ...withBody(), token: 'nonsense' })
    expect([token.status, token.body.code]).toEqual([
      401,
      accepts === 'key' ? 'missing_credentials' : 'invalid_credentials',
    ])
    const key = await it.call(method, path, { ...withBody(), key: `np_live_${'0'.repeat(39)}` })
    expect(key.status).toBe(401)
    expect(key.headers.get('www-authenticate')).toContain('Bearer')
  })

  test.runIf(accepts !== 'public')('refuses a stranger before it looks at what was sent', async () => {
    const rubbish = `${template.replaceAll(/\{\w+\}/g, 'not-an-id')}?page=zero&limit=-1&signal_type=neither&from=never`
    const send = (credential: object) =>
      it.call(method, rubbish, { ...credential, ...(method === 'GET' ? {} : { rawBody: '{"broken":' }) })
    const deadKey = { key: `np_live_${'0'.repeat(39)}` }
    for (const credential of [{}, deadKey, { token: 'nonsense' }]) {
      const reply = await send(credential)
      expect([reply.status, reply.body.errors]).toEqual([401, undefined])
    }
    const compressed = { headers: { 'content-encoding': 'gzip' }, rawBody: 'not gzip' }
    if (body) expect((await it.call(method, path, compressed)).status).toBe(401)
  })

  test.runIf(accepts === 'session')('does not take an API key', async () => {
    const reply = await it.call(method, path, { ...withBody(), key: owner.key })
    expect([reply.status, reply.body.code]).toEqual([401, 'missing_credentials'])
  })

  test.runIf(accepts === 'key')('does not take a session', async () => {
    const reply = await it.call(method, path, { ...withBody(), token: owner.token })
    expect([reply.status, reply.body.code]).toEqual([401, 'missing_credentials'])
  })

  test.runIf(otherAccount !== 'no account behind it')('keeps one account’s things from another', async () => {
    if (otherAccount !== 'no account behind it') await otherAccount()
  })

  const takesBody = body !== undefined && !OWNED_FIRST.has(route)
  test.runIf(takesBody)('refuses a body that is not JSON, of another type, or too large', async () => {
    const credential = credentialOf(owner)
    const broken = await it.call(method, path, { ...credential, rawBody: '{"email":' })
    expect([broken.status, broken.body.code]).toEqual([400, 'invalid_request'])
    const type = await it.call(method, path, {
      ...credential,
      rawBody: 'a=b',
      headers: { 'content-type': 'text/plain' },
    })
    expect([type.status, type.body.code]).toEqual([415, 'unsupported_media_type'])
    const large = await it.call(method, path, {
      ...credential,
      rawBody: JSON.stringify({ padding: 'x'.repeat(bodyBytesMax) }),
    })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    const wrong = await it.call(method, path, {
      ...credential,
      body: {
        email: 7,
        password: [],
        token: {},
        mode: 'neither',
        new_password: 1,
        current_password: null,
        signal_type: 'neither',
        only: 'neither',
        received: 'none',
        reason: 7,
      },
    })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request'])
    expect(wrong.body.errors.length).toBeGreaterThan(0)
  })

  test.runIf(accepts !== 'public')('refuses an account that calls too often, and says when to come back', async () => {
    const busy = await it.signUp()
    // Nothing left, and nothing comes back before then.
    const empty = `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')`
    await it.app.db.query(empty, [`${limit}:${busy.id}`])
    const reply = await it.call(method, path, { ...withBody(), ...credentialOf(busy) })
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([429, 'rate_limited', true])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply.headers.get('ratelimit-policy')).toBe(POLICIES[limit])
    expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"${limit}";r=0;t=\\d+$`))
  })
})

test.each([
  ['POST', () => ownerRegisters(), (id: string | number) => `/v1/partner/webhooks/${id}/replay`],
  ['GET', () => ownerRegisters(), (id: string | number) => `/v1/partner/webhooks/${id}/deliveries?limit=-1`],
  ['POST', () => ownerReviews(), (id: string | number) => `/v1/reviews/${id}/decision`],
  ['PATCH', () => ownerConnects(), (id: string | number) => `/v1/connections/${id}`],
  ['POST', () => listen(owner), (id: string | number) => `/v1/webhook-listeners/${id}/events`],
  ['GET', () => ownerSendsBulk(), (id: string | number) => `/v1/bulk/${id}/results?format=neither`],
] as const)('%s to another account’s thing is 404, whatever was sent to it', async (method, make, toPath) => {
  const path = toPath(await make())
  const send = ({ token }: TestAccount, more: object) => it.call(method, path, { token, ...more })
  const text = { rawBody: 'a=b', headers: { 'content-type': 'text/plain' } }
  const broken = [{ rawBody: '{"broken":' }, text, { rawBody: JSON.stringify({ padding: 'x'.repeat(65_536) }) }]
  const expected = method === 'GET' ? [400] : [400, 415, 413]
  for (const [index, status] of expected.entries()) {
    const sent = method === 'GET' ? {} : (broken[index] ?? {})
    expect([(await send(other, sent)).status, (await send(owner, sent)).status]).toEqual([404, status])
  }
})

const LONG = 'x'.repeat(65)
test.each([
  `DELETE /v1/auth/api-keys/${LONG}`,
  'GET /v1/bulk?limit=0',
  `POST /v1/bulk/${LONG}/cancel`,
  `POST /v1/bulk/${LONG}/resume`,
  'DELETE /v1/partner/webhooks/not-a-number',
  'POST /v1/partner/webhooks/not-a-number/test',
  'POST /v1/partner/webhooks/not-a-number/rotate-secret',
  'DELETE /v1/webhook-listeners/not-a-number',
])('%s names nothing that can be, and is a bad request', async (request) => {
  const [method = '', path = ''] = request.split(' ')
  const reply = await it.call(method, path, { token: owner.token })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
})

test('a broken body to what cannot be an id is a bad request, and no failure of ours', async () => {
  const sent = { token: owner.token, rawBody: '{"broken":' }
  for (const path of ['/v1/webhook-listeners/not-a-number/events', '/v1/partner/webhooks/not-a-number/replay']) {
    expect((await it.call('POST', path, sent)).status).toBe(400)
  }
})

test('a listener that was closed is gone for a repeat of the request that opened it', async () => {
  const { key } = await it.openAccount()
  const opening = { key, body: {}, headers: { 'idempotency-key': 'listen-once' } }
  const opened = await it.call('POST', '/v1/webhook-listeners', opening)
  await it.call('DELETE', `/v1/webhook-listeners/${opened.body.id}`, { key })
  expect((await it.call('POST', '/v1/webhook-listeners', opening)).status).toBe(404)
})

test('the state of the service is told to an address so often and no more', async () => {
  const ip = '203.0.113.78'
  const empty = `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')`
  await it.app.db.query(empty, [`operations:${ip}`])
  expect((await it.call('GET', '/v1/status', { ip })).status).toBe(429)
})

test('the public sign-in family is throttled per address', async () => {
  const ip = '203.0.113.77'
  const exhaust = async (method: string, path: string, body?: object) => {
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const reply = await it.call(method, path, { ip, ...(body ? { body } : {}) })
      if (reply.status === 429) return reply.headers.get('retry-after')
    }
    return null
  }
  const signup = { email: 'taken@customer.test', password: 'seven quiet harbours' }
  expect(await exhaust('POST', '/v1/auth/signup', signup)).not.toBeNull()
  expect(await exhaust('POST', '/v1/auth/login', { email: 'x@customer.test', password: 'wrong' })).not.toBeNull()
  expect(await exhaust('GET', '/v1/auth/verify-email?token=nonsense')).not.toBeNull()
  expect(await exhaust('POST', '/v1/auth/resend-verification', { email: 'x@customer.test' })).not.toBeNull()
  expect(await exhaust('POST', '/v1/auth/forgot-password', { email: 'x@customer.test' })).not.toBeNull()
  expect(
    await exhaust('POST', '/v1/auth/reset-password', { token: 'x', new_password: 'seven quiet harbours' }),
  ).not.toBeNull()
})

test('more sign-ins at once than can be worked on answer 503 and say when to come back', async () => {
  const password = 'seven quiet harbours'
  // The service runs in this process: the flood takes all 4 slots and all 64 that may wait for one.
  const flood = Array.from({ length: 68 }, () => it.app.passwordSlots.enter())
  const during = [
    it.call('POST', '/v1/auth/login', { body: { email: 'late@customer.test', password } }),
    it.call('POST', '/v1/auth/signup', { body: { email: 'late@customer.test', password } }),
    it.call('POST', '/v1/auth/reset-password', { body: { token: 'x', new_password: password } }),
    it.call('POST', '/v1/auth/change-password', {
      token: owner.token,
      body: { current_password: password, new_password: password },
    }),
    it.call('POST', '/v1/auth/api-key/rotate', { token: owner.token, body: { current_password: password } }),
  ]
  for (const reply of await Promise.all(during)) {
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, 'busy', true])
    expect(reply.headers.get('retry-after')).toBe('2')
  }
  for (const leave of flood) (await leave)?.()
})
