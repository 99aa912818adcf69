/** A stranger signs up with another person's address; its owner takes the account over, and the stranger keeps nothing. */
import { expect, test } from 'vitest'
import { housekeepingJob } from '../src/accounts/index.ts'
import { linkIn, useTestService, verificationIn } from './setup/harness.ts'

const it = useTestService()

const ATTACKERS = 'attackers own words 1'
const VICTIMS = 'seven quiet harbours'
let people = 0
const newEmail = () => `victim${(people += 1)}@customer.test`

const signUp = (email: string, password: string) => it.call('POST', '/v1/auth/signup', { body: { email, password } })
const logIn = (email: string, password: string) => it.call('POST', '/v1/auth/login', { body: { email, password } })
const press = (link: URL, form: Record<string, string> = {}) =>
  it.visit('POST', '/verify-email', {
    rawBody: new URLSearchParams({ token: link.searchParams.get('token') ?? '', ...form }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const newestLink = async (email: string) => {
  await it.settle()
  return linkIn(it.mailbox, email)
}
const reset = async (email: string, more: object = {}) => {
  // Earlier e-mails have arrived, so that the newest link is the one asked for here.
  await it.settle()
  await it.call('POST', '/v1/auth/forgot-password', { body: { email } })
  const token = (await newestLink(email)).searchParams.get('token')
  return it.call('POST', '/v1/auth/reset-password', { body: { token, new_password: VICTIMS, ...more } })
}
const runHousekeeping = () => it.runJob(housekeepingJob)

test('whoever signs an address up before its owner gets neither a session nor a key out of it', async () => {
  const email = newEmail()
  expect((await signUp(email, ATTACKERS)).status).toBe(201)
  const attackersLink = await newestLink(email)
  const again = await signUp(email, VICTIMS)
  expect([again.status, again.body.code]).toEqual([409, 'account_exists'])
  const link = await newestLink(email)
  expect(link.href).not.toBe(attackersLink.href)

  // The older link is dead, on the page and at the endpoint.
  expect((await it.visit('GET', attackersLink.pathname + attackersLink.search)).status).toBe(400)
  const old = await it.call('GET', `/v1/auth/verify-email${attackersLink.search}`)
  expect(old.headers.get('location')).toContain('verification=expired')

  expect((await press(link, { password: VICTIMS })).headers.get('location')).toBe('/sign-in?verification=verified')
  expect((await logIn(email, ATTACKERS)).status).toBe(401)
  expect((await logIn(email, VICTIMS)).status).toBe(200)
})

test('a mail scanner that follows every link with GET and HEAD verifies nothing', async () => {
  const email = newEmail()
  await signUp(email, VICTIMS)
  const link = await newestLink(email)
  for (const method of ['HEAD', 'GET', 'GET']) {
    expect((await it.visit(method, link.pathname + link.search)).status).toBe(200)
  }
  const head = await fetch(new URL(`/v1/auth/verify-email${link.search}`, it.config.baseUrl), {
    method: 'HEAD',
    redirect: 'manual',
  })
  expect(head.status).toBeGreaterThanOrEqual(400)
  expect((await logIn(email, VICTIMS)).body.code).toBe('email_not_verified')
  expect((await press(link)).status).toBe(303)
  expect((await logIn(email, VICTIMS)).status).toBe(200)
})

test('who signs up after the owner and before the owner has pressed the button wins nothing', async () => {
  const email = newEmail()
  await signUp(email, VICTIMS)
  await signUp(email, ATTACKERS)
  const link = await newestLink(email)
  const page = await it.visit('GET', link.pathname + link.search)
  expect(page.text).toContain('signed up more than once')
  // The owner knows the own password only, and is sent to set a new one.
  const refused = await press(link, { password: VICTIMS })
  expect(refused.status).toBe(401)
  expect(refused.text).toContain('set a new password')
  expect((await press(link)).status).toBe(401)
  expect((await logIn(email, ATTACKERS)).body.code).toBe('email_not_verified')
  expect((await reset(email)).status).toBe(200)
  expect((await logIn(email, ATTACKERS)).status).toBe(401)
  expect((await logIn(email, VICTIMS)).status).toBe(200)
})

test('signing up twice with the same password is nothing to ask about', async () => {
  const email = newEmail()
  await signUp(email, VICTIMS)
  await signUp(email, VICTIMS)
  const link = await newestLink(email)
  expect((await it.visit('GET', link.pathname + link.search)).text).not.toContain('more than once')
  expect((await press(link)).status).toBe(303)
})

test('a reset within a day of the sign-up ends every key that was handed out, and says so', async () => {
  const email = newEmail()
  await signUp(email, ATTACKERS)
  await it.settle()
  await it.call('GET', verificationIn(it.mailbox, email))
  const { api_key: live, test_api_key: test } = (await logIn(email, ATTACKERS)).body
  const done = await reset(email)
  expect([done.status, done.body.api_keys_revoked]).toEqual([200, true])
  for (const key of [live, test]) expect((await it.call('GET', '/v1/auth/me', { key })).status).toBe(401)
  const fresh = (await logIn(email, VICTIMS)).body
  expect((await it.call('GET', '/v1/auth/me', { key: fresh.api_key })).status).toBe(200)
  await it.settle()
  expect(it.mailbox.mailsTo(email).at(-1)?.text).toContain('Your API keys have ended too')
})

test('a later reset ends the keys when it is asked to, and only then', async () => {
  const account = await it.signUp()
  it.clock.advance(25 * 3_600)
  expect((await reset(account.email)).body.api_keys_revoked).toBe(false)
  expect((await it.call('GET', '/v1/auth/me', { key: account.key })).status).toBe(200)
  expect((await reset(account.email, { revoke_api_keys: true })).body.api_keys_revoked).toBe(true)
  expect((await it.call('GET', '/v1/auth/me', { key: account.key })).status).toBe(401)
})

test('a reset proves the mailbox, so it verifies the address and gives the welcome credits once', async () => {
  const email = newEmail()
  await signUp(email, ATTACKERS)
  expect((await reset(email)).status).toBe(200)
  const { account } = (await logIn(email, VICTIMS)).body
  expect([account.email_verified, account.credits.balance]).toEqual([true, 25])
  await reset(email)
  expect((await logIn(email, VICTIMS)).body.account.credits.balance).toBe(25)
})

test('a sign-up that nobody verifies is forgotten after a day, and its address is free again', async () => {
  const [email, late] = [newEmail(), newEmail()]
  const verified = await it.signUp()
  await signUp(email, ATTACKERS)
  await signUp(late, VICTIMS)
  await it.settle()
  it.clock.advance(23 * 3_600)
  await it.call('POST', '/v1/auth/resend-verification', { body: { email: late } })
  const link = await newestLink(late)
  it.clock.advance(2 * 3_600)
  await runHousekeeping()
  await runHousekeeping()
  const left = await it.app.db.query<{ email: string }>(
    'select email from account where email = any ($1) order by email',
    [[email, late, verified.email]],
  )
  // One has a link that still works.
  expect(left.map((row) => row.email).toSorted()).toEqual([late, verified.email].toSorted())
  expect((await press(link)).status).toBe(303)
  expect((await signUp(email, VICTIMS)).status).toBe(201)
  const trail = await it.app.db.query(`select action from audit_event where action = 'signup'`)
  expect(trail.length).toBeGreaterThanOrEqual(3)
})

test('another verification link comes on request, with the same answer for every address', async () => {
  const email = newEmail()
  await signUp(email, VICTIMS)
  await it.settle()
  const verified = await it.signUp()
  const ask = (address: string) => it.call('POST', '/v1/auth/resend-verification', { body: { email: address } })
  const answers = [await ask(email), await ask(verified.email), await ask('nobody@customer.test')]
  expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [202, answers[0]?.text]))
  await it.settle()
  expect([email, verified.email, 'nobody@customer.test'].map((to) => it.mailbox.mailsTo(to).length)).toEqual([2, 1, 0])
  expect((await press(await newestLink(email))).status).toBe(303)

  const unverified = newEmail()
  await signUp(unverified, VICTIMS)
  const form = new URLSearchParams({ email: unverified, password: VICTIMS }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const page = await it.visit('POST', '/sign-in', { rawBody: form, headers })
  expect(page.text).toContain('action="/resend-verification"')
  const rawBody = new URLSearchParams({ email: unverified }).toString()
  expect((await it.visit('POST', '/resend-verification', { rawBody, headers })).text).toContain('on its way')
  expect((await it.visit('POST', '/resend-verification', { rawBody: 'email=x', headers })).status).toBe(400)
  await it.settle()
  expect(it.mailbox.mailsTo(unverified)).toHaveLength(2)
})
