/** A second process of the service, whose database is taken away: what a health probe answers then. */
import { spawn } from 'node:child_process'
import { once as onceEmitted } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { findFreePort } from '../../rig/postgres.ts'
import { type Answer, Client, openAgent } from './client.ts'
import { NotShown } from './shown.ts'

export interface Degradation {
  before: Answer
  after: Answer
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const START_MS_MAX = 60_000

export async function degrade(environmentFile: string | null): Promise<Degradation> {
  if (!environmentFile) {
    throw new NotShown('needs the settings of a second process whose database can be taken away: --env-file')
  }
  const settings = parseEnv(readFileSync(environmentFile, 'utf8'))
  const database = new URL(settings['DATABASE_URL'] ?? '')
  const relay = await openRelay({ host: database.hostname, port: Number(database.port || 5432) })
  database.host = `127.0.0.1:${relay.port}`
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const process = await startProcess({
    ...settings,
    DATABASE_URL: database.href,
    BASE_URL: origin,
    SITE_URL: origin,
    HOST: '127.0.0.1',
    PORT: String(port),
  })
  const agent = openAgent(new URL(origin))
  try {
    const { call } = new Client(new URL(origin), agent)
    const before = await call('GET', '/healthz')
    relay.cut()
    return { before, after: await untilNoticed(() => call('GET', '/healthz')) }
  } finally {
    process.kill('SIGKILL')
    relay.cut()
    await agent.close()
  }
}

async function startProcess(settings: NodeJS.Dict<string>) {
  const env = { PATH: process.env['PATH'], ...settings, LOG_LEVEL: 'info' }
  // It only answers: jobs and streams stay with the processes that have them.
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const started = (async () => {
    for await (const chunk of child.stdout) if (String(chunk).includes('service.started')) return
  })()
  const timeout = AbortSignal.timeout(START_MS_MAX)
  const outcome = await Promise.race([
    started.then(() => (child.exitCode === null ? 'started' : 'ended')),
    onceEmitted(child, 'exit').then(() => 'ended'),
    onceEmitted(timeout, 'abort').then(() => 'late'),
  ])
  child.stdout.resume()
  if (outcome === 'started') return child
  child.kill('SIGKILL')
  throw new NotShown(`needs a second process of the service, which ${outcome === 'late' ? 'did not start' : 'ended'}`)
}

/** Passes connections on until it is cut. */
async function openRelay(to: { host: string; port: number }): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to.port, to.host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, cut }
}

const NOTICED_TRIES_MAX = 20
const NOTICED_PAUSE_MS = 500

/** A probe may be answered from what was known a moment ago. */
async function untilNoticed(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  for (let tries = 1; answer.status === 200 && tries < NOTICED_TRIES_MAX; tries += 1) {
    await sleep(NOTICED_PAUSE_MS)
    answer = await ask()
  }
  return answer
}
