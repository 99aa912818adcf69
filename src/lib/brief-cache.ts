/** One answer for all who ask within a moment: it is made once at a time, however many wait for it. */
export class BriefCache<Value> {
  readonly #keptMs: number
  readonly #load: () => Promise<Value>
  #kept: { value: Value; untilMs: number } | null = null
  #loading: Promise<Value> | null = null

  constructor({ keptMs, load }: { keptMs: number; load: () => Promise<Value> }) {
    this.#keptMs = keptMs
    this.#load = load
  }

  async get(): Promise<Value> {
    if (this.#kept && performance.now() < this.#kept.untilMs) return this.#kept.value
    this.#loading ??= this.#loadOnce().finally(() => (this.#loading = null))
    return this.#loading
  }

  /** A failure is not kept. */
  async #loadOnce(): Promise<Value> {
    const value = await this.#load()
    this.#kept = { value, untilMs: performance.now() + this.#keptMs }
    return value
  }
}
