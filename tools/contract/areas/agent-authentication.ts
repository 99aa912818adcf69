import { AUTHORIZE, greet, SCOPE, TOKEN } from '../agent.ts'
import {
  equals,
  expectJson,
  expectMember,
  expectStatus,
  expectThat,
  readMember,
  readNumber,
  readText,
  TEXT,
} from '../expectations.ts'
import { type Row, row } from '../row.ts'

const OAUTH = 'OAuth 2.0 authorization code'

/** How agents are let in: by the key, or by a person who signs in and allows them. */
export const AGENT_AUTHENTICATION: readonly Row[] = [
  row('key-post-mcp', 'API key: header X-API-Key on POST /mcp', async ({ call, accounts }) => {
    expectStatus(await greet(call, {}), 401)
    expectStatus(await greet(call, { key: `np_live_${'0'.repeat(40)}` }), 401)
    expectStatus(await greet(call, { key: await accounts.testKey() }), 200)
    return 'none and a wrong one: 401; the right one: 200'
  }),
  row('oauth-authorize', `${OAUTH}: authorize at {site_url}${AUTHORIZE}`, async ({ connection, deployment }) => {
    const { server, sentTo, callback, state } = await connection()
    expectMember(server, 'authorization_endpoint', equals(`${deployment.siteUrl.origin}${AUTHORIZE}`))
    const location = expectStatus(sentTo, 302, 303).headers.get('location') ?? ''
    expectThat(callback.searchParams.has('code'), 'a code', Object.fromEntries(callback.searchParams))
    expectThat(
      callback.searchParams.get('state') === state,
      'the state as it was sent',
      callback.searchParams.get('state'),
    )
    return `a browser is sent to ${location.replace(/[^/]+$/, '…')}; signed in and allowed, it brings back code and state`
  }),
  row('oauth-token', `${OAUTH}: token at {site_url}${TOKEN}`, async ({ connection, deployment }) => {
    const { server, token } = await connection()
    expectMember(server, 'token_endpoint', equals(`${deployment.siteUrl.origin}${TOKEN}`))
    expectMember(token, 'token_type', equals('Bearer'))
    expectMember(token, 'access_token', TEXT)
    return `a Bearer token for ${readNumber(token, 'expires_in')} s`
  }),
  row(
    'oauth-token-refusal',
    `${OAUTH}: a code that was never given is refused as RFC 6749 §5.2 says`,
    async ({ connection }) => {
      const refused = expectJson(expectStatus((await connection()).refusal, 400))
      expectMember(refused, 'error', equals('invalid_grant'))
      return '400 invalid_grant'
    },
  ),
  row(
    'oauth-scope',
    `${OAUTH}: scope ${SCOPE} (use the agent tools against the account’s credit ledger)`,
    async ({ connection, call, accounts }) => {
      const { token, account, resource } = await connection()
      expectMember(token, 'scope', equals(SCOPE))
      expectThat(JSON.stringify(readMember(resource.body, 'scopes_supported')).includes(SCOPE), SCOPE, resource.body)
      const me = expectStatus(await call('GET', '/v1/auth/me', { token: await accounts.session() }), 200)
      expectMember(account, 'result.structuredContent.account_id', equals(readText(me, 'account_id')))
      return `get_account tells the agent of ${readNumber(account, 'result.structuredContent.credits.available')} credits of this account`
    },
  ),
  row('oauth-mcp', `${OAUTH}: used by /mcp`, async ({ connection, deployment }) => {
    const { challenge, resource, account } = await connection()
    expectMember(resource, 'resource', equals(new URL('/mcp', deployment.baseUrl).href))
    expectMember(resource, 'authorization_servers.0', equals(deployment.siteUrl.origin))
    expectStatus(account, 200)
    return `without a token ${challenge.status} and where to get one; with it 200`
  }),
]
