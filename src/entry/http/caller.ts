/** The caller of a request: the credential, the rate limits, and the page for a browser without a credential. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, findKeyHolder, findSession, type Origin, PLANS, type PlanName } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Admission, BucketPolicy } from '../../lib/limits/leased-limiter.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { admitAddressBlock, assertAdmitted } from '../../limits.ts'

/** The account behind a request. Having one proves that the credential was checked and the rate limit was not reached. */
export interface Caller {
  accountId: string
  plan: PlanName
  /** A test key spends nothing and touches no web site. */
  mode: 'live' | 'test'
  /** The holder of the credential. */
  actor: Actor
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
  const { 'user-agent': userAgent } = request.headers
  return { ip: request.ip, requestId: request.id, userAgent, actor: request.caller?.actor }
}

/** Returns who asks for a change, of what by the id in the URL, and from where, as features take it. */
export function changeOf<Id>(request: FastifyRequest & { params: { id: Id } }) {
  return { ...callerOf(request), id: request.params.id, origin: originOf(request) }
}

/** The origin of a request that is limited by address: each limit that it uses is shown in the response headers. */
export function limitedOrigin(request: FastifyRequest, reply: FastifyReply): Origin {
  return { ...originOf(request), reportLimit: (policy, admission) => setLimitHeaders(reply, policy, admission) }
}

const PERSON: Actor = { kind: 'person', id: null }

async function identify(app: App, request: FastifyRequest): Promise<Caller> {
  const accepts = request.routeOptions.config.accepts ?? []
  const key = request.headers['x-api-key']
  // An empty header is none: spreadsheets and templates send it beside a good token.
  if (typeof key === 'string' && key.trim() !== '' && accepts.includes('key')) {
    const holder = await findKeyHolder(app, key)
    if (holder) return { ...holder, actor: { kind: 'api_key', id: holder.keyId } }
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
      return { accountId: account.id, plan: account.plan, mode: 'live', actor: PERSON, passwordGivenAt }
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
  if (typeof key === 'string' && key.trim() !== '') {
    const holder = await findKeyHolder(app, key)
    return holder && { ...holder, actor: { kind: 'api_key', id: holder.keyId } }
  }
  const token = bearerToken(request)
  const session = token === null ? null : await findSession(app, token)
  if (!session) return null
  const { account } = session
  return { accountId: account.id, plan: account.plan, mode: 'live', actor: PERSON }
}

/** Takes one of the account's tokens for the route's limit, and shows in the headers how many are left. */
export async function spendRateToken(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: { accountId: string; plan: PlanName },
): Promise<void> {
  const name = request.routeOptions.config.limit ?? 'api'
  const policy = { name, ...PLANS[caller.plan].limits[name] }
  const admission = await app.limiter.admit(caller.accountId, policy)
  setLimitHeaders(reply, policy, admission)
  assertAdmitted(policy, admission, `This account may send ${policy.perSecond} requests a second here.`)
}

/** Limits what costs more than a request: throws `rate_limited` when the account does it too often. */
export async function assertNotTooOften(
  app: App,
  { accountId }: { accountId: string },
  policy: BucketPolicy,
): Promise<void> {
  const admission = await app.limiter.admit(accountId, policy)
  assertAdmitted(policy, admission, `This was done ${policy.burst} times in a short while.`)
}

/** Takes one of the tokens of the caller's address block. Throws `rate_limited` when there is none. */
export async function admitAddress(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  policy: BucketPolicy,
): Promise<void> {
  const admission = await admitAddressBlock(app, request.ip, policy)
  setLimitHeaders(reply, policy, admission)
  assertAdmitted(policy, admission, 'Too many requests from this address.')
}

/** draft-ietf-httpapi-ratelimit-headers: q tokens per w seconds; r left now, all back in t seconds. One item for each limit. */
function setLimitHeaders(reply: FastifyReply, { name, burst, perSecond }: BucketPolicy, admission: Admission): void {
  const left =
    admission.kind === 'refused'
      ? `r=0;t=${admission.retryAfterSeconds}`
      : `r=${admission.remaining};t=${admission.resetSeconds}`
  const add = (header: string, item: string) => {
    const before = reply.getHeader(header)
    void reply.header(header, typeof before === 'string' ? `${before}, ${item}` : item)
  }
  add('ratelimit-policy', `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  add('ratelimit', `"${name}";${left}`)
}

/** Browsers ask for HTML first. */
export function prefersHtml(accept: string | undefined): boolean {
  return /^\s*text\/html\b/i.test(accept ?? '')
}

/**
 * Where a person who opened the address in a browser finds the same on the site, where their session is; null for
 * programs, and for routes that have no such page.
 */
function findSitePage({ config }: App, request: FastifyRequest): string | null {
  const { sitePage } = request.routeOptions.config
  const { headers } = request
  if (sitePage === undefined || !prefersHtml(headers.accept)) return null
  if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return null
  const params = request.params as Record<string, string | undefined>
  const path = sitePage.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  if (query.get('format') === 'json') return null
  query.delete('format')
  const url = new URL(path, config.siteUrl)
  url.search = query.toString()
  return url.href
}
