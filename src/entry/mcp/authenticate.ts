import type { FastifyReply, FastifyRequest } from 'fastify'
import { findKeyHolder } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { findTokenHolder, SCOPE } from '../../oauth/index.ts'
import type { Caller } from '../http/caller.ts'
import { spendRateToken } from '../http/limits.ts'

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
  if (holder) return { ...holder, connection: null, requestId }
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
  return { accountId, plan, mode: 'live', connection: { id: connectionId, clientName }, requestId }
}
