import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { toAddressBlock } from '../lib/address-block.ts'
import type { BucketPolicy } from '../lib/leased-limiter.ts'
import { rateLimited } from '../lib/metrics.ts'
import { canonicalEmail } from './account.ts'
import type { Origin } from './audit.ts'

export type ThrottledAction =
  | 'signup'
  | 'login'
  | 'forgot_password'
  | 'reset_password'
  | 'verify_email'
  | 'change_password'
  | 'confirm_password'

const MINUTE = 60
const HOUR = 3_600

function policy(name: string, burst: number, seconds: number): BucketPolicy {
  return { name, burst, perSecond: burst / seconds }
}

// Bursts stay below 24, so that a lease is one token and the count is exact. Nothing here locks an account: guesses at
// one address are slowed down, while its sessions, its keys and a password reset go on working.
const POLICIES: Record<ThrottledAction, { ip: BucketPolicy; email: BucketPolicy | null }> = {
  signup: { ip: policy('signup-ip', 20, HOUR), email: policy('signup-email', 5, HOUR) },
  login: { ip: policy('login-ip', 20, MINUTE), email: policy('login-email', 10, 5 * MINUTE) },
  forgot_password: { ip: policy('forgot-ip', 10, HOUR), email: policy('forgot-email', 3, HOUR) },
  reset_password: { ip: policy('reset-ip', 20, 10 * MINUTE), email: null },
  verify_email: { ip: policy('verify-ip', 20, MINUTE), email: null },
  confirm_password: { ip: policy('confirm-ip', 20, 10 * MINUTE), email: policy('confirm-email', 5, 10 * MINUTE) },
  change_password: { ip: policy('change-ip', 20, 10 * MINUTE), email: policy('change-email', 5, 10 * MINUTE) },
}

/** Throws `rate_limited` when this address, or this e-mail address from anywhere, has tried too often. */
export async function throttle(
  app: App,
  action: ThrottledAction,
  from: { origin: Origin; email?: string },
): Promise<void> {
  const { ip, email } = POLICIES[action]
  await admit(app, ip, toAddressBlock(from.origin.ip))
  // Hashed, so that the table of buckets is not a list of customers.
  if (email && from.email)
    await admit(app, email, app.secrets.keyedHash(canonicalEmail(from.email)).toString('base64url'))
}

async function admit(app: App, bucket: BucketPolicy, key: string): Promise<void> {
  const admission = await app.limiter.admit(key, bucket)
  if (admission.kind === 'admitted') return
  rateLimited.inc({ policy: bucket.name })
  const { retryAfterSeconds } = admission
  throw new DomainError('rate_limited', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  })
}
