/** The processes of one deployment behind HAProxy, which checks the health of each. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../rig/postgres.ts'
import { killAll, startServerProcess } from '../../../rig/processes.ts'
import type { Command, Program, ProgramOptions } from '../../../rig/program.ts'
import { until } from '../../../rig/until.ts'

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

export interface Balancer extends AsyncDisposable {
  url: string
  /** Sets whether new requests go to the process at this port. Those under way are finished there. */
  send(port: number, state: 'ready' | 'drain'): Promise<void>
}

const START_MS_MAX = 5_000
/** Longer than it takes to find a process well or leaving. */
export const NOTICE_MS = 1_000

/** Each request to a process has its own connection; a request that one refuses goes to its neighbour. */
const configOf = (port: number, socket: string, backends: readonly number[]) => `global
  maxconn 2000
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  option redispatch
  retries 3
  option http-server-close
frontend api
  bind 127.0.0.1:${port}
  default_backend processes
backend processes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 200ms fall 1 rise 1
${backends.map((backend) => `  server at-${backend} 127.0.0.1:${backend}`).join('\n')}
`

export async function startBalancer(backends: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-balancer-'))
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  const socket = join(folder, 'admin.sock')
  writeFileSync(file, configOf(port, socket, backends))
  const args = ['-db', '-f', file]
  const logFile = join(folder, 'haproxy.log')
  const child = startServerProcess({ program: '/usr/sbin/haproxy', args, logFile, cwd: folder, runAs: null })
  const problem = 'HAProxy did not start. Is it installed? (apt-get install haproxy)'
  await until(() => isListening(port), problem, { timeoutMs: START_MS_MAX, everyMs: 50 })
  return {
    url: `http://127.0.0.1:${port}`,
    send: (backend, state) => command(socket, `set server processes/at-${backend} state ${state}`),
    [Symbol.asyncDispose]: async () => {
      await killAll(child.pid === undefined ? [] : [child.pid])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function command(socketPath: string, line: string): Promise<void> {
  const socket = connect(socketPath)
  socket.end(`${line}\n`)
  const output = (await text(socket)).trim()
  if (output !== '') throw new Error(`HAProxy refused: ${output}`)
}
