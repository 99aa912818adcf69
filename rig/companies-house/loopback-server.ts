/** An HTTP server on loopback that ends all its connections when it closes, and the keys of its clients. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const KEEP_ALIVE_MS = 60_000

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

export async function listenOnLoopback(answer: Answer, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    // A client that hangs up is none of the server's business.
    response.on('error', () => {})
    Promise.resolve(answer(request, response)).catch((cause: unknown) => failLoudly(response, cause))
  })
  // Streams stay silent for longer than the default allows a socket to.
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) }
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  return closed
}

/** A mistake in the simulator must not look like a fault of the register: the text says what it is. */
function failLoudly(response: ServerResponse, cause: unknown): void {
  if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' })
  response.end(`The simulator is broken: ${cause instanceof Error ? cause.stack : String(cause)}`)
}

/** Returns the key, or null after it has refused the request. The key is the user name of Basic credentials. */
export function authenticate(
  request: IncomingMessage,
  response: ServerResponse,
  keys: readonly string[],
): string | null {
  const { authorization } = request.headers
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const key = Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? ''
  if (keys.includes(key)) return key
  const error = authorization ? 'Invalid Authorization' : 'Empty Authorization header'
  response.writeHead(401, {
    'Content-Type': 'application/json',
    'Ch-Authentication-Error': error,
    'Www-Authenticate': error,
    'Access-Control-Allow-Origin': '*',
    Server: 'CompaniesHouse',
  })
  response.end(JSON.stringify({ error, type: 'ch:service' }))
  return null
}
