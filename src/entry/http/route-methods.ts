import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { sendError } from './errors.ts'

/** Which methods each address takes, for `Allow`. Fills as routes are added. */
export class RouteMethods {
  readonly #routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  add(template: string, methods: readonly string[]): void {
    if (template === '*') return
    const known = this.#routes.get(template) ?? { pattern: toPattern(template), methods: new Set() }
    for (const method of methods) known.methods.add(method)
    this.#routes.set(template, known)
  }

  /** The methods of this path, in a fixed order; none where nothing has this address. */
  list(path: string): string[] {
    const fitting = [...this.#routes.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort()
  }
}

function toPattern(template: string): RegExp {
  const parts = template.replace(/\/+$/, '').split('/')
  const source = parts.map((part) =>
    part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  )
  return new RegExp(`^${source.join('/')}/?$`)
}

/** 405 with `Allow` where the address exists with other methods, else 404. */
export function refuseRoute(app: App, request: FastifyRequest, reply: FastifyReply, methods: RouteMethods) {
  const { baseUrl, siteUrl } = app.config
  const isOurHost = request.host === baseUrl.host || request.host === siteUrl.host
  const allowed = isOurHost ? methods.list(pathOf(request)) : []
  if (allowed.length === 0) return sendError(app, request, reply, noSuchRoute(app, request))
  void reply.header('allow', allowed.join(', '))
  const detail = `${pathOf(request)} does not take ${request.method}. It takes ${allowed.join(', ')}.`
  return sendError(app, request, reply, new DomainError('method_not_allowed', detail))
}

/** OPTIONS that is no preflight of a browser: says which methods the address takes. */
export function answerPlainOptions(app: App, scope: FastifyInstance, methods: RouteMethods): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'OPTIONS') return
    const isPreflight = request.headers.origin !== undefined && request.headers['access-control-request-method']
    if (isPreflight) return
    const allowed = methods.list(pathOf(request))
    if (allowed.length === 0) return sendError(app, request, reply, noSuchRoute(app, request))
    return reply
      .code(204)
      .header('allow', [...new Set([...allowed, 'OPTIONS'])].join(', '))
      .send()
  })
}

export function noSuchRoute(app: App, request: FastifyRequest): DomainError {
  const docs = new URL('/docs', app.config.siteUrl).href
  return new DomainError('not_found', `There is no ${request.method} ${pathOf(request)} here. See ${docs}.`)
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}
