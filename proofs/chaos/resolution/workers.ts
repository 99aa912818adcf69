import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '../../../rig/program.ts'

/** Worker processes that die at any moment and are replaced, as by a supervisor. */
export class DyingWorkers implements AsyncDisposable {
  readonly #start: () => Promise<Program>
  #alive: Program[] = []
  #kills = 0

  constructor(start: () => Promise<Program>) {
    this.#start = start
  }

  /** Counts those that were killed and replaced. */
  get kills(): number {
    return this.#kills
  }

  async start(count: number): Promise<void> {
    this.#alive = await Promise.all(Array.from({ length: count }, this.#start))
  }

  /** Kills one after the other, at random, until so many were killed; `pauseMs` is between two deaths on average. */
  async killSome(count: number, pauseMs: number): Promise<void> {
    for (let killed = 0; killed < count; killed += 1) {
      await sleep(pauseMs * (0.5 + Math.random()))
      const [victim] = this.#alive.splice(Math.floor(Math.random() * this.#alive.length), 1)
      await victim?.kill()
      this.#alive.push(await this.#start())
      this.#kills += 1
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#alive.map((program) => program.kill()))
  }
}
