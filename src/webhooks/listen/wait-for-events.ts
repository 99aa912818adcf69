import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { listWithDue } from '../deliver/due.ts'

const EVERY_MS = 500
const WAITING_MAX = 5_000

/**
 * Waits until something is due at a listener, for at most `forMs`, or until `signal` is aborted because the client left.
 * One query serves all listeners that wait in this process.
 */
export async function waitForEvents(
  app: App,
  listenerId: number,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<void> {
  const watch = watches.get(app) ?? new ListenerWatch(app)
  watches.set(app, watch)
  await watch.wait(listenerId, forMs, signal)
}

const watches = new WeakMap<App, ListenerWatch>()

class ListenerWatch {
  readonly #app: App
  readonly #waiting = new Map<number, Set<() => void>>()
  #isLooking = false

  constructor(app: App) {
    this.#app = app
  }

  async wait(listenerId: number, forMs: number, signal: AbortSignal): Promise<void> {
    // Too many wait already: this one gets an empty response and asks again.
    if (this.#waiting.size >= WAITING_MAX || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = this.#waiting.get(listenerId) ?? new Set()
    others.add(resolve)
    this.#waiting.set(listenerId, others)
    const timer = setTimeout(resolve, forMs)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (!this.#isLooking) void this.#look()
    await promise
    clearTimeout(timer)
    others.delete(resolve)
    if (others.size === 0) this.#waiting.delete(listenerId)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#waiting.size > 0) {
      await sleep(EVERY_MS)
      try {
        const at = this.#app.clock.now()
        for (const id of await listWithDue(this.#app.db, { destinationIds: [...this.#waiting.keys()], at })) {
          for (const resolve of this.#waiting.get(id) ?? []) resolve()
        }
      } catch (error) {
        // Each wait ends after its own time, with an empty response.
        this.#app.log.warn({ event: 'webhooks.watch_failed', error })
      }
    }
    this.#isLooking = false
  }
}
