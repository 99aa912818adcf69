import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { listEnded } from './job-store.ts'

const EVERY_MS = 150
const WAITING_MAX = 5_000

/**
 * Waits until a job has ended, at most `forMs`. One query serves all waits of this process.
 */
export async function waitForJob(app: App, jobId: string, forMs: number): Promise<void> {
  const watch = watches.get(app) ?? new JobWatch(app)
  watches.set(app, watch)
  await watch.wait(jobId, forMs)
}

const watches = new WeakMap<App, JobWatch>()

class JobWatch {
  readonly #app: App
  readonly #waiting = new Map<string, Set<() => void>>()
  #isLooking = false

  constructor(app: App) {
    this.#app = app
  }

  async wait(jobId: string, forMs: number): Promise<void> {
    // Too many already: the caller polls instead, as it would without asking to wait.
    if (this.#waiting.size >= WAITING_MAX) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = this.#waiting.get(jobId) ?? new Set()
    others.add(resolve)
    this.#waiting.set(jobId, others)
    const timer = setTimeout(resolve, forMs)
    if (!this.#isLooking) void this.#look()
    await promise
    clearTimeout(timer)
    others.delete(resolve)
    if (others.size === 0) this.#waiting.delete(jobId)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#waiting.size > 0) {
      await sleep(EVERY_MS)
      try {
        for (const id of await listEnded(this.#app.db, [...this.#waiting.keys()])) {
          for (const resolve of this.#waiting.get(id) ?? []) resolve()
        }
      } catch (error) {
        // The waits end by their own time; the answer then is "still pending".
        this.#app.log.warn({ event: 'resolution.watch_failed', error })
      }
    }
    this.#isLooking = false
  }
}
