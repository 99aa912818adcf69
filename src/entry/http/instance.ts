import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { requestSeconds } from '../../lib/metrics.ts'
import { describeError, sendError } from './errors.ts'

/** Fastify as we use it: typed by our schemas. */
export type Server = ReturnType<typeof createInstance>

const BODY_BYTES_MAX = 64 * 1024
const REQUEST_TIMEOUT_MS = 75_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const REQUEST_ID_FORMAT = /^[\x20-\x7e]{1,128}$/

/** Every bound a request meets before any route does: its size, its time, its id, and whose address is believed. */
export function createInstance(app: App) {
  return fastify({
    ...refuseUnreadable(app),
    genReqId: (request) => readRequestId(request.headers['x-request-id']) ?? newId('req'),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    // A trailing slash leads to the same route.
    routerOptions: { ignoreTrailingSlash: true },
    // Without a Host header Node itself would answer, with an empty body.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: HEADERS_TIMEOUT_MS / 2,
    },
    // Requests in flight finish; new ones on a kept-alive connection get a 503.
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>()
}

function readRequestId(header: unknown): string | null {
  return typeof header === 'string' && REQUEST_ID_FORMAT.test(header) ? header : null
}

/**
 * Requests that never reach a route, because their address or their very bytes cannot be read. They are refused in the
 * same shape and with the same headers as any other, and a connection whose bytes make no sense is closed.
 */
function refuseUnreadable(app: App) {
  return {
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
      void reply.headers({ 'x-request-id': request.id, ...SECURITY_HEADERS })
      const detail = UNREADABLE_ADDRESS[error.code] ?? 'The address could not be read.'
      void sendError(app, request, reply, new DomainError('invalid_request', detail))
    },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket): void => {
      // A client that has disconnected gets no response.
      if (error.code !== 'ECONNRESET' && socket.writable) socket.write(writeRefusal(app, error.code))
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

function writeRefusal(app: App, code = ''): string {
  const { status, detail } = UNREADABLE_BYTES[code] ?? { status: 400, detail: 'These bytes are no HTTP request.' }
  const requestId = newId('req')
  const body = JSON.stringify({ ...describeError(app, new DomainError('invalid_request', detail), requestId), status })
  const lines = {
    ...SECURITY_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...head, '', body].join('\r\n')
}

/** Reads bodies as JSON, sets the headers that every response has, and logs each request in one line. */
export function prepareRequests(app: App, server: FastifyInstance): void {
  // A text body would otherwise pass as a string and fail with a puzzling message.
  server.removeContentTypeParser('text/plain')
  acceptEmptyJson(server)
  refuseEncodedBodies(server)
  refuseMissingHost(server)
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(SECURITY_HEADERS)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(app, request, reply)
    done()
  })
}

/** Clients send `content-type: application/json` with every request, also where there is no body: that is no body. */
function acceptEmptyJson(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    // Fastify's parser calls back at once; it returns nothing to wait for.
    else void parseJson(request, body as string, done)
  })
}

/** A compressed body is refused before it is read: its size says nothing about what it unpacks to. */
function refuseEncodedBodies(server: FastifyInstance): void {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return done(null, payload)
    const refusal = 'Send the body as it is: compressed bodies (content-encoding) are not supported.'
    done(new DomainError('unsupported_media_type', refusal))
  })
}

/** RFC 9112 3.2: a request of HTTP/1.1 without a Host header is a bad request. */
function refuseMissingHost(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') done()
    else done(new DomainError('invalid_request', 'The request has no Host header. Send the name of the host you call.'))
  })
}

const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  // Pages of the site set their own; an API answer is never a document.
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  vary: 'Authorization, X-API-Key',
}

function logRequest(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'none'
  requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  app.log.info({
    event: 'request.finished',
    request_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    account_id: request.accountId,
    refused_with: request.refusedWith ?? undefined,
  })
}
