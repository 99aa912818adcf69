import type { ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, type ServerUser } from '../../../rig/postgres.ts'
import { isAlive, listTree } from '../../../rig/processes.ts'
import { CLUSTER, patroniSettings } from './cluster-settings.ts'
import type { Network } from './link.ts'
import { killAll, signalAll, startProcess } from './machine.ts'

export interface Ground {
  directory: string
  runAs: ServerUser | null
  network: Network
  password: string
}

export interface MemberState {
  name: string
  role: string
  state: string
  timeline?: number
  sync_standby?: boolean
}

const REST_TIMEOUT_MS = 2_000
const LOG_LINES = 40

/** One PostgreSQL with the Patroni that watches over it: what a machine of its own would be. */
export class Node {
  readonly name: string
  readonly data: string
  readonly restPort: number
  /** Of PostgreSQL itself; the other nodes reach it through a link. */
  readonly port: number
  readonly #home: string
  readonly #runAs: ServerUser | null
  #patroni: ChildProcess | null = null

  private constructor(
    place: Pick<Node, 'name' | 'data' | 'restPort' | 'port'>,
    home: string,
    runAs: ServerUser | null,
  ) {
    this.name = place.name
    this.data = place.data
    this.restPort = place.restPort
    this.port = place.port
    this.#home = home
    this.#runAs = runAs
  }

  static async prepare(ground: Ground, name: string, etcdPorts: readonly number[]): Promise<Node> {
    const { directory, runAs, network, password } = ground
    const home = join(directory, name)
    mkdirSync(home, { recursive: true })
    if (runAs) chownSync(home, runAs.uid, runAs.gid)
    const place = { name, data: join(home, 'disk', 'data'), restPort: await findFreePort(), port: await findFreePort() }
    mkdirSync(join(home, 'disk'))
    if (runAs) chownSync(join(home, 'disk'), runAs.uid, runAs.gid)
    const linkPort = await network.openLink({ ports: [place.port], owner: name, callersSayTheirName: true })
    const etcdPort = await network.openLink({ ports: etcdPorts, owner: name, callersSayTheirName: false })
    const settings = patroniSettings({ ...place, home, password, linkPort, etcdPort })
    // Patroni reads YAML, of which JSON is a part.
    const file = join(home, 'patroni.json')
    writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 })
    if (runAs) chownSync(file, runAs.uid, runAs.gid)
    return new Node(place, home, runAs)
  }

  /** The folder that a small disk may be put under, before the first start. */
  get disk(): string {
    return join(this.#home, 'disk')
  }

  /** Also as a supervisor does, of a Patroni that ended. Two of them on one folder would destroy it. */
  start(): void {
    if (this.#patroni?.pid !== undefined && isAlive(this.#patroni.pid)) return
    this.#patroni = startProcess({
      program: 'patroni',
      args: [join(this.#home, 'patroni.json')],
      logFile: join(this.#home, 'patroni.log'),
      cwd: this.#home,
      runAs: this.#runAs,
    })
  }

  /** The end of what it said. */
  readLog(): string {
    return readFileSync(join(this.#home, 'patroni.log'), 'utf8').split('\n').slice(-LOG_LINES).join('\n')
  }

  /** PostgreSQL's own, without Patroni. */
  postgresPids(): number[] {
    const file = join(this.data, 'postmaster.pid')
    if (!existsSync(file)) return []
    const [pid = 0] = readFileSync(file, 'utf8').split('\n', 1).map(Number)
    return pid > 0 && isAlive(pid) && isPostgres(pid) ? listTree(pid) : []
  }

  pids(): number[] {
    const patroni = this.#patroni?.pid
    return [
      ...new Set([...(patroni !== undefined && isAlive(patroni) ? listTree(patroni) : []), ...this.postgresPids()]),
    ]
  }

  /** As when the machine loses its power: nothing is told to anybody. */
  async die(): Promise<void> {
    await killAll(this.pids())
  }

  async killPostgres(): Promise<void> {
    await killAll(this.postgresPids())
  }

  pause(): void {
    signalAll(this.pids(), 'SIGSTOP')
  }

  resume(): void {
    signalAll(this.pids(), 'SIGCONT')
  }

  async isPrimary(): Promise<boolean> {
    return (await this.#ask('/primary')) !== null
  }

  async listMembers(): Promise<MemberState[]> {
    const answer = (await this.#ask('/cluster')) as { members: MemberState[] } | null
    return answer?.members ?? []
  }

  /** An orderly change of the primary, as before maintenance. */
  async switchTo(candidate: string): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: this.name, candidate }),
      signal: AbortSignal.timeout(CLUSTER.switchoverMs),
    })
    if (!response.ok) throw new Error(`Patroni refused to switch: ${await response.text()}`)
  }

  /** Null when it does not answer, or says no. */
  async #ask(path: string): Promise<unknown> {
    const signal = AbortSignal.timeout(REST_TIMEOUT_MS)
    try {
      const response = await fetch(`http://127.0.0.1:${this.restPort}${path}`, { signal })
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
}

/** The number in an old file may have become another program's. */
function isPostgres(pid: number): boolean {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
}
