import { setTimeout as sleep } from 'node:timers/promises'

const WAITING_MAX = 5_000

interface PollOptions<App, Id> {
  everyMs: number
  /** Returns those of the ids whose waits are over. */
  find: (app: App, ids: Id[]) => Promise<readonly Id[]>
  /** The name of the log entry for a query that failed. */
  failureEvent: string
}

interface WaitOptions {
  forMs: number
  signal?: AbortSignal | undefined
}

/**
 * Defines a wait for a change in the database: it ends when `find` returns the id, after `forMs`, or with the signal. One
 * query serves all waits of a process.
 */
export function defineLongPoll<App extends { log: { warn(fields: object): void } }, Id>(options: PollOptions<App, Id>) {
  const polls = new WeakMap<App, LongPoll<App, Id>>()
  return async (app: App, id: Id, wait: WaitOptions): Promise<void> => {
    const poll = polls.get(app) ?? new LongPoll(app, options)
    polls.set(app, poll)
    await poll.wait(id, wait)
  }
}

class LongPoll<App extends { log: { warn(fields: object): void } }, Id> {
  readonly #app: App
  readonly #options: PollOptions<App, Id>
  readonly #waiting = new Map<Id, Set<() => void>>()
  #isPolling = false

  constructor(app: App, options: PollOptions<App, Id>) {
    this.#app = app
    this.#options = options
  }

  async wait(id: Id, { forMs, signal }: WaitOptions): Promise<void> {
    // Too many waits already: the caller polls instead.
    if (this.#waiting.size >= WAITING_MAX || signal?.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = this.#waiting.get(id) ?? new Set()
    others.add(resolve)
    this.#waiting.set(id, others)
    const timer = setTimeout(resolve, forMs)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (!this.#isPolling) void this.#poll()
    await promise
    clearTimeout(timer)
    others.delete(resolve)
    if (others.size === 0) this.#waiting.delete(id)
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    while (this.#waiting.size > 0) {
      await sleep(this.#options.everyMs)
      try {
        for (const id of await this.#options.find(this.#app, [...this.#waiting.keys()])) {
          for (const resolve of this.#waiting.get(id) ?? []) resolve()
        }
      } catch (error) {
        // The waits end by their own time.
        this.#app.log.warn({ event: this.#options.failureEvent, error })
      }
    }
    this.#isPolling = false
  }
}
