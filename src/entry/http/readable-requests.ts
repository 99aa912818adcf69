import { DomainError } from '../../errors.ts'
import type { Server } from './instance.ts'

/** Clients send `content-type: application/json` with every request, also where there is no body: that is no body. */
export function acceptEmptyJson(server: Server): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    // Fastify's parser calls back at once; it returns nothing to wait for.
    else void parseJson(request, body as string, done)
  })
}

/** A compressed body is refused before it is read: its size says nothing about what it unpacks to. */
export function refuseEncodedBodies(server: Server): void {
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
export function refuseMissingHost(server: Server): void {
  server.addHook('onRequest', async (request) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return
    throw new DomainError('invalid_request', 'The request has no Host header. Send the name of the host you call.')
  })
}
