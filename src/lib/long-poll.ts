import { setTimeout as sleep } from 'node:timers/promises'

const WAITING_MAX = 5_000

interface Wait<Id> {
  forMs: number
  signal?: AbortSignal | undefined
  /** Returns those of the ids whose waits are over. The same for all waits of one poll. */
  find: (ids: Id[]) => Promise<readonly Id[]>
}

/** Lets many callers of this process wait for a change in the database: one query serves all of them. */
export class LongPoll<Id> {
  readonly #everyMs: number
  readonly #onError: (error: unknown) => void
  readonly #waiting = new Map<Id, Set<() => void>>()
  #isPolling = false

  constructor(options: { everyMs: number; onError: (error: unknown) => void }) {
    this.#everyMs = options.everyMs
    this.#onError = options.onError
  }

  /** Ends when `find` returns the id, after `forMs`, or with the signal. */
  async wait(id: Id, { forMs, signal, find }: Wait<Id>): Promise<void> {
    // Too many waits already: the caller polls instead.
    if (this.#waiting.size >= WAITING_MAX || signal?.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = this.#waiting.get(id) ?? new Set()
    others.add(resolve)
    this.#waiting.set(id, others)
    const timer = setTimeout(resolve, forMs)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (!this.#isPolling) void this.#poll(find)
    await promise
    clearTimeout(timer)
    others.delete(resolve)
    if (others.size === 0) this.#waiting.delete(id)
  }

  async #poll(find: Wait<Id>['find']): Promise<void> {
    this.#isPolling = true
    while (this.#waiting.size > 0) {
      await sleep(this.#everyMs)
      try {
        for (const id of await find([...this.#waiting.keys()])) {
          for (const resolve of this.#waiting.get(id) ?? []) resolve()
        }
      } catch (error) {
        // Each wait ends after its own time.
        this.#onError(error)
      }
    }
    this.#isPolling = false
  }
}
