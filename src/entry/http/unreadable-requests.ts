import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
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
