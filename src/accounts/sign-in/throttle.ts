import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import type { Admission, BucketPolicy } from '../../lib/limits/leased-limiter.ts'
import { toAddressBlock } from '../../lib/web/address-block.ts'
import { admitAddressBlock, assertAdmitted } from '../../limits.ts'
import { canonicalEmail } from '../account.ts'
import type { Origin } from '../audit/record.ts'

type ThrottledAction =
  | 'signup'
  | 'forgot_password'
  | 'reset_password'
  | 'verify_email'
  | 'resend_verification'
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
  forgot_password: { ip: policy('forgot-ip', 10, HOUR), email: policy('forgot-email', 3, HOUR) },
  reset_password: { ip: policy('reset-ip', 20, 10 * MINUTE), email: null },
  resend_verification: { ip: policy('resend-ip', 10, HOUR), email: policy('resend-email', 3, HOUR) },
  verify_email: { ip: policy('verify-ip', 20, MINUTE), email: null },
  confirm_password: { ip: policy('confirm-ip', 20, 10 * MINUTE), email: policy('confirm-email', 5, 10 * MINUTE) },
  change_password: { ip: policy('change-ip', 20, 10 * MINUTE), email: policy('change-email', 5, 10 * MINUTE) },
}

const LOGIN = {
  ip: policy('login-ip', 20, MINUTE),
  pair: policy('login-pair', 10, 5 * MINUTE),
  strangers: policy('login-email', 20, 10 * MINUTE),
}

/**
 * Guesses at one account are limited for each network block, and together for all blocks that the account has never
 * signed in from. So guesses from anywhere else in the world leave its owner's own attempts alone.
 */
export async function throttleLogin(app: App, from: { origin: Origin; email: string }): Promise<void> {
  const { origin } = from
  const email = hashEmail(app, from.email)
  await admitAddress(app, LOGIN.ip, origin)
  const byPair = await app.limiter.admit(`${email}:${toAddressBlock(origin.ip)}`, LOGIN.pair)
  origin.reportLimit?.(LOGIN.pair, byPair)
  refuseUnlessAdmitted(LOGIN.pair, byPair)
  if (await isFamiliarAddress(app, from)) return
  refuseUnlessAdmitted(LOGIN.strangers, await app.limiter.admit(email, LOGIN.strangers))
}

/** Throws `rate_limited` when this address, or this e-mail address from anywhere, has tried too often. */
export async function throttle(
  app: App,
  action: ThrottledAction,
  from: { origin: Origin; email?: string },
): Promise<void> {
  const { ip, email } = POLICIES[action]
  await admitAddress(app, ip, from.origin)
  if (email && from.email) refuseUnlessAdmitted(email, await app.limiter.admit(hashEmail(app, from.email), email))
}

/** Hashed, so that the table of limits is not a list of customers. */
function hashEmail(app: App, email: string): string {
  return app.secrets.keyedHash(canonicalEmail(email)).toString('base64url')
}

/** Reports only what the caller's own address has used: the rest would reveal what others try. */
async function admitAddress(app: App, limit: BucketPolicy, { ip, reportLimit }: Origin): Promise<void> {
  const admission = await admitAddressBlock(app, ip, limit)
  reportLimit?.(limit, admission)
  refuseUnlessAdmitted(limit, admission)
}

function refuseUnlessAdmitted(policy: BucketPolicy, admission: Admission): void {
  assertAdmitted(policy, admission, 'Too many attempts.')
}

// The network blocks that an account has signed in from. Guesses from elsewhere do not count against these.

const KEPT_DAYS = 90

/** One statement that costs the same whether there is such an account or not. */
async function isFamiliarAddress(app: App, from: { email: string; origin: Origin }): Promise<boolean> {
  const rows = await app.db.query(
    `select from familiar_address join account on account.id = familiar_address.account_id
     where account.email_canonical = $1 and familiar_address.block_hash = $2 and familiar_address.seen_at > $3`,
    [canonicalEmail(from.email), hashBlock(app, from.origin), daysAgo(app.clock.now())],
  )
  return rows.length > 0
}

/** Only after the password or a link from the mailbox was right. */
export async function recordAddress(
  app: App,
  db: Db,
  { accountId, origin }: { accountId: string; origin: Origin },
): Promise<void> {
  await db.query(
    `insert into familiar_address (account_id, block_hash, seen_at) values ($1, $2, $3)
     on conflict (account_id, block_hash) do update set seen_at = greatest(familiar_address.seen_at, excluded.seen_at)`,
    [accountId, hashBlock(app, origin), app.clock.now()],
  )
}

export async function forgetAddresses(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from familiar_address where (account_id, block_hash) in (
       select account_id, block_hash from familiar_address where seen_at < $1 limit 10000)`,
    [daysAgo(at)],
  )
}

function hashBlock(app: App, { ip }: Origin): Buffer {
  return app.secrets.keyedHash(`familiar address ${toAddressBlock(ip)}`)
}

function daysAgo(at: Date): Date {
  return new Date(at.getTime() - KEPT_DAYS * 86_400_000)
}
