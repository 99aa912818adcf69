import cors from '@fastify/cors'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { admitBeforeInput } from './caller.ts'
import { ERRORS, sendError, toDomainError } from './errors.ts'
import { usePlainWords } from './input-words.ts'
import { createInstance, prepareRequests, type Server } from './instance.ts'
import { registerOpenApi, type WebhookDescription } from './openapi.ts'
import { answerPlainOptions, noSuchRoute, RouteMethods, refuseRoute } from './route-methods.ts'

/** Adds its routes to the server. */
export type RoutePlugin = (app: App, server: Server) => Promise<void> | void

export interface EntryPoints {
  /** Answer on BASE_URL's host. */
  api: readonly RoutePlugin[]
  /** Answer on SITE_URL's host. */
  site: readonly RoutePlugin[]
  /** Answer on any host: probes come by address. */
  anyHost: readonly RoutePlugin[]
  /** The webhooks we send, by name: described in the same OpenAPI document. */
  webhooks: Record<string, WebhookDescription>
  /** Sends a browser the page for an address of the site that leads nowhere. */
  sendMissingPage?: (reply: FastifyReply) => FastifyReply
}

export async function createServer(app: App, entryPoints: EntryPoints): Promise<Server> {
  const server = createInstance(app)
  if (app.config.tracesEndpoint) await server.register(createInstrumentation().plugin())
  closeConnectionsWhileDraining(server)
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  usePlainWords()
  prepareRequests(app, server)
  const methods = new RouteMethods()
  server.addHook('onRoute', ({ method, url }) => methods.add(url, [method].flat()))
  server.decorate('routeList', listRoutes(server))
  server.decorateRequest('accountId', null)
  server.decorateRequest('caller', null)
  server.decorateRequest('refusedWith', null)
  server.setErrorHandler(async (error, request, reply) => {
    const refusal = await existenceFirst(app, request, error)
    // An error caused by another `DomainError` is not a failure of the service.
    if (refusal.cause && !(refusal.cause instanceof DomainError))
      app.log.error({ event: 'request.failed', request_id: request.id, error: refusal.cause })
    if (ERRORS[refusal.code].status === 402) await setRefusedCreditHeaders(app, request, reply)
    return sendError(app, request, reply, refusal)
  })
  const { sendMissingPage } = entryPoints
  server.setNotFoundHandler((request, reply) =>
    sendMissingPage && isForPerson(app, request) ? sendMissingPage(reply) : refuseRoute(app, request, reply, methods),
  )
  await registerOpenApi(app, server, entryPoints.webhooks)
  await registerRoutes(app, server, entryPoints, methods)
  return server
}

/** Whether a browser shows the response to a person, on the site and not below the API's paths. */
function isForPerson({ config }: App, { method, host, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return (
    isRead && host === config.siteUrl.host && !url.startsWith('/v1/') && /\btext\/html\b/.test(headers.accept ?? '')
  )
}

/** Sets the credit headers of a 402, as every response that can spend credits has them. */
async function setRefusedCreditHeaders(app: App, { accountId }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (accountId === null) return
  const { available } = await getBalance(app.db, accountId)
  void reply.header('credits-spent', '0').header('credits-remaining', String(available))
}

const INPUT_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
])

/** Returns 404 for a resource that is not the caller's, before 400 for what was sent to it. */
async function existenceFirst(app: App, request: FastifyRequest, thrown: unknown): Promise<DomainError> {
  const refusal = toDomainError(thrown)
  // What cannot be an id belongs to no account; an unreadable body is refused before the URL is checked.
  const { params } = (request.routeOptions.schema ?? {}) as { params?: z.ZodType }
  if (params && !params.safeParse(request.params).success) return refusal
  const { assertOwned } = request.routeOptions.config
  const { id } = (request.params ?? {}) as { id?: string | number }
  if (!assertOwned || !request.caller || id === undefined || !INPUT_REFUSALS.has(refusal.code)) return refusal
  try {
    await assertOwned(app, request.caller, String(id))
    return refusal
  } catch (error) {
    return toDomainError(error)
  }
}

/** Traces go to another system, so the query string, which may contain the token of a link, is cut off. */
function createInstrumentation(): FastifyOtelInstrumentation {
  return new FastifyOtelInstrumentation({
    requestHook: (span, request) => span.setAttribute('url.path', toTracedPath(request.url)),
  })
}

/** Returns a list that fills as routes are added, so that a test can compare it with the documented ones. */
function listRoutes(server: Server): string[] {
  const routes: string[] = []
  server.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((name) => `${name} ${url}`))
  })
  return routes
}

/** Closes kept-alive connections: an idle one would delay the shutdown. */
function closeConnectionsWhileDraining(server: Server): void {
  let draining = false
  server.addHook('preClose', async () => {
    draining = true
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) void reply.header('connection', 'close')
    done()
  })
}

async function registerRoutes(
  app: App,
  server: Server,
  entryPoints: EntryPoints,
  methods: RouteMethods,
): Promise<void> {
  for (const plugin of entryPoints.anyHost) await plugin(app, server)
  await server.register(async (scope) => {
    restrictToHost(app, scope, app.config.baseUrl.host)
    answerPlainOptions(app, scope, methods)
    await scope.register(cors, {
      origin: '*',
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'X-Request-Id',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Credits-Spent',
        'Credits-Remaining',
        'Location',
        'Idempotency-Replayed',
        'Preference-Applied',
        'WWW-Authenticate',
        'Deprecation',
        'Sunset',
        'Link',
      ],
      maxAge: 86_400,
    })
    admitBeforeInput(app, scope)
    for (const plugin of entryPoints.api) await plugin(app, scope)
  })
  await server.register(async (scope) => {
    leadToDocs(app, scope)
    restrictToHost(app, scope, app.config.siteUrl.host)
    for (const plugin of entryPoints.site) await plugin(app, scope)
  })
}

/** People look for the documentation where they call the API. */
function leadToDocs(app: App, scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (request.host === app.config.siteUrl.host || request.host !== app.config.baseUrl.host) return
    if (!/^\/docs(?:[/?]|$)/.test(request.url)) return
    return reply.redirect(new URL(request.url, app.config.siteUrl).href, 308)
  })
}

/** Where the two hosts differ, neither serves the other's routes. */
function restrictToHost(app: App, scope: FastifyInstance, host: string): void {
  if (app.config.baseUrl.host === app.config.siteUrl.host) return
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.host === host) done()
    else void sendError(app, request, reply, noSuchRoute(app, request))
  })
}

/** Without the query, and without the part of an address that opens something by itself. */
function toTracedPath(url: string): string {
  return (url.split('?')[0] ?? '').replace(/^\/(shared|calendar|verify|evidence)\/.*/, '/$1/:token')
}
