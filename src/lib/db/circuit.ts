interface CircuitOptions {
  /** Failures in a row that open it. */
  failuresMax: number
  /** Until the first look whether it works again; doubles with every look that failed. */
  firstPauseMs: number
  pauseMsMax: number
  /** Returns whether it works again. */
  probe: () => Promise<boolean>
  onChange?: (isOpen: boolean) => void
}

/** Stops the use of something that fails again and again, and looks by itself when it works again: no caller pays for that. */
export class Circuit {
  readonly #options: CircuitOptions
  #failures = 0
  #pauseMs = 0
  #timer: NodeJS.Timeout | null = null
  #isOpen = false

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  /** Open means that it must not be used. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  succeed(): void {
    this.#failures = 0
  }

  fail(): void {
    this.#failures += 1
    if (this.#isOpen || this.#failures < this.#options.failuresMax) return
    this.#isOpen = true
    this.#options.onChange?.(true)
    this.#pauseMs = this.#options.firstPauseMs
    this.#plan()
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #plan(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#pauseMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const works = await this.#options.probe().catch(() => false)
    if (this.#timer === null) return
    if (!works) {
      this.#pauseMs = Math.min(this.#pauseMs * 2, this.#options.pauseMsMax)
      this.#plan()
      return
    }
    this.#timer = null
    this.#failures = 0
    this.#isOpen = false
    this.#options.onChange?.(false)
  }
}
