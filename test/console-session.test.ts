/** How the console's page comes to a credential for the API: by the site's cookie, for a short while, and nobody else's page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestAccount, type TestService } from './setup/harness.ts'

let it: TestService
let owner: TestAccount
beforeAll(async () => {
  it = await startTestService()
  owner = await it.signUp()
})
afterAll(() => it[Symbol.asyncDispose]())

const cookieOf = ({ token }: TestAccount) => ({ cookie: `session=${token}` })
const openSession = (headers: Record<string, string>) => it.visit('POST', '/console/session', { headers })

test('the page gets a token of its own that opens the API for a quarter of an hour', async () => {
  const { status, body } = await openSession(cookieOf(owner))
  expect([status, body.api_url]).toEqual([200, it.config.baseUrl.origin])
  expect(body.token).not.toBe(owner.token)
  expect((await it.call('GET', '/v1/auth/me', { token: body.token })).body.email).toBe(owner.email)
  it.clock.advance(16 * 60)
  expect((await it.call('GET', '/v1/auth/me', { token: body.token })).status).toBe(401)
  expect((await openSession(cookieOf(owner))).status).toBe(200)
})

test('without the cookie there is none, and the page sends its person to sign in', async () => {
  const { status, body } = await openSession({})
  expect([status, body.code]).toEqual([401, 'missing_credentials'])
  const page = await it.visit('GET', '/console/signals?type=all')
  expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fconsole%2Fsignals%3Ftype%3Dall'])
})

test('another site cannot have it made, whatever cookie the browser sends along', async () => {
  const foreign = await openSession({ ...cookieOf(owner), 'sec-fetch-site': 'cross-site' })
  expect([foreign.status, foreign.body.code]).toEqual([403, 'foreign_form'])
  const byOrigin = await openSession({ ...cookieOf(owner), origin: 'https://elsewhere.example' })
  expect(byOrigin.status).toBe(403)
})

test('it ends with the password', async () => {
  const other = await it.signUp()
  const { body } = await openSession(cookieOf(other))
  const change = { current_password: other.password, new_password: 'eleven slow barges' }
  await it.call('POST', '/v1/auth/change-password', { token: other.token, body: change })
  expect((await it.call('GET', '/v1/auth/me', { token: body.token })).status).toBe(401)
  expect((await openSession(cookieOf(other))).status).toBe(401)
})

test('signing out ends the session itself, with the token the page got from it, and no other session', async () => {
  const other = await it.signUp()
  const { body: elsewhere } = await it.call('POST', '/v1/auth/login', {
    body: { email: other.email, password: other.password },
  })
  const { body: page } = await openSession(cookieOf(other))
  const out = await it.visit('POST', '/sign-out', { headers: cookieOf(other) })
  expect([out.status, out.headers.get('location')]).toEqual([303, '/sign-in'])
  expect(out.headers.getSetCookie().join()).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/)
  // As someone who had copied it would.
  expect((await openSession(cookieOf(other))).status).toBe(401)
  for (const token of [other.token, page.token]) {
    expect((await it.call('GET', '/v1/auth/me', { token })).status).toBe(401)
  }
  expect((await it.call('GET', '/v1/auth/me', { token: elsewhere.token })).status).toBe(200)
  const trail = await it.app.db.query('select action from audit_event where account_id = $1 order by id', [other.id])
  expect(trail.at(-1)).toEqual({ action: 'signed_out' })
})

test('signing in again in the same browser ends what was signed in before', async () => {
  const other = await it.signUp()
  const form = new URLSearchParams({ email: other.email, password: other.password }).toString()
  const headers = { ...cookieOf(other), 'content-type': 'application/x-www-form-urlencoded' }
  const signedIn = await it.visit('POST', '/sign-in', { rawBody: form, headers })
  expect([signedIn.status, signedIn.headers.getSetCookie().length]).toEqual([303, 1])
  expect((await openSession(cookieOf(other))).status).toBe(401)
  const [cookie = ''] = (signedIn.headers.getSetCookie()[0] ?? '').split(';')
  expect((await openSession({ cookie })).status).toBe(200)
})

test('its files are kept by browsers for good, compressed where they can take it, and gone ones are a plain 404', async () => {
  const page = await it.visit('GET', '/console', { headers: cookieOf(owner) })
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(page.headers.get('cache-control')).toBe('no-store')
  const script = /src="([^"]+\.js)"/.exec(page.text)?.[1] ?? ''
  const file = await it.visit('GET', script, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(Object.fromEntries(['content-type', 'cache-control'].map((name) => [name, file.headers.get(name)]))).toEqual({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const plain = await it.visit('GET', script, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.text).toBe(file.text)
  expect((await it.visit('GET', '/console/assets/gone.js')).status).toBe(404)
})
