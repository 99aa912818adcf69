/** Headers for browsers over https, as in production, behind a proxy. */
import { expect, test } from 'vitest'
import { newPkce, REDIRECT } from './setup/agent-walk.ts'
import { startTestService, useTestService } from './setup/harness.ts'

const SITE = 'https://nameplate.test'

const it = useTestService({ siteUrl: new URL(SITE), baseUrl: new URL('https://api.nameplate.test'), work: false })

async function ask(method: 'GET' | 'POST' | 'TRACE', path: string, payload?: object | string, host = 'nameplate.test') {
  const type = typeof payload === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  const answer = await it.service.server?.inject({
    method: method as 'GET',
    url: path,
    headers: { host, 'x-forwarded-proto': 'https', ...(payload ? { 'content-type': type } : {}) },
    ...(payload ? { payload } : {}),
  })
  if (!answer) throw new Error('nothing is served')
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, cookies: answer.cookies }
}

test('every cookie is secure, out of reach of scripts, and bound to this host or its path', async () => {
  const client = { client_name: 'Test', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
  const { client_id: clientId } = JSON.parse((await ask('POST', '/oauth/register', client)).text) as {
    client_id: string
  }
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    state: 'a-state',
  })
  const { cookies } = await ask('GET', `/oauth/authorize?${query.toString()}`)
  expect(cookies.map(({ name }) => name).sort()).toEqual([
    '__Secure-oauth_interaction',
    '__Secure-oauth_interaction.sig',
    '__Secure-oauth_resume',
    '__Secure-oauth_resume.sig',
  ])
  const account = { email: 'person@customer.test', password: 'plum orchard seventeen' }
  await ask('POST', '/v1/auth/signup', account, 'api.nameplate.test')
  await it.app.db.query('update account set verified_at = now()')
  const signedIn = await ask('POST', '/sign-in', new URLSearchParams(account).toString())
  expect(signedIn.status).toBe(303)
  for (const cookie of [...cookies, ...signedIn.cookies]) {
    expect(cookie, cookie.name).toMatchObject({ secure: true, httpOnly: true, sameSite: expect.stringMatching(/lax/i) })
    expect(cookie, cookie.name).not.toHaveProperty('domain')
  }
  expect(signedIn.cookies.at(-1)).toMatchObject({ name: '__Host-session', path: '/' })
})

test('pages and answers say that only https is spoken, that nothing frames them, and no version', async () => {
  for (const [path, host] of [
    ['/sign-in', 'nameplate.test'],
    ['/v1/auth/me', 'api.nameplate.test'],
    ['/oauth/jwks', 'nameplate.test'],
    ['/no-such-page', 'nameplate.test'],
    ['/docs/proof', 'nameplate.test'],
  ] as const) {
    const { headers } = await ask('GET', path, undefined, host)
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000; includeSubDomains')
    expect(headers['content-security-policy'], path).toMatch(
      /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/,
    )
    expect(headers['content-security-policy'], path).not.toContain('unsafe-inline')
    expect(headers['referrer-policy'], path).toBe('no-referrer')
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect([headers['server'], headers['x-powered-by']], path).toEqual([undefined, undefined])
  }
})

test('a body that reaches for the prototype of every object is refused', async () => {
  const account = '{"email":"a@customer.test","password":"plum orchard seventeen","__proto__":{"admin":true}}'
  const answer = await it.service.server?.inject({
    method: 'POST',
    url: '/v1/auth/signup',
    headers: { host: 'api.nameplate.test', 'content-type': 'application/json' },
    payload: account,
  })
  expect([answer?.statusCode, answer?.json().code]).toEqual([400, 'invalid_request'])
})

test('without a configured proxy, nobody can say that they are somebody else', async () => {
  await using direct = await startTestService({ trustedProxies: [], work: false })
  await direct.call('POST', '/v1/auth/login', {
    body: { email: 'nobody@customer.test', password: 'plum orchard eighteen' },
    ip: '203.0.113.7',
  })
  const [event] = await direct.app.db.query<{ ip: string }>('select ip from audit_event')
  expect(event?.ip).toBe('127.0.0.1')
})

test('TRACE is refused, and a folder is no page', async () => {
  expect((await ask('TRACE', '/')).status).toBe(405)
  // As any address of the console: it leads to signing in, and shows nothing.
  expect((await ask('GET', '/console/assets/')).status).toBe(303)
  for (const path of ['/.git/config', '/.env', '/package.json', '/console/assets/..%2f..%2fpackage.json']) {
    expect((await ask('GET', path)).status, path).toBe(404)
  }
})
