/** The credential of each endpoint, and how agents are admitted. */
import { AUTHORIZE, initialize, SCOPE, TOKEN } from '../agent.ts'
import { type Ask } from '../client.ts'
import {
  expectAnswer,
  expectJson,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  readText,
} from '../expectations.ts'
import { all, area, ask, from, gives, type Rows, refuses, row } from '../row.ts'
import * as is from '../values.ts'
import { NO_COMPANY } from '../watching.ts'
import { initialized } from './sources.ts'
import { VERIFIED } from './states.ts'

/** An endpoint, the status for an admitted caller, and a body. Each request changes nothing. */
type Endpoint = [request: string, admittedAs: number, body?: object]

const WRONG = {
  testKey: { key: `np_live_${'0'.repeat(40)}` },
  token: { token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.AAAA' },
}

const SHARED: readonly Endpoint[] = [
  ['GET /v1/auth/me', 200],
  ['GET /v1/companies/search?name=bakery', 200],
]

const KEY_ENDPOINTS: readonly Endpoint[] = [
  ['POST /v1/enrich', 200, { domain: 'matched.test' }],
  ['POST /v1/resolve/domain', 200, { domain: 'matched.test' }],
  ['POST /v1/resolve/company', 200, { company_number: 'TS000001' }],
  ['POST /v1/partner/enrich-company', 200, { domain: 'matched.test' }],
  ['GET /v1/partner/enrich-company/job_unknown', 404],
  ...SHARED,
]

const BEARER_ENDPOINTS: readonly Endpoint[] = [
  ['GET /v1/watchlist', 200],
  ['POST /v1/watchlist', 404, { company_number: NO_COMPANY }],
  [`DELETE /v1/watchlist/${NO_COMPANY}`, 200],
  ['GET /v1/signals', 200],
  [`GET /v1/companies/${NO_COMPANY}/signals`, 404],
  ['GET /v1/partner/webhooks', 200],
  ['POST /v1/partner/webhooks', 400, { webhook_url: 'http://example.com/', signal_type: 'all' }],
  ['DELETE /v1/partner/webhooks/2147483647', 404],
  ...SHARED,
]

const OPEN_ENDPOINTS: readonly Endpoint[] = [
  ['GET /v1/enrich/status/job_unknown', 404],
  ['POST /v1/auth/signup', 400, { email: 'no address', password: 'short' }],
  ['POST /v1/auth/login', 400, { email: '' }],
  ['GET /v1/auth/verify-email?token=unknown', 302],
  ['POST /v1/auth/forgot-password', 400, { email: 'no address' }],
  ['POST /v1/auth/reset-password', 400, { token: 'x', new_password: 'short' }],
  ['GET /healthz', 200],
]

const OAUTH = 'OAuth 2.0 authorization code'

/** An agent is admitted by the key, or by a person who signs in and allows it. */
export const AGENT_AUTHENTICATION: Rows = {
  'key-post-mcp: API key: header X-API-Key on POST /mcp': [
    gives(initialized(), 401),
    gives(({ call }) => initialize(call, { key: `np_live_${'0'.repeat(40)}` }), 401),
    gives(initialized('testKey'), 200),
  ],
  [`oauth-authorize: ${OAUTH}: authorize at {site_url}${AUTHORIZE}`]: [
    gives(from('connection', 'server'), 200, ({ deployment }) => ({
      authorization_endpoint: `${deployment.siteUrl.origin}${AUTHORIZE}`,
    })),
    async ({ steps }) => {
      const { sentTo, callback, state } = await steps.connection()
      const location = String(expectMember(sentTo, '@location', is.text))
      expectThat([302, 303].includes(sentTo.status), 'a redirect', sentTo.status)
      const came = Object.fromEntries(callback.searchParams)
      expectThat('code' in came && came['state'] === state, 'a code, and the state as it was sent', came)
      return `a browser is sent to ${location.replace(/[^/]+$/, '…')}; signed in and allowed, it brings back code and state`
    },
  ],
  [`oauth-token: ${OAUTH}: token at {site_url}${TOKEN}`]: [
    gives(from('connection', 'server'), 200, ({ deployment }) => ({
      token_endpoint: `${deployment.siteUrl.origin}${TOKEN}`,
    })),
    gives(from('connection', 'token'), 200, { token_type: 'Bearer', access_token: is.text, expires_in: is.integer }),
  ],
  [`oauth-token-refusal: ${OAUTH}: a code that was never given is refused as RFC 6749 §5.2 says`]: [
    async ({ steps }) => expectAnswer(expectJson((await steps.connection()).refusal), 400, { error: 'invalid_grant' }),
  ],
  [`oauth-scope: ${OAUTH}: scope ${SCOPE} (use the agent tools against the account’s credit ledger)`]: [
    gives(from('connection', 'token'), 200, { scope: SCOPE }),
    gives(from('connection', 'resource'), 200, { scopes_supported: is.including(SCOPE) }),
    gives(from('connection', 'account'), 200, async ({ ask }) => ({
      'result.structuredContent.account_id': readText(await ask({ to: 'GET /v1/auth/me', as: 'token' }), 'account_id'),
      'result.structuredContent.credits.available': is.integer,
    })),
  ],
  [`oauth-mcp: ${OAUTH}: used by /mcp`]: [
    gives(from('connection', 'challenge'), 401, { '@www-authenticate': is.shown }),
    gives(from('connection', 'resource'), 200, ({ deployment }) => ({
      resource: new URL('/mcp', deployment.baseUrl).href,
      'authorization_servers.0': deployment.siteUrl.origin,
    })),
    gives(from('connection', 'account'), 200),
  ],
}

const BEARER = 'Bearer: Authorization: Bearer <SESSION_TOKEN>'

export const AUTHENTICATION = area('Authentication', {
  ...all(KEY_ENDPOINTS.map((endpoint) => scheme('key', 'API key: header X-API-Key', endpoint, 'testKey'))),
  ...all(BEARER_ENDPOINTS.map((endpoint) => scheme('bearer', `${BEARER} (JWT from login)`, endpoint, 'token'))),
  [`bearer-post-auth-change-password: ${BEARER} on POST /v1/auth/change-password`]: async ({ call, as, steps }) => {
    const body = { current_password: 'the present one', new_password: 'another one' }
    const send = (credential: Ask) => call('POST', '/v1/auth/change-password', { body, ...credential })
    expectRefusal(await send({}), 401, 'missing_credentials')
    expectRefusal(await send(WRONG.token), 401, 'invalid_credentials')
    expectRefusal(await send(await as('key')), 401, 'missing_credentials')
    expectStatus((await steps.passwords()).change, 200)
    return 'with a session; neither with none, nor with a wrong one, nor with the API key'
  },
  ...AGENT_AUTHENTICATION,
  'auth-key-once: The account API key is shown once when it is created and is also returned by login': async ({
    call,
    as,
  }) => {
    const { key = '' } = await as('key')
    const me = expectStatus(await call('GET', '/v1/auth/me', { key }), 200)
    expectThat(is.matching(/^np_live_\w{20,}$/, '').holds(key), 'a whole key from login', key.slice(0, 12))
    expectThat(!me.text.includes(key), 'a profile without the key', me.body)
    return `login gives it; the profile shows ${readText(me, 'api_key.prefix')}…${readText(me, 'api_key.last4')}`
  },
  'auth-signup: Sign-up requires email and a password of at least 8 characters': [
    { password: 'long enough to do' },
    { email: 'unknown@nameplate.test' },
    { email: 'no address', password: 'long enough' },
  ].map((body) => refuses(ask('POST /v1/auth/signup', undefined, body), 400, 'invalid_request')),
  'auth-login: Login requires a verified email': [
    refuses(from('registration', 'loginUnverified'), 401, 'email_not_verified'),
  ],
  'auth-single-use: Reset and verification tokens are single use': [
    gives(from('registration', 'verificationAgain'), 302, { '@location': is.not(VERIFIED) }),
    refuses(from('passwords', 'resetAgain'), 400, 'invalid_token'),
  ],
  'auth-reset-sessions: A successful reset invalidates older sessions': [
    refuses(from('passwords', 'sessionBeforeReset'), 401, 'invalid_credentials'),
  ],
  ...all(
    OPEN_ENDPOINTS.map(([request, admittedAs, body]) => {
      const words = `Endpoints with none are callable without credentials: ${toTemplate(request)}`
      return row(`open-${toId(request)}`, words, gives(ask(request, undefined, body), admittedAs))
    }),
  ),
  'auth-key-webhooks: The webhook usage sends the API key header to the watchlist and webhook endpoints': [
    '/v1/watchlist',
    '/v1/signals',
    '/v1/partner/webhooks',
  ].map((path) => gives(ask(`GET ${path}`, 'key'), 200)),
})

/** Without a credential, with a wrong one and with the right one. */
function scheme(id: string, words: string, [request, admittedAs, body]: Endpoint, sender: keyof typeof WRONG): Rows {
  const [method = '', path = ''] = request.split(' ')
  return row(`${id}-${toId(request)}`, `${words} on ${toTemplate(request)}`, [
    refuses(ask(request, undefined, body), 401, 'missing_credentials'),
    refuses(({ call }) => call(method, path, { ...WRONG[sender], body }), 401, 'invalid_credentials'),
    gives(ask(request, sender, body), admittedAs),
  ])
}

/** As the contract writes it. */
function toTemplate(request: string): string {
  return (request.split('?')[0] ?? '')
    .replace('job_unknown', '{job_id}')
    .replace(NO_COMPANY, '{company_number}')
    .replace('2147483647', '{id}')
}

function toId(request: string): string {
  return toTemplate(request)
    .toLowerCase()
    .replaceAll(/[{}]/g, '')
    .replace('/v1/', '')
    .replaceAll(/[^a-z]+/g, '-')
}
