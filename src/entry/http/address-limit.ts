/** The one way in which a route limits callers by where they come from. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { admitAddressBlock } from '../../lib/limits/address-limit.ts'
import type { Admission, BucketPolicy } from '../../lib/limits/leased-limiter.ts'
import { rateLimited } from '../../lib/metrics.ts'

/** Takes one of the tokens of the caller's address block. Throws `rate_limited` when there is none. */
export async function admitAddress(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  policy: BucketPolicy,
): Promise<void> {
  const admission = await admitAddressBlock(app, request.ip, policy)
  setLimitHeaders(reply, policy, admission)
  if (admission.kind === 'admitted') return
  rateLimited.inc({ policy: policy.name })
  const { retryAfterSeconds } = admission
  const message = `Too many requests from this address. Wait ${retryAfterSeconds} s.`
  throw new DomainError('rate_limited', message, { retryAfterSeconds })
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
