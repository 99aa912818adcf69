/** Adds an API key to every request: the conformance tool cannot send one. Host and Origin pass as they came. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyProxy extends AsyncDisposable {
  url: URL
}

export async function openKeyProxy(target: URL, key: string): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) => passOn({ incoming, outgoing }, target, key))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://localhost:${port}${target.pathname}`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

function passOn({ incoming, outgoing }: Exchange, target: URL, key: string): void {
  const headers = { ...endToEnd(incoming.headers), 'x-api-key': key }
  const options = { method: incoming.method ?? 'GET', headers }
  const onward = request(new URL(incoming.url ?? '/', target), options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
    answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}
