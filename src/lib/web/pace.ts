import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketPolicy, LeasedLimiter } from '../limits/leased-limiter.ts'
import { Semaphore } from '../limits/semaphore.ts'

/** One token of the shared bucket buys a lease of several requests, so a crawl writes once per bucket, not once per page. */
interface Rate {
  policy: BucketPolicy
  leaseSize: number
}

/** 2 requests a second, 12 at once. */
const PER_HOST: Rate = { policy: { name: 'crawl-host', burst: 2, perSecond: 1 / 3 }, leaseSize: 6 }
/** 10 requests a second, 40 at once: thousands of sites share the address of one hosting company. */
const PER_ADDRESS: Rate = { policy: { name: 'crawl-address', burst: 8, perSecond: 2 }, leaseSize: 5 }

// A lease ends after this, so that many processes cannot save up requests and send them together.
const LEASE_MS = 3_000
const LEASES_MAX = 20_000
const CRAWLS_PER_ADDRESS = 8
const CRAWLS_WAITING_PER_ADDRESS = 200

interface RequestLease {
  left: number
  expiresAtMs: number
  /** Shared by all callers that wait for the bucket. */
  renewing: Promise<number> | undefined
}

/**
 * Limits what all processes together send to hosts that did not ask for it: crawls, webhooks that were never accepted,
 * documents of OAuth clients. No host should notice us.
 */
export class Pace {
  static readonly #paces = new WeakMap<LeasedLimiter, Pace>()
  readonly #limiter: LeasedLimiter
  readonly #leases = new Map<string, RequestLease>()
  readonly #crawls = new Map<string, { semaphore: Semaphore; users: number }>()

  constructor(limiter: LeasedLimiter) {
    this.#limiter = limiter
  }

  /** Returns the pace of this process. */
  static of(limiter: LeasedLimiter): Pace {
    const known = Pace.#paces.get(limiter) ?? new Pace(limiter)
    Pace.#paces.set(limiter, known)
    return known
  }

  /** Waits until one request may be sent. Returns false when that would take longer than `withinMs`. */
  async waitToSend(target: { host: string; address: string }, withinMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + withinMs
    return (
      (await this.#take(target.host, PER_HOST, deadlineMs)) &&
      (await this.#take(target.address, PER_ADDRESS, deadlineMs))
    )
  }

  /** Waits for one of the crawl slots that an address has in this process. Returns null when none is free within `withinMs`. */
  async enterAddress(address: string, withinMs: number): Promise<(() => void) | null> {
    const shared = this.#crawls.get(address) ?? {
      semaphore: new Semaphore({ slots: CRAWLS_PER_ADDRESS, queueMax: CRAWLS_WAITING_PER_ADDRESS }),
      users: 0,
    }
    this.#crawls.set(address, shared)
    shared.users += 1
    const release = (leave: (() => void) | null) => () => {
      leave?.()
      shared.users -= 1
      if (shared.users === 0) this.#crawls.delete(address)
    }
    const entered = shared.semaphore.enter()
    const timer = new AbortController()
    const late = sleep(withinMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
    const first = await Promise.race([entered, late])
    timer.abort()
    if (first === 'late') {
      // The slot is granted later: it is released at once.
      void entered.then((leave) => release(leave)())
      return null
    }
    if (first) return release(first)
    release(null)()
    return null
  }

  async #take(name: string, rate: Rate, deadlineMs: number): Promise<boolean> {
    const lease = this.#leaseOf(`${rate.policy.name}:${name}`)
    while (performance.now() < deadlineMs) {
      if (lease.left > 0 && performance.now() < lease.expiresAtMs) {
        lease.left -= 1
        return true
      }
      lease.renewing ??= this.#renew(lease, name, rate)
      const waitMs = await lease.renewing
      if (waitMs === 0) continue
      if (performance.now() + waitMs > deadlineMs) return false
      await sleep(waitMs)
    }
    return false
  }

  /** Buys a lease from the bucket. Returns 0, or the milliseconds to wait when the bucket is empty. */
  async #renew(lease: RequestLease, name: string, rate: Rate): Promise<number> {
    const key = createHash('sha256').update(name).digest('base64url').slice(0, 16)
    try {
      const admission = await this.#limiter.admit(key, rate.policy)
      if (admission.kind === 'refused') return admission.retryAfterSeconds * 1_000
      lease.left = rate.leaseSize
      lease.expiresAtMs = performance.now() + LEASE_MS
      return 0
    } finally {
      lease.renewing = undefined
    }
  }

  #leaseOf(key: string): RequestLease {
    const known = this.#leases.get(key)
    if (known) return known
    if (this.#leases.size >= LEASES_MAX) {
      const [oldest] = this.#leases.keys()
      if (oldest !== undefined) this.#leases.delete(oldest)
    }
    const lease: RequestLease = { left: 0, expiresAtMs: 0, renewing: undefined }
    this.#leases.set(key, lease)
    return lease
  }
}
