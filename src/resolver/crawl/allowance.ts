/** Counts the time and bytes that one crawl may still spend. */
export class Allowance {
  #endsAtMs: number
  #refundableMsLeft = REFUNDED_MS_MAX
  #bytesLeft: number

  constructor(limits: { timeMs: number; bytes: number }) {
    this.#endsAtMs = performance.now() + limits.timeMs
    this.#bytesLeft = limits.bytes
  }

  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now())
  }

  /** Adds back time that this process spent parsing: the limit is for the site's own slowness. */
  giveBackMs(spentMs: number): void {
    const refundedMs = Math.min(spentMs, this.#refundableMsLeft)
    this.#refundableMsLeft -= refundedMs
    this.#endsAtMs += refundedMs
  }

  /** Reserves bytes before a request is sent, so that two requests cannot spend the same ones. */
  reserveBytes(wanted: number): number {
    const reserved = Math.min(wanted, this.#bytesLeft)
    this.#bytesLeft -= reserved
    return reserved
  }

  giveBackBytes(unused: number): void {
    this.#bytesLeft += unused
  }
}

/** Bounds the time added back, so that every crawl ends. */
const REFUNDED_MS_MAX = 15_000
