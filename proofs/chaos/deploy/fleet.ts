import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../rig/postgres.ts'
import type { Command, Program, ProgramOptions } from '../../../rig/program.ts'
import { type Balancer, NOTICE_MS } from './balancer.ts'

const API_PROCESSES = 2

/** Returns twice as many as processes serve at a time. */
export async function findPorts(): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < API_PROCESSES * 2) ports.add(await findFreePort())
  return [...ports]
}

type Start = (command: Command, options: ProgramOptions) => Promise<Program>

/** The processes of one deployment, replaced one by one as a rolling update does: the new one serves before the old one goes. */
export class Fleet implements AsyncDisposable {
  readonly #balancer: Balancer
  readonly #ports: readonly number[]
  readonly #start: Start
  #apis: Array<{ port: number; program: Program }> = []
  #worker: Program | null = null
  #replacements = 0

  constructor(balancer: Balancer, ports: readonly number[], start: Start) {
    this.#balancer = balancer
    this.#ports = ports
    this.#start = start
  }

  get replacements(): number {
    return this.#replacements
  }

  /** `root` is the folder of the release; without it, this one. */
  async replaceAll(root?: string): Promise<void> {
    const release = root ? { root } : {}
    const leaving = this.#apis.slice()
    for (let count = 0; count < API_PROCESSES; count += 1) {
      const taken = this.#apis.map(({ port }) => port)
      const port = this.#ports.find((candidate) => !taken.includes(candidate))
      if (port === undefined) throw new Error('every port is taken')
      this.#apis.push({ port, program: await this.#start('serve', { ...release, port }) })
      await this.#balancer.send(port, 'ready')
      const old = leaving.shift()
      if (!old) continue
      await sleep(NOTICE_MS)
      // Before it stops: a connection that has just been accepted would be closed unread.
      await this.#balancer.send(old.port, 'drain')
      await sleep(NOTICE_MS)
      await old.program.stop()
      this.#apis = this.#apis.filter((api) => api !== old)
      this.#replacements += 1
    }
    const worker = this.#worker
    this.#worker = await this.#start('work', release)
    await worker?.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#apis.map(({ program }) => program.kill()), this.#worker?.kill()])
  }
}
