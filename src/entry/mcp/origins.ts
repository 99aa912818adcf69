/**
 * The hosts and origins that may call the agent endpoint. A page that a person happens to visit must not reach it, neither
 * from its own origin nor through a host name that it points at this machine.
 */
import { validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** Programs send no Origin and pass; browsers always send theirs. Where it is allowed, its pages may read the answer. */
export function refuseForeigners({ config }: App, request: FastifyRequest, reply: FastifyReply): void {
  const here = config.environment === 'development' ? THIS_MACHINE : []
  if (![config.baseUrl.hostname, ...here].includes(request.hostname)) {
    throw new DomainError('foreign_origin', `The agent endpoint is at ${config.baseUrl.origin}/mcp and nowhere else.`)
  }
  const { origin } = request.headers
  if (!validateOriginHeader(origin, [config.baseUrl.hostname, config.siteUrl.hostname, ...here]).ok) {
    throw new DomainError('foreign_origin', 'Pages of other sites may not call the agent endpoint.')
  }
  if (origin === undefined) return
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After',
    vary: 'Authorization, X-API-Key, Origin',
  })
}

/** The preflight response for allowed pages. Never with cookies, which mean nothing here. */
export const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-API-Key, X-Request-Id',
  'access-control-max-age': '86400',
}
