/** Basic credentials with the key as user name; the password is ignored. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers the key, or null after it has refused the request. */
export function authenticate(
  request: IncomingMessage,
  response: ServerResponse,
  keys: readonly string[],
): string | null {
  const header = request.headers.authorization
  if (!header) return refuse(response, 'Empty Authorization header')
  const key = keyIn(header)
  return key !== null && keys.includes(key) ? key : refuse(response, 'Invalid Authorization')
}

function keyIn(header: string): string | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1]
  if (!encoded) return null
  return Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? null
}

function refuse(response: ServerResponse, error: string): null {
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
