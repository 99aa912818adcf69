/** How long this process could do nothing else: what times out meanwhile is our own doing, not the other side's. */
const TICK_MS = 100
/** A tick may come a little late on any machine. */
const TOLERATED_MS = 50

export class LoopLag {
  #lagMs = 0
  #expectedAtMs = 0
  #timer: NodeJS.Timeout | undefined

  /** Counted from the first call on: compare two readings. */
  readMs(): number {
    if (this.#timer === undefined) {
      this.#expectedAtMs = performance.now() + TICK_MS
      this.#timer = setInterval(() => this.#count(), TICK_MS).unref()
    }
    // A stall that has just ended is counted although its tick has not come yet.
    return this.#lagMs + this.#lateMs()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #count(): void {
    this.#lagMs += this.#lateMs()
    this.#expectedAtMs = performance.now() + TICK_MS
  }

  #lateMs(): number {
    return Math.max(0, performance.now() - this.#expectedAtMs - TOLERATED_MS)
  }
}
