/** Access to the agent endpoint: from which hosts and origins, with which credential, and where to get one. */
import { validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findKeyHolder } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { findTokenHolder, resourceOf, SCOPE } from '../../oauth/index.ts'
import { type Caller, spendRateToken } from '../http/caller.ts'

/** The caller of a tool: an account by its key, or a program that the account has connected. */
export interface Agent extends Caller {
  /** The connection whose daily cap applies; null for a key. */
  connection: { id: string; clientName: string } | null
  requestId: string
}

/** Checks the credential, then the account's rate limit for agents. A session from login is not a credential here. */
export async function admitAgent(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Agent> {
  const agent = await identify(app, request)
  request.accountId = agent.accountId
  await spendRateToken(app, request, reply, agent)
  return agent
}

async function identify(app: App, request: FastifyRequest): Promise<Agent> {
  const { authorization, 'x-api-key': key } = request.headers
  if (key !== undefined && authorization !== undefined) {
    throw new DomainError('invalid_request', 'Send X-API-Key or Authorization, and not both: they may disagree.')
  }
  if (typeof key === 'string') return identifyByKey(app, key, request.id)
  if (authorization !== undefined) return identifyByToken(app, authorization, request.id)
  throw new DomainError(
    'missing_credentials',
    'Connect with OAuth, which starts at resource_metadata in WWW-Authenticate; or send your API key as X-API-Key.',
  )
}

async function identifyByKey(app: App, key: string, requestId: string): Promise<Agent> {
  const holder = await findKeyHolder(app, key)
  if (holder) return { ...holder, actor: { kind: 'api_key', id: holder.keyId }, connection: null, requestId }
  countSecurityEvent('credential_refused')
  throw new DomainError(
    'invalid_credentials',
    'This API key is not valid. Copy it again from your login, or rotate it.',
  )
}

async function identifyByToken(app: App, authorization: string, requestId: string): Promise<Agent> {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
  const holder = token === undefined ? null : await findTokenHolder(app, token)
  if (!holder) {
    countSecurityEvent('credential_refused')
    throw new DomainError('invalid_credentials', 'This token is not valid here any more. Refresh it, or connect again.')
  }
  const { accountId, plan, connectionId, clientName, scopes } = holder
  if (!scopes.includes(SCOPE)) {
    throw new DomainError('insufficient_scope', `This token lacks the scope ${SCOPE}. Connect again and ask for it.`)
  }
  const connection = { id: connectionId, clientName }
  const actor = { kind: 'program', id: connectionId } as const
  return { accountId, plan, mode: 'live', actor, connection, requestId }
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/**
 * A page that a person happens to visit must not reach the endpoint, neither from its own origin nor through a host name
 * that it points at this machine. Programs send no Origin and pass; browsers always send theirs. Where it is allowed, its
 * pages may read the answer.
 */
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

// Where a program that was refused finds out how to be let in (RFC 9728).

const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The second is where clients look that know only the host. */
export const METADATA_PATHS = [`${METADATA_PATH}/mcp`, METADATA_PATH]

export function describeResource(app: App) {
  return {
    resource: resourceOf(app),
    authorization_servers: [app.config.siteUrl.origin],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Nameplate',
    resource_documentation: new URL('/docs', app.config.siteUrl).href,
  }
}

/** The value of `WWW-Authenticate`; null where the refusal has nothing to do with credentials. */
export function challengeFor(app: App, request: FastifyRequest, { code }: DomainError): string | null {
  const metadata = new URL(`${METADATA_PATH}/mcp`, app.config.baseUrl).href
  const where = `resource_metadata="${metadata}", scope="${SCOPE}"`
  if (code === 'insufficient_scope') {
    return `Bearer error="insufficient_scope", error_description="The scope ${SCOPE} is needed", ${where}`
  }
  if (code !== 'missing_credentials' && code !== 'invalid_credentials') return null
  // RFC 6750 §3.1: without a token in the request there is no error to name.
  if (request.headers.authorization === undefined) return `Bearer ${where}`
  return `Bearer error="invalid_token", error_description="The token is expired, revoked or not for this", ${where}`
}
