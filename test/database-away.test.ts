/** While the database changes its primary, callers are asked to come back, and nothing is stuck afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { callerOf } from '../src/entry/http/caller.ts'
import { respondOnce } from '../src/entry/http/idempotency.ts'
import type { RoutePlugin } from '../src/entry/http/server.ts'
import { prepare, useTestService } from './setup/harness.ts'

const AWAY_MS = 1_500

let isAway = true
/** Writes where only reading is allowed; under a key, its claim cannot be dropped for a while. */
const plugin: RoutePlugin = (app, server) => {
  server.post('/test/read-only', async () =>
    app.db.transaction(async (tx) => {
      await tx.query('set transaction read only')
      await tx.query('create table never (id int)')
    }),
  )
  server.post('/test/keyed', { config: { accepts: ['key'] } }, async (request, reply) => {
    const caller = callerOf(request)
    return respondOnce(app, { request, reply, caller }, async () => {
      if (!isAway) return { status: 200, body: { done: true } }
      isAway = false
      await app.db.query('alter table idempotency_key rename to idempotency_key_away')
      setTimeout(() => void app.db.query('alter table idempotency_key_away rename to idempotency_key'), AWAY_MS)
      throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
    })
  })
}

const it = useTestService({ extraRoutes: [plugin] })
const account = prepare(() => it.signUp())

test('a write that meets a demoted primary is answered 503 with Retry-After, and not 500', async () => {
  const { status, headers, body } = await it.call('POST', '/test/read-only')
  expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([503, 'unavailable', true, '5'])
})

test('a request that lost the database can be repeated under its Idempotency-Key as soon as the database is back', async () => {
  const asked = { key: account.key, headers: { 'idempotency-key': 'once-more' } }
  const first = await it.call('POST', '/test/keyed', asked)
  expect([first.status, first.body.code]).toEqual([503, 'unavailable'])
  await sleep(AWAY_MS + 2_000)
  const second = await it.call('POST', '/test/keyed', asked)
  expect([second.status, second.body]).toEqual([200, { done: true }])
})
