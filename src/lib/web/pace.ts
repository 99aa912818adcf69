import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketPolicy, LeasedLimiter } from '../limits/leased-limiter.ts'
import { Semaphore } from '../limits/semaphore.ts'

/** Requests are taken from the shared bucket by the handful, so that a crawl costs one write per bucket, not one per page. */
interface Rate {
  policy: BucketPolicy
  handful: number
}

/** 2 requests a second, 12 at once. */
const PER_HOST: Rate = { policy: { name: 'crawl-host', burst: 2, perSecond: 1 / 3 }, handful: 6 }
/** 10 requests a second, 40 at once: thousands of sites share the address of one hosting company. */
const PER_ADDRESS: Rate = { policy: { name: 'crawl-address', burst: 8, perSecond: 2 }, handful: 5 }

// What is left of a handful is dropped after this, so that many processes cannot save up and spend together.
const HANDFUL_MS = 3_000
const HANDFULS_MAX = 20_000
const CRAWLS_PER_ADDRESS = 8
const CRAWLS_WAITING_PER_ADDRESS = 200

interface Handful {
  left: number
  expiresAtMs: number
  /** Who waits for the bucket waits together. */
  filling: Promise<number> | undefined
}

/**
 * Keeps everything that all processes together send to hosts which did not ask for it (crawls, webhooks that were never
 * accepted, documents of OAuth clients) at a speed that no host should notice.
 */
export class Pace {
  static readonly #paces = new WeakMap<LeasedLimiter, Pace>()
  readonly #limiter: LeasedLimiter
  readonly #handfuls = new Map<string, Handful>()
  readonly #crawls = new Map<string, { semaphore: Semaphore; users: number }>()

  constructor(limiter: LeasedLimiter) {
    this.#limiter = limiter
  }

  /** The one of this process. */
  static of(limiter: LeasedLimiter): Pace {
    const known = Pace.#paces.get(limiter) ?? new Pace(limiter)
    Pace.#paces.set(limiter, known)
    return known
  }

  /** Waits until one request may be sent; false when that would be after `withinMs`. */
  async takeTurn(target: { host: string; address: string }, withinMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + withinMs
    return (
      (await this.#take(target.host, PER_HOST, deadlineMs)) &&
      (await this.#take(target.address, PER_ADDRESS, deadlineMs))
    )
  }

  /** Waits for a place among the crawls of an address in this process; null when none is free within `withinMs`. */
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
      // The place comes free later: it is handed on at once.
      void entered.then((leave) => release(leave)())
      return null
    }
    if (first) return release(first)
    release(null)()
    return null
  }

  async #take(name: string, rate: Rate, deadlineMs: number): Promise<boolean> {
    const handful = this.#handfulOf(`${rate.policy.name}:${name}`)
    while (performance.now() < deadlineMs) {
      if (handful.left > 0 && performance.now() < handful.expiresAtMs) {
        handful.left -= 1
        return true
      }
      handful.filling ??= this.#fill(handful, name, rate)
      const waitMs = await handful.filling
      if (waitMs === 0) continue
      if (performance.now() + waitMs > deadlineMs) return false
      await sleep(waitMs)
    }
    return false
  }

  /** Takes a handful from the bucket; the answer is how long to wait when there is none. */
  async #fill(handful: Handful, name: string, rate: Rate): Promise<number> {
    const key = createHash('sha256').update(name).digest('base64url').slice(0, 16)
    try {
      const admission = await this.#limiter.admit(key, rate.policy)
      if (admission.kind === 'refused') return admission.retryAfterSeconds * 1_000
      handful.left = rate.handful
      handful.expiresAtMs = performance.now() + HANDFUL_MS
      return 0
    } finally {
      handful.filling = undefined
    }
  }

  #handfulOf(key: string): Handful {
    const known = this.#handfuls.get(key)
    if (known) return known
    if (this.#handfuls.size >= HANDFULS_MAX) {
      const [oldest] = this.#handfuls.keys()
      if (oldest !== undefined) this.#handfuls.delete(oldest)
    }
    const handful: Handful = { left: 0, expiresAtMs: 0, filling: undefined }
    this.#handfuls.set(key, handful)
    return handful
  }
}
