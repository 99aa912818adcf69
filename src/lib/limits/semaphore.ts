/** Lets `slots` run at once and `queueMax` wait; beyond that `enter` answers null at once, so nothing piles up. */
export class Semaphore {
  #free: number
  readonly #queueMax: number
  readonly #waiting: Array<() => void> = []

  constructor(options: { slots: number; queueMax: number }) {
    this.#free = options.slots
    this.#queueMax = options.queueMax
  }

  /** Resolves to the function that leaves again, or null when too many wait already. */
  async enter(): Promise<(() => void) | null> {
    if (this.#free > 0) {
      this.#free -= 1
    } else {
      if (this.#waiting.length >= this.#queueMax) return null
      // The leaver hands its slot over directly, so `#free` stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return () => this.#leave()
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
