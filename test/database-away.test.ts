/** While the database changes its primary, callers are asked to come back, and nothing is stuck afterwards. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { callerOf } from '../src/entry/http/caller.ts'
import { respondOnce } from '../src/entry/http/idempotency.ts'
import type { RoutePlugin } from '../src/entry/http/server.ts'
import { createTestDatabase, prepare, startTestService, useTestService } from './setup/harness.ts'

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

const keyed: RoutePlugin = (app, server) => {
  server.post('/test/done', { config: { accepts: ['key'] } }, async (request, reply) =>
    respondOnce(app, { request, reply, caller: callerOf(request) }, async () => ({
      status: 200,
      body: { done: true },
    })),
  )
}

const it = useTestService({ extraRoutes: [plugin] })
const account = prepare(() => it.openAccount())

test('a write that meets a demoted primary is answered 503 with Retry-After, and not 500', async () => {
  const { status, headers, body } = await it.call('POST', '/test/read-only')
  expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([503, 'unavailable', true, '5'])
})

test('a request that lost the database can be repeated under its Idempotency-Key as soon as the database is back', async () => {
  const asked = { key: account.key, headers: { 'idempotency-key': 'once-more' } }
  const first = await it.call('POST', '/test/keyed', asked)
  expect([first.status, first.body.code]).toEqual([503, 'unavailable'])
  const again = async () => {
    const { status, body } = await it.call('POST', '/test/keyed', asked)
    return [status, body]
  }
  await expect.poll(again).toEqual([200, { done: true }])
})

/** Leads to the database. The reply to the first statement with this text in it is lost with the connection, though it has run. */
async function loseReplyTo(text: string, databaseUrl: string) {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let isLost = false
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    let losesNext = false
    for (const socket of [client, database]) {
      sockets.add(socket.on('error', () => undefined))
      socket.on('close', () => [client, database].forEach((other) => other.destroy()))
    }
    client.on('data', (sent) => {
      losesNext ||= !isLost && sent.includes(text)
      isLost ||= losesNext
      database.write(sent)
    })
    database.on('data', (reply) => (losesNext ? client.destroy() : client.write(reply)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: url.href, isLost: () => isLost, close }
}

test('a request whose Idempotency-Key was stored while the connection broke can be repeated soon, not after minutes', async () => {
  const database = await createTestDatabase()
  const proxy = await loseReplyTo('lost-with-its-reply', database.url)
  const service = await startTestService({ databaseUrl: proxy.url, extraRoutes: [keyed] })
  const { key } = await service.openAccount()
  const headers = { 'idempotency-key': 'lost-with-its-reply' }
  const ask = () => service.call('POST', '/test/done', { key, headers })
  const first = await ask()
  expect([first.status, proxy.isLost()]).toEqual([503, true])
  await expect.poll(async () => (await ask()).status).toBe(200)
  await service[Symbol.asyncDispose]()
  proxy.close()
  await database.drop()
})
