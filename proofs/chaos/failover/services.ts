import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../rig/postgres.ts'
import { isAlive } from '../../../rig/processes.ts'
import { type Program, startProgram } from '../../../rig/program.ts'
import { startFollower } from '../follow.ts'
import { killAll, signalAll } from './machine.ts'
import type { Stage } from './stage.ts'

const START_MS = 180_000
const START_AGAIN_MS = 1_000

export type Part = 'api' | 'worker' | 'follower'

interface Running {
  part: Part
  name: string
  pid: number
}

/** The service as it is run: two API processes, two workers and the follower, each a process of its own. */
export class Services implements AsyncDisposable {
  readonly apiUrls: readonly string[]
  readonly #stage: Stage
  readonly #ports: readonly number[]
  #running: Running[] = []
  /** Names of those that ended by themselves. */
  readonly ended = new Set<string>()

  private constructor(stage: Stage, ports: readonly number[]) {
    this.#stage = stage
    this.#ports = ports
    this.apiUrls = ports.map((port) => `http://127.0.0.1:${port}`)
  }

  static async start(stage: Stage): Promise<Services> {
    const services = new Services(stage, [await findFreePort(), await findFreePort()])
    await services.startAll()
    return services
  }

  async startAll(): Promise<void> {
    const { config } = this.#stage.app
    const deadline = Date.now() + START_MS
    const program = async (part: 'api' | 'worker', name: string, start: () => Promise<Program>) => {
      this.#running.push({ part, name, pid: (await persist(start, deadline)).pid })
    }
    await Promise.all([
      ...this.#ports.map((port, place) =>
        program('api', `API ${place + 1}`, () => startProgram('serve', config, {}, { port })),
      ),
      ...[1, 2].map((place) => program('worker', `worker ${place}`, () => startProgram('work', config, {}))),
      this.#startFollower(deadline),
    ])
  }

  async #startFollower(deadline: number): Promise<void> {
    const { app, urls } = this.#stage
    const place = { ...urls, databaseUrl: app.config.databaseUrl }
    const { pid = 0 } = await persist(() => startFollower(place), deadline)
    this.#running.push({ part: 'follower', name: 'the follower', pid })
  }

  /** Notes who is no longer there without having been killed. */
  look(): void {
    for (const { name, pid } of this.#running) if (!isAlive(pid)) this.ended.add(name)
  }

  pidOf(part: Part): number {
    const found = this.#running.find((each) => each.part === part)
    if (!found) throw new Error(`there is no ${part}`)
    return found.pid
  }

  async killEverything(): Promise<void> {
    this.look()
    const pids = this.#running.map(({ pid }) => pid)
    this.#running = []
    signalAll(pids, 'SIGCONT')
    await killAll(pids)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killEverything()
  }
}

/** As a supervisor does: what ends at its start because the database is away is started again. */
async function persist<Result>(start: () => Promise<Result>, deadline: number): Promise<Result> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(START_AGAIN_MS)
    }
  }
}
