import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketPolicy, LeasedLimiter } from '../limits/leased-limiter.ts'
import { Semaphore } from '../limits/semaphore.ts'
import { toAddressBlock } from './address-block.ts'

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

/** For hosts that accept our requests. Generous: one host may receive for thousands of customers. */
const PER_RECEIVER: BucketPolicy = { name: 'webhook-host', burst: 6_000, perSecond: 500 }
/** Thousands of hosts share the address of one hosting company. */
const PER_RECEIVER_ADDRESS: BucketPolicy = { name: 'webhook-address', burst: 24_000, perSecond: 2_000 }

/** The first requests of this process to a receiver within the window are not counted: counting each costs two writes. */
const UNCOUNTED_MAX = 10
const UNCOUNTED_MS = 5_000
const RECEIVERS_MAX = 20_000

interface RequestLease {
  left: number
  expiresAtMs: number
  /** Shared by all callers that wait for the bucket. */
  renewing: Promise<number> | undefined
}

interface Target {
  host: string
  address: string
}

/** Limits what all processes together send to one host and to one address. */
export class Pace {
  readonly #limiter: LeasedLimiter
  readonly #leases = new Map<string, RequestLease>()
  readonly #uncounted = new Map<string, { count: number; endsAtMs: number }>()
  readonly #crawls = new Map<string, { semaphore: Semaphore; users: number }>()

  constructor(limiter: LeasedLimiter) {
    this.#limiter = limiter
  }

  /**
   * Waits until one request may be sent to a host that did not ask for it: crawls, webhooks that were never accepted,
   * documents of OAuth clients. No such host should notice us. Returns false when the wait would exceed `withinMs`.
   */
  async waitToSend(target: Target, withinMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + withinMs
    return (
      (await this.#take(target.host, PER_HOST, deadlineMs)) &&
      (await this.#take(target.address, PER_ADDRESS, deadlineMs))
    )
  }

  /** Admits one request to a host that accepts our requests. Returns null when it may be sent now, else the seconds to wait. */
  async admitToReceiver({ host, address }: Target): Promise<number | null> {
    if (this.#isUncounted(host)) return null
    const byHost = await this.#limiter.admit(host, PER_RECEIVER)
    if (byHost.kind === 'refused') return byHost.retryAfterSeconds
    const byAddress = await this.#limiter.admit(toAddressBlock(address), PER_RECEIVER_ADDRESS)
    return byAddress.kind === 'refused' ? byAddress.retryAfterSeconds : null
  }

  #isUncounted(host: string): boolean {
    const nowMs = performance.now()
    let window = this.#uncounted.get(host)
    if (!window || window.endsAtMs < nowMs) {
      this.#uncounted.delete(host)
      deleteOldest(this.#uncounted, RECEIVERS_MAX)
      window = { count: 0, endsAtMs: nowMs + UNCOUNTED_MS }
      this.#uncounted.set(host, window)
    }
    window.count += 1
    return window.count <= UNCOUNTED_MAX
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
    deleteOldest(this.#leases, LEASES_MAX)
    const lease: RequestLease = { left: 0, expiresAtMs: 0, renewing: undefined }
    this.#leases.set(key, lease)
    return lease
  }
}

/** Makes room for one more entry. */
function deleteOldest(map: Map<string, unknown>, sizeMax: number): void {
  const [oldest] = map.size >= sizeMax ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}
