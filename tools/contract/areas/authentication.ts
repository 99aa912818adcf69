import type { Ask } from '../client.ts'
import { expectRefusal, expectStatus, expectThat, matching, readText } from '../expectations.ts'
import { type Area, type Row, row } from '../row.ts'
import type { Stage } from '../stage.ts'
import { NO_COMPANY } from '../watching.ts'
import { AGENT_AUTHENTICATION } from './agent-authentication.ts'

interface Endpoint {
  method: string
  path: string
  body?: object
  /** Beyond 2xx: what an admitted caller is told all the same. */
  admittedAs?: number
}

const WRONG_KEY = `np_live_${'0'.repeat(40)}`
const WRONG_TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.AAAA'

const SHARED: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/auth/me' },
  { method: 'GET', path: '/v1/companies/search?name=bakery' },
]

const KEY_ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/enrich', body: { domain: 'matched.test' } },
  { method: 'POST', path: '/v1/resolve/domain', body: { domain: 'matched.test' } },
  { method: 'POST', path: '/v1/resolve/company', body: { company_number: 'TS000001' } },
  { method: 'POST', path: '/v1/partner/enrich-company', body: { domain: 'matched.test' } },
  { method: 'GET', path: '/v1/partner/enrich-company/job_unknown', admittedAs: 404 },
  ...SHARED,
]

/** Each is asked for something that changes nothing. */
const BEARER_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/watchlist' },
  { method: 'POST', path: '/v1/watchlist', body: { company_number: NO_COMPANY }, admittedAs: 404 },
  { method: 'DELETE', path: `/v1/watchlist/${NO_COMPANY}` },
  { method: 'GET', path: '/v1/signals' },
  { method: 'GET', path: `/v1/companies/${NO_COMPANY}/signals`, admittedAs: 404 },
  { method: 'GET', path: '/v1/partner/webhooks' },
  {
    method: 'POST',
    path: '/v1/partner/webhooks',
    body: { webhook_url: 'http://example.com/', signal_type: 'all' },
    admittedAs: 400,
  },
  { method: 'DELETE', path: '/v1/partner/webhooks/2147483647', admittedAs: 404 },
  ...SHARED,
]

const OPEN_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/enrich/status/job_unknown', admittedAs: 404 },
  { method: 'POST', path: '/v1/auth/signup', body: { email: 'nobody', password: 'short' }, admittedAs: 400 },
  { method: 'POST', path: '/v1/auth/login', body: { email: '' }, admittedAs: 400 },
  { method: 'GET', path: '/v1/auth/verify-email?token=unknown', admittedAs: 302 },
  { method: 'POST', path: '/v1/auth/forgot-password', body: { email: 'nobody' }, admittedAs: 400 },
  { method: 'POST', path: '/v1/auth/reset-password', body: { token: 'x', new_password: 'short' }, admittedAs: 400 },
  { method: 'GET', path: '/healthz' },
]

export const AUTHENTICATION: Area = {
  title: 'Authentication',
  rows: [
    ...KEY_ENDPOINTS.map((endpoint) =>
      scheme('key', 'API key: header X-API-Key', endpoint, {
        right: async ({ accounts }) => ({ key: await accounts.testKey() }),
        wrong: { key: WRONG_KEY },
      }),
    ),
    ...BEARER_ENDPOINTS.map((endpoint) =>
      scheme('bearer', 'Bearer: Authorization: Bearer <SESSION_TOKEN> (JWT from login)', endpoint, {
        right: async ({ accounts }) => ({ token: await accounts.session() }),
        wrong: { token: WRONG_TOKEN },
      }),
    ),
    row(
      'bearer-post-auth-change-password',
      'Bearer: Authorization: Bearer <SESSION_TOKEN> on POST /v1/auth/change-password',
      async (stage) => {
        const body = { current_password: 'one that is', new_password: 'one that is not' }
        const ask = (more: Ask) => stage.call('POST', '/v1/auth/change-password', { body, ...more })
        expectRefusal(await ask({}), 401, 'missing_credentials')
        expectRefusal(await ask({ token: WRONG_TOKEN }), 401, 'invalid_credentials')
        expectRefusal(await ask({ key: await stage.accounts.key() }), 401, 'missing_credentials')
        expectStatus((await stage.passwords()).change, 200)
        return 'with a session; neither with none, nor with a wrong one, nor with the API key'
      },
    ),
    ...AGENT_AUTHENTICATION,
    row(
      'auth-key-once',
      'The account API key is shown once when it is created and is also returned by login',
      async ({ accounts, call }) => {
        const key = await accounts.key()
        const me = expectStatus(await call('GET', '/v1/auth/me', { key }), 200)
        expectThat(matching(/^np_live_\w{20,}$/, '').holds(key), 'a whole key from login', key.slice(0, 12))
        expectThat(!me.text.includes(key), 'a profile without the key', me.body)
        return `login gives it; the profile shows ${readText(me, 'api_key.prefix')}…${readText(me, 'api_key.last4')}`
      },
    ),
    row('auth-signup', 'Sign-up requires email and a password of at least 8 characters', async ({ call }) => {
      const bodies = [
        { password: 'long enough to do' },
        { email: 'somebody@nameplate.test' },
        { email: 'nobody', password: 'long enough' },
      ]
      for (const body of bodies) expectRefusal(await call('POST', '/v1/auth/signup', { body }), 400, 'invalid_request')
      return 'without one, without the other, and with an address that is none'
    }),
    row('auth-login', 'Login requires a verified email', async ({ accounts }) => {
      expectRefusal((await accounts.registration()).loginUnverified, 401, 'email_not_verified')
      return 'before the link was followed: 401'
    }),
    row('auth-single-use', 'Reset and verification tokens are single use', async ({ accounts, passwords }) => {
      const { verificationAgain } = await accounts.registration()
      const location = verificationAgain.headers.get('location') ?? ''
      expectThat(!location.endsWith('verification=verified'), 'a spent link', location)
      expectRefusal((await passwords()).resetAgain, 400, 'invalid_token')
      return 'each was sent twice'
    }),
    row('auth-reset-sessions', 'A successful reset invalidates older sessions', async ({ passwords }) => {
      expectRefusal((await passwords()).sessionBeforeReset, 401, 'invalid_credentials')
      return 'a session from before: 401'
    }),
    ...OPEN_ENDPOINTS.map(({ method, path, body, admittedAs = 200 }) =>
      row(
        `open-${toId(method, path)}`,
        `Endpoints with none are callable without credentials: ${method} ${toPath(path)}`,
        async ({ call }) => {
          expectStatus(await call(method, path, body ? { body } : {}), admittedAs)
          return `without a credential: ${admittedAs}`
        },
      ),
    ),
    row(
      'auth-key-webhooks',
      'The webhook usage sends the API key header to the watchlist and webhook endpoints',
      async ({ call, accounts }) => {
        const key = await accounts.key()
        const paths = ['/v1/watchlist', '/v1/signals', '/v1/partner/webhooks']
        for (const path of paths) expectStatus(await call('GET', path, { key }), 200)
        return `${paths.join(', ')} take it`
      },
    ),
  ],
}

function scheme(
  id: string,
  words: string,
  endpoint: Endpoint,
  { right, wrong }: { right: (stage: Stage) => Promise<Ask>; wrong: Ask },
): Row {
  const { method, path, body, admittedAs = 200 } = endpoint
  return row(`${id}-${toId(method, path)}`, `${words} on ${method} ${toPath(path)}`, async (stage) => {
    const ask = async (credential: Ask) => stage.call(method, path, { ...credential, ...(body ? { body } : {}) })
    expectRefusal(await ask({}), 401, 'missing_credentials')
    expectRefusal(await ask(wrong), 401, 'invalid_credentials')
    expectStatus(await ask(await right(stage)), admittedAs)
    return `none and a wrong one: 401; the right one: ${admittedAs}`
  })
}

/** As the contract writes it. */
function toPath(path: string): string {
  return (path.split('?')[0] ?? '')
    .replace('job_unknown', '{job_id}')
    .replace(NO_COMPANY, '{company_number}')
    .replace('2147483647', '{id}')
}

function toId(method: string, path: string): string {
  const words = `${method} ${toPath(path)}`.toLowerCase().replaceAll(/[{}]/g, '').replace('/v1/', '')
  return words.replaceAll(/[^a-z]+/g, '-')
}
