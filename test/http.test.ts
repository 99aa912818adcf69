import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { prepare, startTestService, useTestService } from './setup/harness.ts'
import type { OpenApi } from './setup/statuses.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
/** Opened before all tests, because the service lets it be for a while. */
const neverEnding = prepare(async () => {
  const socket = connect(Number(it.config.baseUrl.port), '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  return { closed: new Promise((resolve) => socket.resume().once('close', resolve)) }
})

test('every answer carries a request id; a caller’s own is kept if it is printable and short', async () => {
  const own = await it.call('GET', '/healthz', { headers: { 'x-request-id': 'my id/17' } })
  expect(own.headers.get('x-request-id')).toBe('my id/17')
  const long = await it.call('GET', '/healthz', { headers: { 'x-request-id': 'x'.repeat(129) } })
  expect(long.headers.get('x-request-id')).toMatch(/^req_/)
  const error = await it.call('GET', '/v1/nowhere')
  expect(error.status).toBe(404)
  expect(error.body.request_id).toBe(error.headers.get('x-request-id'))
})

test('an error has one shape, and its type is a page that exists', async () => {
  const error = await it.call('POST', '/v1/auth/signup', { body: {} })
  expect(error.body).toMatchObject({ status: 400, code: 'invalid_request', retryable: false })
  expect(error.body.errors.map((item: { field: string }) => item.field)).toEqual(['email', 'password'])
  expect(error.headers.get('content-type')).toContain('application/json')
  const page = await it.visit('GET', new URL(error.body.type).pathname)
  expect(page.status).toBe(200)
  expect(page.text).toContain('What to do')
})

test('every error code has its page', async () => {
  const { ERRORS } = await import('../src/entry/http/errors.ts')
  for (const code of Object.keys(ERRORS)) expect((await it.visit('GET', `/docs/errors/${code}`)).status, code).toBe(200)
  expect((await it.visit('GET', '/docs/errors/nonsense')).status).toBe(404)
})

test('unknown members of a body are ignored', async () => {
  const reply = await it.call('POST', '/v1/auth/forgot-password', { body: { email: 'x@customer.test', more: true } })
  expect(reply.status).toBe(200)
})

test('the API answers on its own host and the site on its own', async () => {
  expect((await it.visit('GET', '/v1/auth/me')).status).toBe(404)
  expect((await it.call('GET', '/sign-in')).status).toBe(404)
  expect((await it.visit('GET', '/sign-in')).status).toBe(200)
  expect((await it.visit('GET', '/healthz')).status).toBe(200)
})

test('the documentation is found from the host of the API too', async () => {
  const reply = await fetch(new URL('/docs/errors?x=1', it.config.baseUrl), { redirect: 'manual' })
  expect([reply.status, reply.headers.get('location')]).toEqual([308, `${it.config.siteUrl.origin}/docs/errors?x=1`])
  const wrong = await it.call('GET', '/v1/nothing')
  expect(wrong.body.detail).toContain(`${it.config.siteUrl.origin}/docs`)
})

test('browsers may call the API from any page, without cookies, and read its headers', async () => {
  const headers = {
    origin: 'https://table.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-api-key',
  }
  const preflight = await it.call('OPTIONS', '/v1/auth/me', { headers })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key')
  const reply = await it.call('GET', '/v1/auth/me', { key: account.key, headers: { origin: 'https://table.example' } })
  expect(reply.headers.get('access-control-expose-headers')).toContain('RateLimit')
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
})

test('a page of our own site may call every route of the API with its session', async () => {
  const { paths } = (await it.call('GET', '/openapi.json')).body as OpenApi
  const wanted = 'authorization,content-type,idempotency-key,prefer'
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.startsWith('/v1/')) continue
    for (const method of Object.keys(operations)) {
      const headers = {
        origin: it.config.siteUrl.origin,
        'access-control-request-method': method.toUpperCase(),
        'access-control-request-headers': wanted,
      }
      const preflight = await it.call('OPTIONS', path.replaceAll(/[{}]/g, ''), { headers })
      const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`)
      expect([path, preflight.status, allowed('origin'), allowed('headers')]).toEqual([path, 204, '*', wanted])
      expect(allowed('methods')?.split(', '), path).toContain(method.toUpperCase())
    }
  }
  const headers = { origin: it.config.siteUrl.origin }
  const reply = await it.call('GET', '/v1/signals', { token: account.token, headers })
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
})

test('a method that an address does not take answers 405 and says which it takes; a trailing slash changes nothing', async () => {
  const wrong = await it.call('PUT', '/v1/auth/me')
  expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
  const byId = await it.call('GET', '/v1/connections/some-id')
  expect([byId.status, byId.headers.get('allow')]).toEqual([405, 'DELETE, PATCH'])
  expect((await it.call('GET', '/v1/nothing-here')).status).toBe(404)
  const account = await it.openAccount()
  const slash = await it.call('GET', '/v1/auth/me/', { key: account.key })
  expect([slash.status, slash.body.account_id]).toEqual([200, account.id])
})

test('OPTIONS of a program that is no browser says which methods an address takes', async () => {
  const plain = await it.call('OPTIONS', '/v1/watchlist')
  expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, PUT, OPTIONS'])
  const nothing = await it.call('OPTIONS', '/v1/nothing-here')
  expect([nothing.status, nothing.body.code]).toEqual([404, 'not_found'])
})

test('a request without a Host header is refused in the shape of every error', async () => {
  const socket = connect(Number(it.config.baseUrl.port), '127.0.0.1')
  socket.write('GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'invalid_request' })
})

test('a DELETE or POST that says JSON and sends nothing is read as sending nothing', async () => {
  const { token } = await it.openAccount()
  const headers = { 'content-type': 'application/json' }
  const unwatched = await it.call('DELETE', '/v1/watchlist/01234567', { token, headers })
  expect([unwatched.status, unwatched.body.was_watched]).toEqual([200, false])
  const rotated = await it.call('POST', '/v1/auth/login', { headers, rawBody: '' })
  expect([rotated.status, rotated.body.code]).toEqual([400, 'invalid_request'])
})

test('a compressed body answers 415 and says so; an empty X-API-Key beside a good token does not count', async () => {
  const { token, id } = await it.openAccount()
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  const packed = await it.call('POST', '/v1/watchlist', { token, headers, rawBody: 'xx' })
  expect([packed.status, packed.body.code]).toEqual([415, 'unsupported_media_type'])
  expect(packed.body.detail).toContain('compressed')
  const me = await it.call('GET', '/v1/auth/me', { token, headers: { 'x-api-key': '' } })
  expect([me.status, me.body.account_id]).toEqual([200, id])
})

test('answers are not cached, framed, sniffed or run', async () => {
  const { headers } = await it.call('GET', '/v1/auth/me', { key: account.key })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await it.visit('GET', '/sign-in')
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe-inline')
})

test('a rate limit counts down in the headers and holds at its burst and rate', async () => {
  const busy = await it.openAccount()
  const startedAt = Date.now()
  const replies = await Promise.all(Array.from({ length: 400 }, () => it.call('GET', '/v1/auth/me', { key: busy.key })))
  const admitted = replies.filter((reply) => reply.status === 200)
  expect(admitted.length).toBeGreaterThanOrEqual(120)
  // The burst of 120, and the 20 a second that came back meanwhile.
  expect(admitted.length).toBeLessThanOrEqual(120 + Math.ceil(((Date.now() - startedAt) / 1_000) * 20))
  expect(
    replies.filter((reply) => reply.status === 429).every((reply) => /r=0/.test(reply.headers.get('ratelimit') ?? '')),
  ).toBe(true)
})

test('a repeated Idempotency-Key gets the first answer, and the key is rotated once', async () => {
  const rotate = (key: string, overlap = 1) =>
    it.call('POST', '/v1/auth/api-key/rotate', {
      token: account.token,
      body: { overlap_hours: overlap },
      headers: { 'idempotency-key': key },
    })
  const first = await rotate('rotate-1')
  const again = await rotate('"rotate-1"')
  expect([first.status, again.status]).toEqual([200, 200])
  // All but the secret, which is shown once.
  expect(again.body).toEqual({ ...first.body, api_key: null, note: expect.stringContaining('login') })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await rotate('rotate-1', 2)
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await rotate('x'.repeat(256))).status).toBe(400)
  it.clock.advance(24 * 3_600 - 60)
  const login = await it.call('POST', '/v1/auth/login', { body: { email: account.email, password: account.password } })
  account.token = login.body.token
  it.clock.advance(120)
  expect((await rotate('rotate-1')).body.api_key).not.toBe(first.body.api_key)
})

test('a second request under a key that is still running answers 409', async () => {
  const claim = `insert into idempotency_key (account_id, key, fingerprint, claimed_until, expires_at)
    select $1, 'running', fingerprint, $2, $3 from idempotency_key where account_id = $1 limit 1`
  const later = new Date(it.clock.now().getTime() + 60_000)
  await it.app.db.query(claim, [account.id, later, later])
  const reply = await it.call('POST', '/v1/auth/api-key/rotate', {
    token: account.token,
    body: { overlap_hours: 1 },
    headers: { 'idempotency-key': 'running' },
  })
  expect([reply.status, reply.body.code]).toEqual([409, 'idempotency_key_in_use'])
  expect(reply.headers.get('retry-after')).toBe('2')
})

test('a claim left by a process that died is taken over, and a refused request may be sent again under its key', async () => {
  it.clock.advance(120)
  const login = await it.call('POST', '/v1/auth/login', { body: { email: account.email, password: account.password } })
  account.token = login.body.token
  const rotate = (body: object) =>
    it.call('POST', '/v1/auth/api-key/rotate', {
      token: account.token,
      body,
      headers: { 'idempotency-key': 'running' },
    })
  expect((await rotate({ overlap_hours: 1 })).status).toBe(200)
})

test('metrics and the description of the API are served', async () => {
  const metrics = await it.call('GET', '/metrics')
  expect(metrics.text).toContain('nameplate_http_request_seconds_bucket')
  expect(metrics.text).toContain('nameplate_jobs{queue="accounts.send_verification",state="ready"} 0')
  const openapi = await it.call('GET', '/openapi.json')
  expect(openapi.body.openapi).toBe('3.1.0')
  const reference = await it.visit('GET', '/docs/api')
  expect(reference.status).toBe(200)
  expect(reference.text).not.toMatch(/src="https?:\/\/(?!localhost|127\.0\.0\.1)/)
})

test('with a metrics token configured, metrics need it', async () => {
  await using guarded = await startTestService({ metricsToken: 'a-long-enough-token' })
  expect((await guarded.call('GET', '/metrics')).status).toBe(401)
  const headers = { authorization: 'Bearer a-long-enough-token' }
  expect((await guarded.call('GET', '/metrics', { headers })).status).toBe(200)
})

test('health turns degraded when a migration is missing, and unavailable answers are 503, never 500', async () => {
  await using broken = await startTestService()
  expect((await broken.call('GET', '/healthz')).body).toEqual({
    status: 'healthy',
    checks: { database: 'ok', migrations: 'ok', queue: 'ok' },
    version: '1.0.0',
  })
  expect((await broken.call('GET', '/readyz')).body).toEqual({ ready: true })
  await broken.app.db.query(`delete from schema_migration where name like '0001%'`)
  // An answer is good for a second.
  await expect.poll(async () => (await broken.call('GET', '/healthz')).status).toBe(503)
  const degraded = await broken.call('GET', '/healthz')
  expect([degraded.status, degraded.body.status, degraded.body.checks.migrations]).toEqual([503, 'degraded', 'failed'])
  await expect.poll(async () => (await broken.call('GET', '/readyz')).status).toBe(503)
})

test('shutting down finishes the request in flight and refuses new ones', async () => {
  const begun = Promise.withResolvers<void>()
  const slow = {
    extraRoutes: [
      (_app: unknown, server: { get(path: string, handler: () => Promise<object>): unknown }) => {
        server.get('/slow', async () => {
          begun.resolve()
          await sleep(600)
          return { done: true }
        })
      },
    ],
  }
  const closing = await startTestService(slow)
  const inFlight = closing.call('GET', '/slow')
  await begun.promise
  const closed = closing[Symbol.asyncDispose]()
  const reply = await inFlight
  expect([reply.status, reply.body]).toEqual([200, { done: true }])
  await closed
  await expect(closing.call('GET', '/healthz')).rejects.toThrow()
})

test('traces go to the configured collector, with request and job spans, without an address that opens something', async () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as { port: number }
  {
    await using traced = await startTestService({ tracesEndpoint: `http://127.0.0.1:${port}` })
    await traced.signUp()
    for (const page of ['shared', 'calendar', 'verify', 'evidence']) await traced.visit('GET', `/${page}/an-address`)
  }
  collector.close()
  const text = received.join('\n')
  expect(text).toContain('/v1/traces')
  expect(text).toContain('job accounts.send_verification')
  expect(text).toContain('/v1/auth/signup')
  expect(text).toContain('/v1/auth/verify-email')
  expect(text).not.toContain('?token=')
  for (const page of ['shared', 'calendar', 'verify', 'evidence']) expect(text).toContain(`/${page}/:token`)
  expect(text).not.toContain('an-address')
})

test('headers that never end do not hold a connection', async () => {
  await neverEnding.closed
})
