import { expect, test } from 'vitest'
import { linkIn, useTestService, verificationIn } from './setup/harness.ts'

const it = useTestService()

const PASSWORD = 'seven quiet harbours'
let people = 0
const newEmail = () => `ann${(people += 1)}@customer.test`

test('signing up sends one verification e-mail, with text and HTML, and creates no session', async () => {
  const email = newEmail()
  const signup = await it.call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  expect(signup.status).toBe(201)
  expect(Object.keys(signup.body)).toEqual(['message'])
  await it.settle()
  const mails = it.mailbox.mailsTo(email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toContain('Verify')
  expect(mails[0]?.text).toContain(`${it.config.siteUrl.origin}/verify-email?token=`)
  expect(mails[0]?.html).toContain('<a href=')
})

test('a verification link verifies once, gives 25 credits, and says so on the sign-in page', async () => {
  const email = newEmail()
  await it.call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  await it.settle()
  const link = verificationIn(it.mailbox, email)
  const unverified = await it.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })
  expect([unverified.status, unverified.body.code]).toEqual([401, 'email_not_verified'])

  const first = await it.call('GET', link)
  expect(first.status).toBe(302)
  expect(first.headers.get('location')).toBe(`${it.config.siteUrl.origin}/sign-in?verification=verified`)
  const second = await it.call('GET', link)
  expect(second.headers.get('location')).toContain('verification=already_verified')
  const page = await it.visit('GET', '/sign-in?verification=verified')
  expect(page.text).toContain('Your e-mail address is verified')

  const login = await it.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })
  expect(login.body.account.credits).toEqual({ balance: 25, held: 0, available: 25 })
  expect(login.body.account.email_verified).toBe(true)
})

test('a false verification link says invalid, an old one expired', async () => {
  const invalid = await it.call('GET', '/v1/auth/verify-email?token=nonsense')
  expect(invalid.headers.get('location')).toContain('verification=invalid')
  expect((await it.call('GET', '/v1/auth/verify-email')).status).toBe(400)

  const email = newEmail()
  await it.call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  await it.settle()
  it.clock.advance(25 * 3_600)
  const link = verificationIn(it.mailbox, email)
  const expired = await it.call('GET', link)
  expect(expired.headers.get('location')).toContain('verification=expired')
})

test('signing up again answers 409, whatever the case of the address, and sends a fresh link while unverified', async () => {
  const email = newEmail()
  await it.call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  const again = await it.call('POST', '/v1/auth/signup', { body: { email: email.toUpperCase(), password: PASSWORD } })
  expect([again.status, again.body.code]).toEqual([409, 'account_exists'])
  await it.settle()
  expect(it.mailbox.mailsTo(email)).toHaveLength(2)

  await it.call('GET', verificationIn(it.mailbox, email))
  await it.call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  await it.settle()
  expect(it.mailbox.mailsTo(email)).toHaveLength(2)
})

test('a mail server that refuses at first gets the e-mail again', async () => {
  const email = newEmail()
  it.mailbox.refuseNext(1)
  await it.call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  await expect.poll(() => it.mailbox.mailsTo(email).length).toBe(1)
})

test('passwords must be 8 to 256 characters and not among the common ones', async () => {
  const attempt = (password: string) => it.call('POST', '/v1/auth/signup', { body: { email: newEmail(), password } })
  const short = await attempt('seven77')
  expect([short.status, short.body.code, short.body.errors[0].field]).toEqual([400, 'invalid_request', 'password'])
  expect((await attempt('x'.repeat(257))).status).toBe(400)
  const common = await attempt('password123')
  expect([common.body.code, common.body.errors[0].field]).toEqual(['password_too_common', 'password'])
  expect((await attempt('Nameplate2026')).body.code).toBe('password_too_common')
  expect((await attempt('qx7-mill')).status).toBe(201)
})

test('a wrong password and an unknown address get the same answer, in the same time', async () => {
  const account = await it.signUp()
  const attempt = async (email: string) => {
    const startedAt = performance.now()
    const reply = await it.call('POST', '/v1/auth/login', { body: { email, password: 'not the password' } })
    expect(reply.status).toBe(401)
    return { reply, ms: performance.now() - startedAt }
  }
  const known = await attempt(account.email)
  const unknown = await attempt('nobody@customer.test')
  const strip = (body: object) => ({ ...body, request_id: undefined })
  expect(unknown.reply.status).toBe(401)
  expect(strip(unknown.reply.body)).toEqual(strip(known.reply.body))

  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 7; round += 1) {
    times.known.push((await attempt(account.email)).ms)
    times.unknown.push((await attempt(`nobody${round}@customer.test`)).ms)
  }
  // The fastest of each: what the work itself takes, whatever else the machine does. Without the hash it is a tenth.
  const ratio = Math.min(...times.unknown) / Math.min(...times.known)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('login returns the session and the same API keys every time; the profile shows only their ends', async () => {
  const account = await it.signUp()
  const again = await it.call('POST', '/v1/auth/login', { body: { email: account.email, password: account.password } })
  expect(again.body.api_key).toBe(account.key)
  expect(again.body.test_api_key).toBe(account.testKey)
  expect(again.body.token_type).toBe('Bearer')
  expect(account.key).toMatch(/^np_live_[0-9A-Za-z]{39}$/)
  const me = await it.call('GET', '/v1/auth/me', { key: account.key })
  expect(me.body.api_key.last4).toBe(account.key.slice(-4))
  expect(me.text).not.toContain(account.key)
  expect(me.body.api_key.last_used_at).not.toBeNull()
  expect((await it.call('GET', '/v1/auth/me', { token: account.token })).body.account_id).toBe(account.id)
  expect((await it.call('GET', '/v1/auth/me', { key: account.testKey })).body.account_id).toBe(account.id)
})

test('forgot-password answers alike for known and unknown addresses, and only the known gets an e-mail', async () => {
  const account = await it.signUp()
  const known = await it.call('POST', '/v1/auth/forgot-password', { body: { email: account.email } })
  const unknown = await it.call('POST', '/v1/auth/forgot-password', { body: { email: 'nobody@customer.test' } })
  expect([known.status, known.text]).toEqual([200, unknown.text])
  await it.settle()
  expect(it.mailbox.mailsTo(account.email).at(-1)?.subject).toContain('new Nameplate password')
  expect(it.mailbox.mailsTo('nobody@customer.test')).toHaveLength(0)
})

test('a reset link sets a new password once, ends older sessions, and keeps API keys working', async () => {
  const account = await it.signUp()
  it.clock.advance(25 * 3_600)
  const { token: older } = (
    await it.call('POST', '/v1/auth/login', { body: { email: account.email, password: account.password } })
  ).body
  await it.call('POST', '/v1/auth/forgot-password', { body: { email: account.email } })
  await it.settle()
  const token = linkIn(it.mailbox, account.email).searchParams.get('token')
  const reset = (password: string) =>
    it.call('POST', '/v1/auth/reset-password', { body: { token, new_password: password } })

  // A refused password must not use up the link.
  expect((await reset('password123')).body.code).toBe('password_too_common')
  expect((await reset('a new and better one')).status).toBe(200)
  const spent = await reset('yet another good one')
  expect([spent.status, spent.body.code]).toEqual([400, 'invalid_token'])

  expect((await it.call('GET', '/v1/auth/me', { token: older })).status).toBe(401)
  expect((await it.call('GET', '/v1/auth/me', { key: account.key })).status).toBe(200)
  const login = (password: string) => it.call('POST', '/v1/auth/login', { body: { email: account.email, password } })
  expect((await login(account.password)).status).toBe(401)
  expect((await login('a new and better one')).status).toBe(200)
  await it.settle()
  expect(it.mailbox.mailsTo(account.email).at(-1)?.subject).toContain('was changed')
})

test('a reset link ends after an hour', async () => {
  const account = await it.signUp()
  await it.call('POST', '/v1/auth/forgot-password', { body: { email: account.email } })
  await it.settle()
  it.clock.advance(3_601)
  const token = linkIn(it.mailbox, account.email).searchParams.get('token')
  const late = await it.call('POST', '/v1/auth/reset-password', {
    body: { token, new_password: 'a new and better one' },
  })
  expect(late.body.code).toBe('invalid_token')
})

test('two people with one reset link: exactly one sets the password', async () => {
  const account = await it.signUp()
  await it.call('POST', '/v1/auth/forgot-password', { body: { email: account.email } })
  await it.settle()
  const token = linkIn(it.mailbox, account.email).searchParams.get('token')
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      it.call('POST', '/v1/auth/reset-password', { body: { token, new_password: `number ${index} is my password` } }),
    ),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
})

test('changing the password needs the current one, ends other sessions, and keeps the caller signed in', async () => {
  const account = await it.signUp()
  const change = (current: string, token: string) =>
    it.call('POST', '/v1/auth/change-password', {
      token,
      body: { current_password: current, new_password: 'a new and better one' },
    })
  expect((await change('not the password', account.token)).body.code).toBe('invalid_credentials')
  const changed = await change(account.password, account.token)
  expect(changed.status).toBe(200)
  expect((await it.call('GET', '/v1/auth/me', { token: account.token })).status).toBe(401)
  expect((await it.call('GET', '/v1/auth/me', { token: changed.body.token })).status).toBe(200)
})

test('an API key does not change a password', async () => {
  const account = await it.signUp()
  const body = { current_password: account.password, new_password: 'a new and better one' }
  const reply = await it.call('POST', '/v1/auth/change-password', { key: account.key, body })
  expect([reply.status, reply.body.code]).toEqual([401, 'missing_credentials'])
})

test('a session ends after 24 hours, and a session signed by someone else never begins', async () => {
  const account = await it.signUp()
  const [header, payload] = account.token.split('.')
  const forged = await it.call('GET', '/v1/auth/me', { token: `${header}.${payload}.${'A'.repeat(86)}` })
  expect(forged.status).toBe(401)
  const unsigned = Buffer.from('{"alg":"none","typ":"session+jwt"}').toString('base64url')
  expect((await it.call('GET', '/v1/auth/me', { token: `${unsigned}.${payload}.` })).status).toBe(401)
  it.clock.advance(24 * 3_600 + 1)
  expect((await it.call('GET', '/v1/auth/me', { token: account.token })).status).toBe(401)
})

test('sessions outlive a rotation of the keys that sign them', async () => {
  const account = await it.signUp()
  const before = JSON.parse(Buffer.from(account.token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  await it.app.db.query(`update signing_key set activates_at = activates_at - interval '31 days'`)
  const { housekeepingJob } = await import('../src/accounts/index.ts')
  await it.runJob(housekeepingJob)
  it.clock.advance(700)
  const login = await it.call('POST', '/v1/auth/login', { body: { email: account.email, password: account.password } })
  const after = JSON.parse(Buffer.from(login.body.token.split('.')[0], 'base64url').toString()) as { kid: string }
  expect(after.kid).not.toBe(before.kid)
  expect((await it.call('GET', '/v1/auth/me', { token: account.token })).status).toBe(200)
})

test('a rotated key works until its overlap ends, the new one at once, and login shows the new one', async () => {
  const account = await it.signUp()
  const rotated = await it.call('POST', '/v1/auth/api-key/rotate', { token: account.token, body: { overlap_hours: 2 } })
  expect(rotated.status).toBe(200)
  const status = async (key: string) => (await it.call('GET', '/v1/auth/me', { key })).status
  expect(await status(rotated.body.api_key)).toBe(200)
  expect(await status(account.key)).toBe(200)
  it.clock.advance(2 * 3_600 + 1)
  expect(await status(account.key)).toBe(401)
  const login = await it.call('POST', '/v1/auth/login', { body: { email: account.email, password: account.password } })
  expect(login.body.api_key).toBe(rotated.body.api_key)
  expect(login.body.test_api_key).toBe(account.testKey)

  const { token } = login.body
  const noBody = await it.call('POST', '/v1/auth/api-key/rotate', { token })
  expect(noBody.body.mode).toBe('live')
  const test = await it.call('POST', '/v1/auth/api-key/rotate', { token, body: { mode: 'test', overlap_hours: 0 } })
  expect(test.body.api_key).toMatch(/^np_test_/)
  expect(await status(account.testKey)).toBe(401)
  const tooLong = await it.call('POST', '/v1/auth/api-key/rotate', { token, body: { overlap_hours: 169 } })
  expect(tooLong.status).toBe(400)
})

test('five rotations at once leave exactly one current key', async () => {
  const account = await it.signUp()
  const rotate = () => it.call('POST', '/v1/auth/api-key/rotate', { token: account.token, body: {} })
  const replies = await Promise.all(Array.from({ length: 5 }, rotate))
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200])
  const [current] = await it.app.db.query<{ count: number }>(
    `select count(*)::int as count from api_key where account_id = $1 and mode = 'live' and expires_at is null`,
    [account.id],
  )
  expect(current?.count).toBe(1)
})

test('nothing secret reaches the log, the queue or the database in clear', async () => {
  const account = await it.signUp()
  await it.call('POST', '/v1/auth/forgot-password', { body: { email: account.email } })
  await it.settle()
  const resetToken = linkIn(it.mailbox, account.email).searchParams.get('token') ?? ''
  await it.call('GET', `/v1/auth/verify-email?token=${resetToken}`)
  const secrets = [account.key, account.testKey, account.token, account.password, resetToken]
  const tables = ['account', 'api_key', 'one_time_token', 'audit_event', 'idempotency_key', 'signing_key', 'pgboss.job']
  let stored = ''
  for (const table of tables) stored += JSON.stringify(await it.app.db.query(`select * from ${table}`))
  for (const secret of secrets) {
    expect(it.logText()).not.toContain(secret)
    expect(stored).not.toContain(secret)
  }
})

test('the audit trail names who did what from where, and cannot be changed', async () => {
  const account = await it.signUp()
  const events = await it.app.db.query<{ action: string; outcome: string; ip: string }>(
    'select action, outcome, ip from audit_event where account_id = $1 order by id',
    [account.id],
  )
  expect(events.map((event) => event.action)).toEqual(['signup', 'email_verified', 'login'])
  expect(events[0]?.ip).toMatch(/^198\.1[89]\./)
  await expect(it.app.db.query('update audit_event set action = $1', ['nothing'])).rejects.toThrow('append-only')
  await expect(it.app.db.query('delete from audit_event')).rejects.toThrow('append-only')
})
