import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { sendRequest } from './net.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function listen(answer: RequestListener): Promise<URL> {
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const BOUNDS = { timeoutMs: 2_000, bodyBytesMax: 1_000 }

test('headers go out; status, headers and text come back', async () => {
  const url = await listen((request, response) => {
    response.writeHead(404, { 'x-seen': request.headers.authorization }).end('näht')
  })
  const answer = await sendRequest(url, { ...BOUNDS, headers: { authorization: 'Basic x' } })
  expect([answer.status, answer.headers.get('x-seen'), answer.text]).toEqual([404, 'Basic x', 'näht'])
})

test('a redirect is an answer and is not followed', async () => {
  const url = await listen((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  expect(await sendRequest(url, BOUNDS)).toMatchObject({ status: 302, text: '' })
})

test('a body beyond the bound is refused, announced or not', async () => {
  const url = await listen((_, response) => {
    response.write('x'.repeat(600))
    response.end('x'.repeat(600))
  })
  await expect(sendRequest(url, BOUNDS)).rejects.toMatchObject({ reason: 'too_large' })
})

test.each<[string, RequestListener]>([
  ['no answer', () => {}],
  ['a body that never ends', (_, response) => void response.write('x')],
])('%s ends at the timeout', async (_, answer) => {
  const url = await listen(answer)
  await expect(sendRequest(url, { ...BOUNDS, timeoutMs: 100 })).rejects.toMatchObject({ reason: 'timeout' })
})

test('the caller may end it earlier', async () => {
  const url = await listen(() => {})
  const signal = AbortSignal.timeout(50)
  await expect(sendRequest(url, { ...BOUNDS, signal })).rejects.toMatchObject({ reason: 'timeout' })
})

test.each<[string, RequestListener]>([
  ['a connection that is cut', (request) => request.socket.destroy()],
  [
    'half a body',
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    },
  ],
])('%s is a failure of the network, told by host and without the path', async (_, answer) => {
  const url = await listen(answer)
  const asked = sendRequest(new URL('/private', url), BOUNDS)
  await expect(asked).rejects.toMatchObject({ reason: 'network', message: `network while asking ${url.host}` })
})
