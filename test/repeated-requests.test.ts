/** What becomes of a request with an Idempotency-Key when it takes too long. */
import { expect, test } from 'vitest'
import { callerOf } from '../src/entry/http/caller.ts'
import { respondOnce } from '../src/entry/http/idempotency.ts'
import type { RoutePlugin } from '../src/entry/http/server.ts'
import { useTestService } from './setup/harness.ts'

/** The first request waits here until the test lets it end. */
const first = Promise.withResolvers<void>()
let runs = 0
const slowRoute: RoutePlugin = (app, server) => {
  server.post('/test/slow', { config: { accepts: ['key'] } }, async (request, reply) =>
    respondOnce(app, { request, reply, caller: callerOf(request) }, async () => {
      runs += 1
      const run = runs
      if (run === 1) await first.promise
      return { status: 200, body: { run } }
    }),
  )
}

const it = useTestService({ extraRoutes: [slowRoute] })

/** Longer than a request may run. */
const LEASE_ENDED_SECONDS = 301

test('a request that took so long that another has its key does not replace the response that is stored', async () => {
  const { key } = await it.openAccount()
  const send = () => it.call('POST', '/test/slow', { key, headers: { 'idempotency-key': 'slow' } })
  const slow = send()
  await expect.poll(() => runs, { timeout: 15_000 }).toBe(1)
  it.clock.advance(LEASE_ENDED_SECONDS)
  expect((await send()).body).toEqual({ run: 2 })
  first.resolve()
  expect((await slow).body).toEqual({ run: 1 })
  const repeat = await send()
  expect([repeat.headers.get('idempotency-replayed'), repeat.body]).toEqual(['true', { run: 2 }])
})
