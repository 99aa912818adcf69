/**
 * Every route of the contract, and what holds for all of them: no credentials, someone else's things, bad input, too
 * much of it. A route that is not in this table fails the first test.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { occupyEveryPlace } from '../src/accounts/passwords.ts'
import { ALDER } from './setup/companies.ts'
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
  // The register is public: every account sees the same companies.
  { route: 'GET /v1/companies/search', accepts: 'session or key', otherAccount: 'no account behind it' },
  { route: 'GET /v1/companies/{company_number}', accepts: 'session or key', otherAccount: 'no account behind it' },
  {
    route: 'GET /v1/companies/{company_number}/signals',
    accepts: 'session or key',
    otherAccount: 'no account behind it',
  },
  { route: 'GET /v1/status', accepts: 'public', otherAccount: 'no account behind it' },
  { route: 'POST /v1/enrich', accepts: 'key', body: asksForDomain, otherAccount: () => asksAtItsOwnCost('/v1/enrich') },
  // Whoever has a job's id may ask how far it is.
  { route: 'GET /v1/enrich/status/{job_id}', accepts: 'public', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/resolve/domain',
    accepts: 'key',
    body: asksForDomain,
    otherAccount: () => asksAtItsOwnCost('/v1/resolve/domain'),
  },
  {
    route: 'POST /v1/resolve/company',
    accepts: 'key',
    body: () => ({ company_number: ALDER.number }),
    otherAccount: () => asksAtItsOwnCost('/v1/resolve/company', { company_number: ALDER.number }, 200),
  },
  // Whoever was told an answer's id may read its evidence.
  { route: 'GET /v1/resolutions/{id}/evidence', accepts: 'session or key', otherAccount: 'no account behind it' },
  {
    route: 'POST /v1/partner/enrich-company',
    accepts: 'key',
    limit: 'partner',
    body: asksForDomain,
    otherAccount: () => asksAtItsOwnCost('/v1/partner/enrich-company'),
  },
  {
    route: 'GET /v1/partner/enrich-company/{job_id}',
    accepts: 'key',
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
      const accepts = schemes.map((scheme) => (scheme === 'apiKey' ? 'key' : 'session')).join(' or ') || 'public'
      return `${method.toUpperCase()} ${path}: ${accepts}`
    }),
  )
  expect(CASES.map(({ route, accepts }) => `${route}: ${accepts}`).sort()).toEqual(documented.sort())
})

/** Pages of the site and descriptions for machines: public, and without an account behind them. */
const UNDOCUMENTED = [
  'GET /',
  'GET /assets/site.css',
  'GET /bot',
  'GET /docs',
  'GET /docs/api',
  'GET /docs/api/',
  'GET /docs/api/js/scalar.js',
  'GET /docs/errors',
  'GET /docs/errors/:code',
  'GET /forgot-password',
  'GET /metrics',
  'GET /openapi.json',
  'GET /reset-password',
  'GET /sign-in',
  'OPTIONS *',
  'POST /forgot-password',
  'POST /reset-password',
]

test('a route that is not in the OpenAPI document is a known page or description', () => {
  const documented = new Set(CASES.map(({ route }) => route))
  const found =
    it.service.server?.routeList
      .filter((route) => !route.startsWith('HEAD '))
      .map((route) => (route.startsWith('GET /docs') ? route : route.replaceAll(/:(\w+)/g, '{$1}'))) ?? []
  expect(found.filter((route) => !documented.has(route)).sort()).toEqual(UNDOCUMENTED)
})

const JOB_ID = `job_${'0'.repeat(27)}`
const POLICIES = { api: '"api";q=120;w=6', partner: '"partner";q=60;w=6' }

describe.each(CASES)('$route', ({ route, accepts, limit = 'api', body, otherAccount }) => {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replace('{company_number}', '01234567').replace(/\{(job_id|id)\}/, JOB_ID)
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

  test.runIf(body !== undefined)('refuses a body that is not JSON, of another type, or too large', async () => {
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
      rawBody: JSON.stringify({ padding: 'x'.repeat(70_000) }),
    })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    const wrong = await it.call(method, path, {
      ...credential,
      body: { email: 7, password: [], token: {}, mode: 'neither', new_password: 1, current_password: null },
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
  expect(await exhaust('POST', '/v1/auth/forgot-password', { email: 'x@customer.test' })).not.toBeNull()
  expect(
    await exhaust('POST', '/v1/auth/reset-password', { token: 'x', new_password: 'seven quiet harbours' }),
  ).not.toBeNull()
})

test('more sign-ins at once than can be worked on answer 503 and say when to come back', async () => {
  const password = 'seven quiet harbours'
  // The service runs in this process, so these are the places it has.
  const { promise: floodOver, resolve: endFlood } = Promise.withResolvers<void>()
  occupyEveryPlace(floodOver)
  const during = [
    it.call('POST', '/v1/auth/login', { body: { email: 'late@customer.test', password } }),
    it.call('POST', '/v1/auth/signup', { body: { email: 'late@customer.test', password } }),
    it.call('POST', '/v1/auth/reset-password', { body: { token: 'x', new_password: password } }),
    it.call('POST', '/v1/auth/change-password', {
      token: owner.token,
      body: { current_password: password, new_password: password },
    }),
  ]
  for (const reply of await Promise.all(during)) {
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, 'busy', true])
    expect(reply.headers.get('retry-after')).toBe('2')
  }
  endFlood()
})
