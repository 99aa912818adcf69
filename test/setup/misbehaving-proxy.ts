/** A proxy before the service that treats requests badly, as the first part of the path says. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ProxiedRequest {
  /** The first part of the path: what is done to it. */
  manner: string
  method: string
  path: string
  idempotencyKey: string | null
  apiKey: string | null
}

export interface MisbehavingProxy extends AsyncDisposable {
  url: string
  seen: ProxiedRequest[]
}

/** A manner that ends in `-once` meets the first request of each path, and lets the others through. */
const MANNERS: Record<string, (exchange: Exchange) => Promise<void> | void> = {
  '503': ({ response }) => refuse(response, 503, 'unavailable'),
  '429': ({ response }) => refuse(response, 429, 'rate_limited'),
  // In a proxy's own words, and with no advice.
  '502': ({ response }) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  redirect: ({ response }) => void response.writeHead(302, { location: '/elsewhere/v1/auth/me' }).end(),
  silence: () => undefined,
  // The service works on, and the next try finds it at that.
  'hang-up': async (exchange) => {
    exchange.response.destroy()
    await fetchFrom(exchange)
  },
  'answer-lost': async (exchange) => {
    await fetchFrom(exchange)
    exchange.response.destroy()
  },
}

interface Exchange {
  origin: URL
  path: string
  request: IncomingMessage
  response: ServerResponse
  body: string
}

export async function startMisbehavingProxy(origin: URL): Promise<MisbehavingProxy> {
  const seen: ProxiedRequest[] = []
  const server = createServer((request, response) => {
    void treat({ origin, request, response }, seen).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, seen, [Symbol.asyncDispose]: close }
}

async function treat(parts: Pick<Exchange, 'origin' | 'request' | 'response'>, seen: ProxiedRequest[]): Promise<void> {
  const { request, response } = parts
  const [, manner = '', path = ''] = /^\/([^/]*)(.*)$/.exec(request.url ?? '') ?? []
  const isFirst = !seen.some((earlier) => earlier.manner === manner && earlier.path === path)
  seen.push({
    manner,
    path,
    method: request.method ?? '',
    idempotencyKey: (request.headers['idempotency-key'] as string | undefined) ?? null,
    apiKey: (request.headers['x-api-key'] as string | undefined) ?? null,
  })
  const exchange = { ...parts, path, body: await text(request) }
  const misbehave = MANNERS[manner.replace(/-(?:once|always)$/, '')]
  if (misbehave && (isFirst || manner.endsWith('-always'))) return misbehave(exchange)
  const answer = await fetchFrom(exchange)
  for (const name of ['content-type', 'retry-after']) {
    const value = answer.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  response.writeHead(answer.status)
  response.end(await answer.text())
}

async function fetchFrom({ origin, path, request, body }: Exchange): Promise<Response> {
  const headers = new Headers()
  for (const name of ['x-api-key', 'content-type', 'prefer', 'idempotency-key', 'accept']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const { method = 'GET' } = request
  return fetch(new URL(path, origin), { method, headers, ...(body === '' ? {} : { body }) })
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const detail = 'Not now.'
  const body = { type: 'about:blank', title: detail, status, detail, code, request_id: 'req_proxy', retryable: true }
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body))
}
