import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../rig/postgres.ts'
import { isAlive, killAll, signalAll } from '../../../rig/processes.ts'
import type { Program } from '../../../rig/program.ts'
import { startFollower } from '../follow/register.ts'
import type { Stage } from './stage.ts'

const START_MS = 180_000
const START_AGAIN_MS = 1_000

export type Part = 'api' | 'worker' | 'follower'

interface Running {
  part: Part
  name: string
  pid: number
}

/** The service as it is run: two API processes, two workers and the follower, each a process. */
export class Services implements AsyncDisposable {
  readonly apiUrls: readonly string[]
  readonly #stage: Stage
  readonly #ports: readonly number[]
  #running: Running[] = []
  /** Names of processes that ended by themselves. */
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
    const { start, app, urls } = this.#stage
    const deadline = Date.now() + START_MS
    const add = async (part: Part, name: string, begin: () => Promise<Program>) => {
      this.#running.push({ part, name, pid: (await persist(begin, deadline)).pid })
    }
    await Promise.all([
      ...this.#ports.map((port, index) => add('api', `API ${index + 1}`, () => start('serve', {}, { port }))),
      ...[1, 2].map((number) => add('worker', `worker ${number}`, () => start('work'))),
      add('follower', 'the follower', () => startFollower({ ...urls, databaseUrl: app.config.databaseUrl })),
    ])
  }

  /** Records the processes that are gone without having been killed. */
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
