import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findKeyHolder, findSession, type Origin, type PlanName } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { setLimitHeaders, spendRateToken } from './limits.ts'
import { findSitePage } from './site-page.ts'

/** The account behind a request. Having one proves that the credential was checked and the rate limit was not reached. */
export interface Caller {
  accountId: string
  plan: PlanName
  /** A test key spends nothing and touches no web site. */
  mode: 'live' | 'test'
  /** When the person behind a session entered the password; null where that is unknown, absent for a key. */
  passwordGivenAt?: Date | null
}

/** The objects of one request, once its caller is admitted. */
export interface RequestContext {
  request: FastifyRequest
  reply: FastifyReply
  caller: Caller
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, on routes that declare which credentials they accept. */
    caller: Caller | null
  }
}

/**
 * Checks the credential by what each route declares it accepts, then the account's rate limit: before the body is read
 * and before any input is looked at, so that a stranger learns nothing of what a route takes.
 */
export function admitBeforeInput(app: App, scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.accepts) return
    const page = findSitePage(app, request)
    if (page !== null) return reply.redirect(page, 302)
    const caller = await identify(app, request)
    request.accountId = caller.accountId
    request.caller = caller
    await spendRateToken(app, request, reply, caller)
  })
}

/** Returns the caller that was admitted. A route that declares no credentials has none, which is our mistake. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} declares no credentials`)
  return request.caller
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, requestId: request.id }
}

/** The origin of a request that is limited by address: each limit that it uses is shown in the response headers. */
export function limitedOrigin(request: FastifyRequest, reply: FastifyReply): Origin {
  return { ...originOf(request), reportLimit: (policy, admission) => setLimitHeaders(reply, policy, admission) }
}

async function identify(app: App, request: FastifyRequest): Promise<Caller> {
  const accepts = request.routeOptions.config.accepts ?? []
  const key = request.headers['x-api-key']
  // An empty header is none: spreadsheets and templates send it beside a good token.
  if (typeof key === 'string' && key.trim() !== '' && accepts.includes('key')) {
    const holder = await findKeyHolder(app, key)
    if (holder) return holder
    countSecurityEvent('credential_refused')
    throw new DomainError(
      'invalid_credentials',
      'This API key is not valid. Copy it again from your login, or rotate it.',
    )
  }
  const token = bearerToken(request)
  if (token !== null && accepts.includes('session')) {
    const session = await findSession(app, token)
    if (session) {
      const { account, passwordGivenAt } = session
      return { accountId: account.id, plan: account.plan, mode: 'live', passwordGivenAt }
    }
    countSecurityEvent('credential_refused')
    throw new DomainError('invalid_credentials', 'This session is not valid any more. Log in again.')
  }
  throw new DomainError('missing_credentials', HOW_TO_AUTHENTICATE[accepts.join('+')] ?? 'Send a credential.')
}

const HOW_TO_AUTHENTICATE: Record<string, string> = {
  key: 'Send your API key in the X-API-Key header.',
  session: 'Send the token from POST /v1/auth/login as Authorization: Bearer <token>.',
  'session+key': 'Send your API key in the X-API-Key header, or the token from login as Authorization: Bearer <token>.',
}

function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/**
 * Returns the caller of a public route; null without a valid credential. No request is refused here: a credential only
 * shows its holder more.
 */
export async function findViewer(app: App, request: FastifyRequest): Promise<Caller | null> {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key.trim() !== '') return findKeyHolder(app, key)
  const token = bearerToken(request)
  const account = token === null ? null : (await findSession(app, token))?.account
  return account ? { accountId: account.id, plan: account.plan, mode: 'live' } : null
}
