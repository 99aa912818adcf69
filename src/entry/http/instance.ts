import { fastify } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { App } from '../../app.ts'
import { newId } from '../../lib/ids.ts'
import type { refuseUnreadable } from './unreadable-requests.ts'

/** Fastify as we use it: typed by our schemas. */
export type Server = ReturnType<typeof createInstance>

const BODY_BYTES_MAX = 64 * 1024
const REQUEST_TIMEOUT_MS = 75_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const REQUEST_ID_FORMAT = /^[\x20-\x7e]{1,128}$/

/** Every bound a request meets before any route does: its size, its time, its id, and whose address is believed. */
export function createInstance(app: App, refusals: ReturnType<typeof refuseUnreadable>) {
  return fastify({
    ...refusals,
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
