/** The rate limits of routes: by account, by what an account does, and by the caller's address. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PLANS, type PlanName } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Admission, BucketPolicy } from '../../lib/limits/leased-limiter.ts'
import { admitAddressBlock, assertAdmitted } from '../../limits.ts'

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
export function setLimitHeaders(
  reply: FastifyReply,
  { name, burst, perSecond }: BucketPolicy,
  admission: Admission,
): void {
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
