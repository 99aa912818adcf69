/** HAProxy in front of the ports where API processes may listen, with a health check of each. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findFreePort } from '../../../rig/postgres.ts'
import { killAll, startServerProcess } from '../../../rig/processes.ts'
import { until } from '../../../rig/until.ts'

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
