import type { ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, type ServerUser } from '../../../rig/postgres.ts'
import { isAlive, killAll, listTree, signalAll, startServerProcess } from '../../../rig/processes.ts'
import { CLUSTER, patroniSettings } from './cluster-settings.ts'
import type { Network } from './link.ts'

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

/** One PostgreSQL with its Patroni: a machine of the cluster. */
export class Node {
  readonly name: string
  readonly data: string
  readonly restPort: number
  /** Where PostgreSQL listens; the other nodes reach it through a link. */
  readonly port: number
  readonly #home: string
  readonly #runAs: ServerUser | null
  #patroni: ChildProcess | null = null

  private constructor(
    identity: Pick<Node, 'name' | 'data' | 'restPort' | 'port'>,
    home: string,
    runAs: ServerUser | null,
  ) {
    this.name = identity.name
    this.data = identity.data
    this.restPort = identity.restPort
    this.port = identity.port
    this.#home = home
    this.#runAs = runAs
  }

  static async prepare(ground: Ground, name: string, etcdPorts: readonly number[]): Promise<Node> {
    const { directory, runAs, network, password } = ground
    const home = join(directory, name)
    mkdirSync(home, { recursive: true })
    if (runAs) chownSync(home, runAs.uid, runAs.gid)
    const [restPort, port] = [await findFreePort(), await findFreePort()]
    const identity = { name, data: join(home, 'disk', 'data'), restPort, port }
    mkdirSync(join(home, 'disk'))
    if (runAs) chownSync(join(home, 'disk'), runAs.uid, runAs.gid)
    const linkPort = await network.openLink({ ports: [port], owner: name, callersSayTheirName: true })
    const etcdPort = await network.openLink({ ports: etcdPorts, owner: name, callersSayTheirName: false })
    const settings = patroniSettings({ ...identity, home, password, linkPort, etcdPort })
    // Patroni reads YAML, of which JSON is a part.
    const file = join(home, 'patroni.json')
    writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 })
    if (runAs) chownSync(file, runAs.uid, runAs.gid)
    return new Node(identity, home, runAs)
  }

  /** The folder that a small disk may be put under, before the first start. */
  get disk(): string {
    return join(this.#home, 'disk')
  }

  /** Also as a supervisor does, of a Patroni that ended. Two of them on one folder would destroy it. */
  start(): void {
    if (this.#patroni?.pid !== undefined && isAlive(this.#patroni.pid)) return
    this.#patroni = startServerProcess({
      program: 'patroni',
      args: [join(this.#home, 'patroni.json')],
      logFile: join(this.#home, 'patroni.log'),
      cwd: this.#home,
      runAs: this.#runAs,
    })
  }

  /** Returns the end of its log. */
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

  /** Ends as when the machine loses its power. */
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

  /** Returns null when it does not respond, or refuses. */
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
