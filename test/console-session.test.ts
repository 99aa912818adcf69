/** The console's page gets a short-lived credential for the API by the site's cookie. No other site's page gets one. */
import { expect, test } from 'vitest'
import { housekeepingJob } from '../src/accounts/index.ts'
import { authorizePath, Browser, newPkce, registerClient } from './setup/agent-walk.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService()
const owner = prepare(() => it.openAccount())

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
  const other = await it.openAccount()
  const { body } = await openSession(cookieOf(other))
  const change = { current_password: other.password, new_password: 'eleven slow barges' }
  await it.call('POST', '/v1/auth/change-password', { token: other.token, body: change })
  expect((await it.call('GET', '/v1/auth/me', { token: body.token })).status).toBe(401)
  expect((await openSession(cookieOf(other))).status).toBe(401)
})

test('signing out ends the session itself, with the token the page got from it, and no other session', async () => {
  const other = await it.openAccount()
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
  const other = await it.openAccount()
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

test('a console token that renews itself outlives neither its quarter of an hour nor its session', async () => {
  const other = await it.openAccount()
  const { body: first } = await openSession(cookieOf(other))
  // As the chain went that lived for 44 hours: the short token as the cookie, and in the body.
  const asCookie = await openSession({ cookie: `session=${first.token}` })
  expect([asCookie.status, asCookie.body.code]).toEqual([401, 'missing_credentials'])
  const inBody = await it.visit('POST', '/console/session', { body: { token: first.token } })
  expect(inBody.status).toBe(401)
  expect(inBody.headers.getSetCookie()).toEqual([])
  expect((await it.visit('GET', '/account', { headers: { cookie: `session=${first.token}` } })).status).toBe(303)

  // Renewed by the whole session every ten minutes, the newest is dead with it after 24 hours, not later.
  const startedAt = it.clock.now().getTime()
  let newest = first
  for (let hop = 0; hop < 300; hop += 1) {
    it.clock.advance(600)
    const renewed = await openSession(cookieOf(other))
    if (renewed.status !== 200) break
    newest = renewed.body
    expect(Date.parse(newest.expires_at) - startedAt).toBeLessThanOrEqual(24 * 3_600_000)
  }
  expect(it.clock.now().getTime() - startedAt).toBeLessThanOrEqual(24 * 3_600_000 + 600_000)
  expect((await it.call('GET', '/v1/auth/me', { token: newest.token })).status).toBe(401)
  const body = { current_password: other.password }
  expect((await it.call('POST', '/v1/auth/api-key/rotate', { token: newest.token, body })).status).toBe(401)
})

test('signing out with a short token ends the whole session, and housekeeping does not bring it back', async () => {
  const other = await it.openAccount()
  const { body: page } = await openSession(cookieOf(other))
  await it.visit('POST', '/sign-out', { headers: { cookie: `session=${page.token}` } })
  const isEnded = async () => (await it.call('GET', '/v1/auth/me', { token: other.token })).status === 401
  expect(await isEnded()).toBe(true)
  for (const seconds of [16 * 60, 3_600, 20 * 3_600]) {
    it.clock.advance(seconds)
    await runHousekeeping()
    expect(await isEnded()).toBe(true)
    expect((await openSession(cookieOf(other))).status).toBe(401)
  }
  it.clock.advance(4 * 3_600)
  await runHousekeeping()
  expect(await it.app.db.query('select id from ended_session where account_id = $1', [other.id])).toEqual([])
})

async function runHousekeeping(): Promise<void> {
  await it.runJob(housekeepingJob)
}

test('consent that was opened before signing out lets no program in afterwards', async () => {
  const person = await it.openAccount()
  const browser = new Browser(it, person.token)
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser }
  let step = await browser.send('GET', authorizePath(walk))
  for (let hops = 0; hops < 12 && step.location !== null; hops += 1) step = await browser.send('GET', step.location)
  const action = /action="(\/oauth\/interaction\/[^"]+allow)"/.exec(step.text)?.[1] ?? ''
  expect(action).not.toBe('')
  // As a thief with the browser's cookies would.
  await it.visit('POST', '/sign-out', { headers: cookieOf(person) })
  const late = await browser.send('POST', action, { daily_credit_cap: '5' })
  expect(late.location).toBeNull()
  const rows = await it.app.db.query('select id from connection where account_id = $1', [person.id])
  expect(rows).toEqual([])
})
