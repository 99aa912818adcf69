/** The refusals of every limit: `rate_limited` with its metric, and `busy` when too much work waits. */
import { DomainError } from './errors.ts'
import type { Admission, BucketPolicy, LeasedLimiter } from './lib/limits/leased-limiter.ts'
import type { Semaphore } from './lib/limits/semaphore.ts'
import { rateLimited } from './lib/metrics.ts'
import { findSiteBlock, toAddressBlock } from './lib/web/address-block.ts'

/** Counts a refusal by policy and returns its error, which says when to try again. */
export function createRateLimitError(policy: string, reason: string, retryAfterSeconds: number): DomainError {
  rateLimited.inc({ policy })
  return new DomainError('rate_limited', `${reason} Wait ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

/** Throws `rate_limited` unless the token was admitted. */
export function assertAdmitted({ name }: BucketPolicy, admission: Admission, reason: string): void {
  if (admission.kind === 'refused') throw createRateLimitError(name, reason, admission.retryAfterSeconds)
}

/** A /48 is what one customer of a provider may have: it gets as much as so many of its /64 together. */
const SITE_SHARE = 16

/** Spends one token of a caller's address block, and for IPv6 one of the larger block around it. */
export async function admitAddressBlock(
  { limiter }: { limiter: LeasedLimiter },
  ip: string,
  policy: BucketPolicy,
): Promise<Admission> {
  const admission = await limiter.admit(toAddressBlock(ip), policy)
  const site = findSiteBlock(ip)
  if (admission.kind === 'refused' || site === null) return admission
  const { name, burst, perSecond } = policy
  const around = { name: `${name}-site`, burst: burst * SITE_SHARE, perSecond: perSecond * SITE_SHARE }
  const bySite = await limiter.admit(site, around)
  return bySite.kind === 'refused' ? bySite : admission
}

/** Runs `work` in a slot of the semaphore. Throws `busy` with the message when too much work waits already. */
export async function runInSlot<Result>(
  semaphore: Semaphore,
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await semaphore.enter()
  if (!leave) throw new DomainError('busy', message, { retryAfterSeconds: 2 })
  try {
    return await work()
  } finally {
    leave()
  }
}
