/** What one crawl may spend in time and bytes, whatever the site does. */
export class Allowance {
  readonly #endsAtMs: number
  #bytesLeft: number

  constructor(limits: { timeMs: number; bytes: number }) {
    this.#endsAtMs = performance.now() + limits.timeMs
    this.#bytesLeft = limits.bytes
  }

  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now())
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
