/** So many requests in a fixed window that opens with the first of them; the budget comes back all at once. */
import type { Clock } from '../../src/lib/clock.ts'

export interface Limit {
  requests: number
  windowMs: number
}

export interface Allowance {
  isExceeded: boolean
  remaining: number
  resetAt: number
}

export class RequestLimit {
  readonly #clock: Clock
  readonly #windows = new Map<string, { used: number; resetAt: number }>()
  readonly limit: Limit

  constructor(limit: Limit, clock: Clock) {
    this.limit = limit
    this.#clock = clock
  }

  /** `who` is one of a known few (the configured keys, the addresses of this machine), so the map stays small. */
  take(who: string): Allowance {
    const now = this.#clock.now().getTime()
    let window = this.#windows.get(who)
    if (!window || now >= window.resetAt) {
      window = { used: 0, resetAt: now + this.limit.windowMs }
      this.#windows.set(who, window)
    }
    window.used += 1
    const remaining = this.limit.requests - window.used
    return { isExceeded: remaining < 0, remaining: Math.max(0, remaining), resetAt: window.resetAt }
  }

  toHeaders(allowance: Allowance): Record<string, string> {
    return {
      'X-Ratelimit-Limit': String(this.limit.requests),
      'X-Ratelimit-Remain': String(allowance.remaining),
      'X-Ratelimit-Reset': String(Math.ceil(allowance.resetAt / 1_000)),
      'X-Ratelimit-Window': toWindowText(this.limit.windowMs),
    }
  }
}

function toWindowText(windowMs: number): string {
  return windowMs % 60_000 === 0 ? `${windowMs / 60_000}m` : `${windowMs / 1_000}s`
}
