/** Three PostgreSQL under Patroni with three etcd, and HAProxy before them, all in one folder on this machine. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executeSql, findFreePort, serverUser } from '../../../rig/postgres.ts'
import { killAll, listTree, startServerProcess } from '../../../rig/processes.ts'
import { until } from '../../../rig/until.ts'
import { BINARIES, haproxySettings, SUPERUSER } from './cluster-settings.ts'
import { Network } from './link.ts'
import { type Ground, type MemberState, Node } from './node.ts'
import { mountSmallDisk, unmountSmallDisk } from './small-disk.ts'

const READY_MS = 120_000
const WHOLE_MS = 180_000
const NODE_NAMES = ['pg1', 'pg2', 'pg3'] as const
const DATABASE = 'nameplate'

/** The Debian packages without which nothing can be tried. */
export function findMissingPackages(): string[] {
  const needed = {
    'postgresql-15': join(BINARIES, 'postgres'),
    patroni: '/usr/bin/patroni',
    'etcd-server': '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
  }
  return Object.entries(needed).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
}

export function readVersions(): Record<string, string> {
  const first = (program: string, flag: string) => {
    const output = execFileSync(program, [flag], { encoding: 'utf8' })
    return /\d+\.\d+(?:\.\d+)?/.exec(output)?.[0] ?? 'unknown'
  }
  return {
    PostgreSQL: first(join(BINARIES, 'postgres'), '--version'),
    Patroni: first('/usr/bin/patroni', '--version'),
    etcd: first('/usr/bin/etcd', '--version'),
    HAProxy: first('/usr/sbin/haproxy', '-v'),
  }
}

interface Parts {
  nodes: Node[]
  listenPort: number
  etcds: EtcdNode[]
  smallDisk: Node | string
}

export class Cluster implements AsyncDisposable {
  readonly nodes: readonly Node[]
  readonly directory: string
  readonly network: Network
  /** The node whose disk can be filled, or why there is none. */
  readonly smallDisk: Node | string
  readonly #ground: Ground
  readonly #listenPort: number
  readonly #etcds: readonly EtcdNode[]
  #running: ChildProcess[] = []

  private constructor(ground: Ground, parts: Parts) {
    this.#ground = ground
    this.directory = ground.directory
    this.network = ground.network
    this.nodes = parts.nodes
    this.smallDisk = parts.smallDisk
    this.#listenPort = parts.listenPort
    this.#etcds = parts.etcds
  }

  /** With a small disk one node's data lies where it can be filled, if that is possible here. */
  static async prepare(options: { smallDisk: boolean }): Promise<Cluster> {
    const directory = mkdtempSync(join(tmpdir(), 'nameplate-failover-'))
    chmodSync(directory, 0o755)
    const runAs = serverUser()
    if (runAs) chownSync(directory, runAs.uid, runAs.gid)
    const ground: Ground = { directory, runAs, network: new Network(), password: randomBytes(18).toString('hex') }
    const etcds = await Promise.all(
      ['etcd1', 'etcd2', 'etcd3'].map(async (name) => ({
        name,
        clientPort: await findFreePort(),
        peerPort: await findFreePort(),
      })),
    )
    const ports = etcds.map(({ clientPort }) => clientPort)
    const nodes: Node[] = []
    for (const [index, name] of NODE_NAMES.entries()) {
      nodes.push(await Node.prepare(ground, name, [...ports.slice(index), ...ports.slice(0, index)]))
    }
    const last = nodes.at(-1)
    const refusal = options.smallDisk && last ? mountSmallDisk(last.disk, runAs) : 'not asked for'
    const smallDisk = refusal ?? last ?? 'no node'
    return new Cluster(ground, { nodes, listenPort: await findFreePort(), etcds, smallDisk })
  }

  /** Returns the address of the service's database by way of HAProxy. */
  get url(): string {
    return this.#urlAt(this.#listenPort, DATABASE)
  }

  urlOfNode(node: Node): string {
    return this.#urlAt(node.port, DATABASE)
  }

  #urlAt(port: number, database: string): string {
    return `postgresql://${SUPERUSER}:${this.#ground.password}@127.0.0.1:${port}/${database}`
  }

  async start(): Promise<void> {
    await this.startKeepers()
    const [first, ...others] = this.nodes
    first?.start()
    await until(async () => (await first?.isPrimary()) ?? false, 'the first PostgreSQL did not start', {
      timeoutMs: READY_MS,
    })
    for (const node of others) node.start()
    await this.untilReachable()
    await executeSql(this.#urlAt(this.#listenPort, 'postgres'), `create database ${DATABASE}`)
  }

  async untilReachable(): Promise<void> {
    await until(() => isReachable(this.#urlAt(this.#listenPort, 'postgres')), 'HAProxy found no primary', {
      timeoutMs: READY_MS,
    })
  }

  /** Starts etcd and HAProxy. */
  async startKeepers(): Promise<void> {
    const { directory, runAs } = this.#ground
    const start = (name: string, program: string, args: string[]) => {
      const child = startServerProcess({
        program,
        args,
        logFile: join(directory, `${name}.log`),
        cwd: directory,
        runAs,
      })
      this.#running.push(child)
    }
    for (const etcd of this.#etcds) start(etcd.name, '/usr/bin/etcd', etcdFlags(directory, etcd, this.#etcds))
    const file = join(directory, 'haproxy.cfg')
    writeFileSync(file, haproxySettings(this.#listenPort, this.nodes))
    start('haproxy', '/usr/sbin/haproxy', ['-db', '-f', file])
    // Patroni ends when it meets an etcd that does not know its own version yet.
    const areAgreed = async () => (await Promise.all(this.#etcds.map(knowsVersion))).every(Boolean)
    await until(areAgreed, 'etcd did not come up', { timeoutMs: READY_MS })
  }

  async killKeepers(): Promise<void> {
    const pids = this.#running.flatMap(({ pid }) => (pid === undefined ? [] : listTree(pid)))
    this.#running = []
    await killAll(pids)
  }

  async findPrimary(): Promise<Node | null> {
    const answers = await Promise.all(this.nodes.map((node) => node.isPrimary()))
    return this.nodes[answers.indexOf(true)] ?? null
  }

  async getPrimary(): Promise<Node> {
    const primary = await this.findPrimary()
    if (!primary) throw new Error('there is no primary')
    return primary
  }

  async listMembers(): Promise<MemberState[]> {
    for (const node of this.nodes) {
      const members = await node.listMembers()
      if (members.length > 0) return members
    }
    return []
  }

  /** One primary, two standbys that stream on its timeline, one of them synchronous. */
  async untilWhole(): Promise<void> {
    let members: MemberState[] = []
    const describe = () =>
      `the cluster did not heal: ${JSON.stringify(members)}\n${this.nodes.map((node) => node.readLog()).join('\n\n')}`
    await until(
      async () => {
        for (const node of this.nodes) node.start()
        members = await this.listMembers()
        return isWhole(members)
      },
      describe,
      { timeoutMs: WHOLE_MS },
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pids = this.nodes.flatMap((node) => node.pids())
    for (const node of this.nodes) node.resume()
    await killAll(pids)
    await this.killKeepers()
    await this.network.close()
    if (typeof this.smallDisk !== 'string') unmountSmallDisk(this.smallDisk.disk)
    rmSync(this.directory, { recursive: true, force: true })
  }
}

function isWhole(members: MemberState[]): boolean {
  const leader = members.find(({ role }) => role === 'leader')
  const standbys = members.filter(
    ({ role, state, timeline }) =>
      (role === 'replica' || role === 'sync_standby') &&
      (state === 'running' || state === 'streaming') &&
      timeline === leader?.timeline,
  )
  const hasSync = members.some(({ role }) => role === 'sync_standby')
  return leader?.state === 'running' && standbys.length === NODE_NAMES.length - 1 && hasSync
}

async function isReachable(url: string): Promise<boolean> {
  return executeSql(url, 'select').then(
    () => true,
    () => false,
  )
}

interface EtcdNode {
  name: string
  clientPort: number
  peerPort: number
}

async function knowsVersion({ clientPort }: EtcdNode): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000)
  const answer = await fetch(`http://127.0.0.1:${clientPort}/version`, { signal }).then(
    (response) => response.json() as Promise<{ etcdcluster?: string }>,
    () => null,
  )
  return /^\d/.test(answer?.etcdcluster ?? '')
}

function etcdFlags(directory: string, { name, clientPort, peerPort }: EtcdNode, all: readonly EtcdNode[]): string[] {
  const data = join(directory, name)
  mkdirSync(data, { recursive: true, mode: 0o777 })
  chmodSync(data, 0o777)
  const peers = all.map((each) => `${each.name}=http://127.0.0.1:${each.peerPort}`).join()
  const flags = {
    name,
    'data-dir': join(data, 'data'),
    'log-level': 'warn',
    'listen-client-urls': `http://127.0.0.1:${clientPort}`,
    'advertise-client-urls': `http://127.0.0.1:${clientPort}`,
    'listen-peer-urls': `http://127.0.0.1:${peerPort}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${peerPort}`,
    'initial-cluster': peers,
    'initial-cluster-state': 'new',
    'initial-cluster-token': 'nameplate',
    'enable-v2': 'true',
  }
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
}
