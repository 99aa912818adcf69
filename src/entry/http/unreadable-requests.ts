import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { describeError, sendError } from './errors.ts'

/**
 * Requests that never reach a route, because their address or their very bytes cannot be read. They are refused in the
 * same shape and with the same headers as any other, and a connection whose bytes make no sense is closed.
 */
export function refuseUnreadable(app: App, headers: Record<string, string>) {
  return {
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
      void reply.headers({ 'x-request-id': request.id, ...headers })
      const detail = UNREADABLE_ADDRESS[error.code] ?? 'The address could not be read.'
      void sendError(app, request, reply, new DomainError('invalid_request', detail))
    },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket): void => {
      // A client that has disconnected gets no response.
      if (error.code !== 'ECONNRESET' && socket.writable) socket.write(writeRefusal(app, headers, error.code))
      socket.destroy(error)
    },
  }
}

const UNREADABLE_ADDRESS: Record<string, string> = {
  FST_ERR_BAD_URL: 'The address holds a % that is not followed by the hexadecimal digits of UTF-8.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the address is longer than anything that has an address here.',
}

const UNREADABLE_BYTES: Record<string, { status: number; detail: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request took too long to arrive. Send it faster.' },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'Address and headers together are larger than 16 KB. Send less.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'The extensions of a chunk are too large. Send none.' },
}

function writeRefusal(app: App, headers: Record<string, string>, code = ''): string {
  const { status, detail } = UNREADABLE_BYTES[code] ?? { status: 400, detail: 'These bytes are no HTTP request.' }
  const requestId = newId('req')
  const body = JSON.stringify({ ...describeError(app, new DomainError('invalid_request', detail), requestId), status })
  const lines = {
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...head, '', body].join('\r\n')
}

/** Clients send `content-type: application/json` with every request, also where there is no body: that is no body. */
export function acceptEmptyJson(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    // Fastify's parser calls back at once; it returns nothing to wait for.
    else void parseJson(request, body as string, done)
  })
}

/** A compressed body is refused before it is read: its size says nothing about what it unpacks to. */
export function refuseEncodedBodies(server: FastifyInstance): void {
  server.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
    throw new DomainError(
      'unsupported_media_type',
      'Send the body as it is: compressed bodies (content-encoding) are not supported.',
    )
  })
}

/** RFC 9112 3.2: a request of HTTP/1.1 without a Host header is a bad request. */
export function refuseMissingHost(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return
    throw new DomainError('invalid_request', 'The request has no Host header. Send the name of the host you call.')
  })
}
