/**
 * Rate limits that hold across processes without a database write per request. A bucket is a row that refills with
 * time; a process leases several tokens from it at once and spends them from memory. The sum of all leases can never
 * exceed what the row allowed, so the limit holds however many processes there are; what a lease leaves unspent when
 * it runs out is given back with the next one.
 */
import type { Db } from '../db/db.ts'

export interface BucketPolicy {
  /** Named in the `RateLimit` headers. */
  name: string
  burst: number
  perSecond: number
}

export type Admission =
  | { kind: 'admitted'; remaining: number; resetSeconds: number }
  | { kind: 'refused'; retryAfterSeconds: number }

interface Lease {
  tokens: number
  /** Left in the row when the lease was taken: what other processes may still take. */
  rowTokens: number
  expiresAtMs: number
  /** The row was empty: no need to ask it again before this. */
  emptyUntilMs: number
  renewing: Promise<void> | undefined
}

// A twelfth of the burst: a busy caller writes once per ten requests, and twelve processes can share one burst.
const LEASES_PER_BURST = 12
const LEASE_MS = 5_000
const LEASES_MAX = 50_000

export class LeasedLimiter {
  readonly #db: Db
  readonly #leases = new Map<string, Lease>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Spends one token of `key`'s bucket, or says when to come back. */
  async admit(key: string, policy: BucketPolicy): Promise<Admission> {
    const bucketKey = `${policy.name}:${key}`
    let lease = this.#leases.get(bucketKey)
    if (!lease) {
      lease = { tokens: 0, rowTokens: 0, expiresAtMs: 0, emptyUntilMs: 0, renewing: undefined }
      this.#storeLease(bucketKey, lease)
    }
    // Tokens of a renewal this request waited for may have gone to others that waited too; a full bucket has no more
    // renewals than tokens.
    for (let round = 0; round <= policy.burst; round += 1) {
      const nowMs = Date.now()
      if (lease.tokens > 0 && nowMs < lease.expiresAtMs) return spend(lease, policy)
      if (nowMs < lease.emptyUntilMs) break
      lease.renewing ??= this.#renew(bucketKey, lease, policy)
      await lease.renewing
    }
    if (lease.tokens > 0) return spend(lease, policy)
    const waitMs = Math.max(lease.emptyUntilMs - Date.now(), 1_000 / policy.perSecond)
    return { kind: 'refused', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
  }

  async #renew(bucketKey: string, lease: Lease, policy: BucketPolicy): Promise<void> {
    const unspent = lease.tokens
    lease.tokens = 0
    try {
      const wanted = Math.max(1, Math.floor(policy.burst / LEASES_PER_BURST))
      const { taken, left } = await takeTokens(this.#db, { bucketKey, policy, wanted, unspent })
      lease.tokens = taken
      lease.rowTokens = left
      lease.expiresAtMs = Date.now() + LEASE_MS
      lease.emptyUntilMs = taken > 0 ? 0 : Date.now() + ((1 - left) / policy.perSecond) * 1_000
    } finally {
      lease.renewing = undefined
    }
  }

  #storeLease(bucketKey: string, lease: Lease): void {
    // The oldest is dropped, and with it the tokens it held: the limit errs on the strict side.
    if (this.#leases.size >= LEASES_MAX) {
      const [oldest] = this.#leases.keys()
      if (oldest !== undefined) this.#leases.delete(oldest)
    }
    this.#leases.set(bucketKey, lease)
  }
}

function spend(lease: Lease, policy: BucketPolicy): Admission {
  lease.tokens -= 1
  const remaining = Math.floor(lease.tokens + lease.rowTokens)
  return { kind: 'admitted', remaining, resetSeconds: Math.ceil((policy.burst - remaining) / policy.perSecond) }
}

/** One statement refills, gives back and takes, so concurrent processes cannot take the same token. */
async function takeTokens(
  db: Db,
  take: { bucketKey: string; policy: BucketPolicy; wanted: number; unspent: number },
): Promise<{ taken: number; left: number }> {
  const { burst, perSecond } = take.policy
  const [row] = await db.query<{ taken: number; left: number }>(
    `insert into rate_bucket as bucket (key, tokens, taken, updated_at)
     values ($1, $2::float8 - least($4::float8, floor($2::float8)), least($4::float8, floor($2::float8)), clock_timestamp())
     on conflict (key) do update set (tokens, taken, updated_at) = (
       select level - least($4::float8, floor(level)), least($4::float8, floor(level)), clock_timestamp()
       from (
         select least(
           $2::float8,
           bucket.tokens + $5::float8
             + greatest(0, extract(epoch from clock_timestamp() - bucket.updated_at)) * $3::float8
         ) as level
       ) refilled
     )
     returning taken, tokens as left`,
    [take.bucketKey, burst, perSecond, take.wanted, take.unspent],
  )
  return { taken: row?.taken ?? 0, left: row?.left ?? 0 }
}

/** Forgets buckets that have been full for long: a missing row means a full bucket. */
export async function forgetIdleBuckets(db: Db): Promise<void> {
  await db.query(
    `delete from rate_bucket where key in (
       select key from rate_bucket where updated_at < now() - interval '1 day' order by updated_at limit 10000
     )`,
  )
}
