/** Keys that work, who may replace them, and how each of them ends. */
import { expect, test } from 'vitest'
import { type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService()

const statusOf = async (key: string) => (await it.call('GET', '/v1/auth/me', { key })).status
const rotate = ({ token }: Pick<TestAccount, 'token'>, body: object = {}) =>
  it.call('POST', '/v1/auth/api-key/rotate', { token, body })
const end = ({ token }: Pick<TestAccount, 'token'>, id: string) =>
  it.call('DELETE', `/v1/auth/api-keys/${id}`, { token })
const logIn = async ({ email, password }: TestAccount) =>
  (await it.call('POST', '/v1/auth/login', { body: { email, password } })).body

interface LivingKey {
  id: string
  mode: string
  last4: string
  ends_at: string | null
}
const listKeys = async ({ token }: Pick<TestAccount, 'token'>): Promise<LivingKey[]> =>
  (await it.call('GET', '/v1/auth/me', { token })).body.api_keys

test('a key is shown in full for the password alone, also right after login, and the trail records it', async () => {
  const owner = await it.openAccount()
  const show = (body: object) => it.call('POST', '/v1/auth/api-key/show', { token: owner.token, body })
  const without = await show({ mode: 'live' })
  const wrong = await show({ mode: 'live', current_password: 'not the password' })
  expect([without.status, wrong.status, wrong.body.code]).toEqual([400, 401, 'invalid_credentials'])
  const live = await show({ current_password: owner.password })
  const test = await show({ mode: 'test', current_password: owner.password })
  expect([live.body.api_key, test.body.api_key]).toEqual([owner.key, owner.testKey])
  const trail = await it.app.db.query<{ mode: string }>(
    `select details ->> 'mode' as mode from audit_event where account_id = $1 and action = 'api_key_shown' order by at, id`,
    [owner.id],
  )
  expect(trail.map(({ mode }) => mode)).toEqual(['live', 'test'])
})

test('rotating without overlap ends a key from an earlier rotation with overlap too', async () => {
  const owner = await it.openAccount()
  const first = await rotate(owner)
  const second = await rotate(owner, { overlap_hours: 0 })
  expect(await Promise.all([owner.key, first.body.api_key, second.body.api_key].map(statusOf))).toEqual([401, 401, 200])
  // The other mode has keys of its own.
  expect(await statusOf(owner.testKey)).toBe(200)
})

test('an overlap leaves keys from earlier rotations their own end', async () => {
  const owner = await it.openAccount()
  await rotate(owner, { overlap_hours: 48 })
  const second = await rotate(owner, { overlap_hours: 1 })
  it.clock.advance(2 * 3_600)
  expect(await statusOf(owner.key)).toBe(200)
  expect(await statusOf(second.body.api_key)).toBe(200)
})

test('the profile lists every key that works, with when it ends, and none that has ended', async () => {
  const owner = await it.openAccount()
  const before = await listKeys(owner)
  expect(before.map(({ mode, last4, ends_at }) => [mode, last4, ends_at])).toEqual([
    ['live', owner.key.slice(-4), null],
    ['test', owner.testKey.slice(-4), null],
  ])
  const { body } = await rotate(owner, { overlap_hours: 2 })
  const during = await listKeys(owner)
  expect(during.map(({ mode, last4, ends_at }) => [mode, last4, ends_at])).toEqual([
    ['live', body.api_key.slice(-4), null],
    ['live', owner.key.slice(-4), body.previous_key_valid_until],
    ['test', owner.testKey.slice(-4), null],
  ])
  it.clock.advance(2 * 3_600 + 1)
  expect(await listKeys(owner)).toHaveLength(2)
})

test('a key that was replaced can be ended before its overlap is over', async () => {
  const owner = await it.openAccount()
  await rotate(owner, { overlap_hours: 168 })
  const old = (await listKeys(owner)).find(({ ends_at }) => ends_at !== null)
  const ended = await end(owner, old?.id ?? '')
  expect([ended.status, ended.body]).toEqual([200, { id: old?.id, mode: 'live', ended: true, replaced: false }])
  expect(await statusOf(owner.key)).toBe(401)
  const again = await end(owner, old?.id ?? '')
  expect([again.status, again.body.code]).toEqual([404, 'not_found'])
  await it.settle()
  const subjects = it.mailbox.mailsTo(owner.email).map(({ subject }) => subject)
  expect(subjects).toContain('A live API key was ended on your Nameplate account')
})

test('ending the current key puts a new one in its place, which login shows', async () => {
  const owner = await it.openAccount()
  const [current] = await listKeys(owner)
  const ended = await end(owner, current?.id ?? '')
  expect(ended.body.replaced).toBe(true)
  expect(ended.text).not.toContain('np_live_')
  expect(await statusOf(owner.key)).toBe(401)
  const { api_key: fresh, test_api_key: testKey } = await logIn(owner)
  expect(fresh).not.toBe(owner.key)
  expect(testKey).toBe(owner.testKey)
  expect(await statusOf(fresh)).toBe(200)
  const trail = await it.app.db.query(
    `select action, details from audit_event where account_id = $1 and action = 'api_key_ended'`,
    [owner.id],
  )
  const details = { key: current?.id, mode: 'live', last4: owner.key.slice(-4), replaced: true }
  expect(trail).toEqual([{ action: 'api_key_ended', details }])
})

test('nobody ends the key of another account, and a key ends none at all', async () => {
  const [owner, other] = [await it.openAccount(), await it.openAccount()]
  const [current] = await listKeys(owner)
  const foreign = await end(other, current?.id ?? '')
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
  const withKey = await it.call('DELETE', `/v1/auth/api-keys/${current?.id}`, { key: owner.key })
  expect(withKey.status).toBe(401)
  expect(await statusOf(owner.key)).toBe(200)
})

test('at most ten keys of a mode work at a time; ending one, or all, makes room', async () => {
  const owner = await it.openAccount()
  for (let count = 0; count < 9; count += 1) expect((await rotate(owner)).status).toBe(200)
  const refused = await rotate(owner)
  expect([refused.status, refused.body.code]).toEqual([402, 'plan_limit_reached'])
  expect((await rotate(owner, { mode: 'test' })).status).toBe(200)
  const old = (await listKeys(owner)).find(({ mode, ends_at }) => mode === 'live' && ends_at !== null)
  await end(owner, old?.id ?? '')
  expect((await rotate(owner)).status).toBe(200)
  expect((await rotate(owner, { overlap_hours: 0 })).status).toBe(200)
  expect((await listKeys(owner)).filter(({ mode }) => mode === 'live')).toHaveLength(1)
})

test('a stolen console token makes no key: the password is asked for', async () => {
  const owner = await it.openAccount()
  const { body: page } = await it.visit('POST', '/console/session', { headers: { cookie: `session=${owner.token}` } })
  const without = await rotate(page)
  expect([without.status, without.body.code]).toEqual([403, 'password_required'])
  const wrong = await rotate(page, { current_password: 'not the password' })
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
  expect(await statusOf(owner.key)).toBe(200)
  expect(await listKeys(owner)).toHaveLength(2)
  expect((await rotate(page, { current_password: owner.password })).status).toBe(200)
})

test('a session that was started long ago makes no key without the password', async () => {
  const owner = await it.openAccount()
  it.clock.advance(14 * 60)
  expect((await rotate(owner)).status).toBe(200)
  it.clock.advance(2 * 60)
  const late = await rotate(owner)
  expect([late.status, late.body.code]).toEqual([403, 'password_required'])
  expect((await rotate(owner, { current_password: owner.password })).status).toBe(200)
})

test('a kept answer with a key in it is not given without the password either', async () => {
  const owner = await it.openAccount()
  const headers = { 'idempotency-key': 'rotate-once' }
  const body = { overlap_hours: 1 }
  const first = await it.call('POST', '/v1/auth/api-key/rotate', { token: owner.token, body, headers })
  expect(first.status).toBe(200)
  const { body: page } = await it.visit('POST', '/console/session', { headers: { cookie: `session=${owner.token}` } })
  const replay = (more: object) =>
    it.call('POST', '/v1/auth/api-key/rotate', { token: page.token, body: { ...body, ...more }, headers })
  expect((await replay({})).status).toBe(403)
  // The password is no part of what makes two requests the same, so no hash of it is kept.
  const repeated = await replay({ current_password: owner.password })
  // Even then the key itself is not shown again.
  expect([repeated.status, repeated.body.api_key]).toEqual([200, null])
})

test('guesses at the password of a stolen session are few', async () => {
  const owner = await it.openAccount()
  const statuses: number[] = []
  for (let guess = 0; guess < 8; guess += 1) {
    statuses.push((await rotate(owner, { current_password: `guess number ${guess}` })).status)
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6)
  expect(statuses.at(-1)).toBe(429)
})
