/** Guesses are bounded wherever they come from, and leave the owner's own attempts alone. */
import { expect, test } from 'vitest'
import { useTestService } from './setup/harness.ts'

const it = useTestService()

const logIn = (email: string, password: string, ip?: string) =>
  it.call('POST', '/v1/auth/login', { body: { email, password }, ...(ip ? { ip } : {}) })

/** How many guesses were let through until one was not, and in how many seconds. */
async function guessUntilRefused(guess: (attempt: number) => Promise<{ status: number }>) {
  const startedAt = Date.now()
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { status } = await guess(attempt)
    if (status === 429) return { letThrough: attempt, seconds: (Date.now() - startedAt) / 1_000 }
    expect(status).toBe(401)
  }
  throw new Error('sixty guesses were let through')
}

/** A slow machine takes so long over a guess that another is allowed meanwhile. */
function expectBound(found: { letThrough: number; seconds: number }, burst: number, secondsEach: number): void {
  expect(found.letThrough).toBeGreaterThanOrEqual(burst)
  expect(found.letThrough).toBeLessThanOrEqual(burst + Math.ceil(found.seconds / secondsEach))
}

test('guessing one account is slowed down wherever it comes from, and so is guessing from one address', async () => {
  const victim = 'victim@customer.test'
  expectBound(await guessUntilRefused(() => logIn(victim, 'wrong guess', '203.0.113.1')), 10, 30)
  expectBound(await guessUntilRefused(() => logIn('second@customer.test', 'wrong guess')), 20, 30)
  const fromOne = await guessUntilRefused((attempt) => logIn(`o${attempt}@customer.test`, 'wrong', '203.0.113.9'))
  expectBound(fromOne, 20, 3)
  const refused = await logIn('another@customer.test', 'wrong guess', '203.0.113.9')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('wrong passwords from elsewhere do not lock the owner out of where the owner has signed in before', async () => {
  const owner = await it.signUp()
  const home = '203.0.113.77'
  expect((await logIn(owner.email, owner.password, home)).status).toBe(200)
  await guessUntilRefused(() => logIn(owner.email, 'wrong guess'))
  expect((await logIn(owner.email, owner.password)).status).toBe(429)
  expect((await logIn(owner.email, owner.password, home)).status).toBe(200)
  // Guesses from there are bounded like any others.
  expectBound(await guessUntilRefused(() => logIn(owner.email, 'wrong guess', home)), 8, 30)
})

test('a reset makes its own address familiar; an attempt that failed does not', async () => {
  const owner = await it.signUp()
  const [hers, stranger] = ['203.0.113.101', '203.0.113.102']
  await logIn(owner.email, 'wrong guess', stranger)
  await it.call('POST', '/v1/auth/forgot-password', { body: { email: owner.email } })
  await it.settle()
  const token = /token=([\w-]+)/.exec(it.mailbox.mailsTo(owner.email).at(-1)?.text ?? '')?.[1]
  const body = { token, new_password: 'eleven slow barges' }
  expect((await it.call('POST', '/v1/auth/reset-password', { body, ip: hers })).status).toBe(200)
  await guessUntilRefused(() => logIn(owner.email, 'wrong guess'))
  expect((await logIn(owner.email, 'eleven slow barges', stranger)).status).toBe(429)
  expect((await logIn(owner.email, 'eleven slow barges', hers)).status).toBe(200)
  const stored = await it.app.db.query('select * from familiar_address where account_id = $1', [owner.id])
  expect(JSON.stringify(stored)).not.toContain('203.0.113')
})

test('answers of the sign-in family say what is left of the limits of the caller’s address', async () => {
  const ip = '203.0.113.120'
  const first = await logIn('limits@customer.test', 'wrong guess', ip)
  expect(first.headers.get('ratelimit-policy')).toBe('"login-ip";q=20;w=60, "login-pair";q=10;w=300')
  expect(first.headers.get('ratelimit')).toMatch(/^"login-ip";r=19;t=\d+, "login-pair";r=9;t=\d+$/)
  const email = 'limits@customer.test'
  const asks: Array<[string, object]> = [
    ['signup', { email, password: 'seven quiet harbours' }],
    ['forgot-password', { email }],
    ['resend-verification', { email }],
    ['reset-password', { token: 'none', new_password: 'seven quiet harbours' }],
  ]
  for (const [path, body] of asks) {
    const reply = await it.call('POST', `/v1/auth/${path}`, { body, ip })
    expect([path, reply.headers.get('ratelimit')]).toEqual([path, expect.stringMatching(/^"[\w-]+";r=\d+;t=\d+$/)])
  }
  const verify = await it.call('GET', '/v1/auth/verify-email?token=none', { ip })
  expect(verify.headers.get('ratelimit')).toMatch(/^"verify-ip";r=19;/)
})

test('wrong passwords, refused credentials and blocked addresses are counted for whoever watches', async () => {
  const read = async (kind: string) => {
    const { text } = await it.call('GET', '/metrics')
    return Number(new RegExp(`^nameplate_security_events_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  const kinds = ['sign_in_failed', 'credential_refused', 'address_blocked']
  const before = await Promise.all(kinds.map(read))
  const owner = await it.signUp()
  await logIn(owner.email, 'wrong guess')
  await it.call('GET', '/v1/auth/me', { key: `np_live_${'0'.repeat(39)}` })
  await it.call('GET', '/v1/auth/me', { token: 'nonsense' })
  const body = { webhook_url: 'https://127.0.0.1/hook', signal_type: 'all' }
  expect((await it.call('POST', '/v1/partner/webhooks', { key: owner.key, body })).status).toBe(400)
  const rises = (await Promise.all(kinds.map(read))).map((count, index) => count - (before[index] ?? 0))
  expect(rises.slice(0, 2)).toEqual([1, 2])
  expect(rises[2]).toBeGreaterThanOrEqual(1)
})
