/** What one crawl may spend in time and bytes, whatever the site does. */
export class Allowance {
  #endsAtMs: number
  #ownMsLeft = OWN_MS_MAX
  #bytesLeft: number

  constructor(limits: { timeMs: number; bytes: number }) {
    this.#endsAtMs = performance.now() + limits.timeMs
    this.#bytesLeft = limits.bytes
  }

  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now())
  }

  /** Time that we needed ourselves is not held against the site. */
  giveBackMs(spentMs: number): void {
    const givenMs = Math.min(spentMs, this.#ownMsLeft)
    this.#ownMsLeft -= givenMs
    this.#endsAtMs += givenMs
  }

  /** Sets bytes aside before they are asked for, so that two requests cannot spend the same ones. */
  reserveBytes(wanted: number): number {
    const reserved = Math.min(wanted, this.#bytesLeft)
    this.#bytesLeft -= reserved
    return reserved
  }

  giveBackBytes(unused: number): void {
    this.#bytesLeft += unused
  }
}

/** So that a crawl ends all the same. */
const OWN_MS_MAX = 15_000
