/** Runs a documented program on this machine and sends it deliveries. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../rig/postgres.ts'
import type { DocumentedProgram } from './documented-programs.ts'

export interface Delivery {
  headers: Record<string, string>
  body: Buffer
}

export interface RunningProgram extends AsyncDisposable {
  port: number
  accepts(delivery: Delivery): Promise<boolean>
  /** Returns everything it has printed. */
  printed(): string
}

const START_TIMEOUT_MS = 120_000
/** Ends the program even if the test does not. */
const LIFE_MS = 300_000
/** Headers that belong to one connection and are not forwarded. */
const NOT_FORWARDED = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

export function isInstalled(tool: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${tool}`], { env: environmentWith({}) }).status === 0
}

/** Starts a receiver, which returns 204 for what it accepts and 400 for the rest. */
export async function startReceiver(program: DocumentedProgram, secret: string): Promise<RunningProgram> {
  const folder = await unpack(program)
  const port = await findFreePort()
  // In a separate process group: `go run` starts what it has built as another process.
  const child = spawn('sh', ['-c', program.command], {
    cwd: folder,
    env: environmentWith({ WEBHOOK_SECRET: secret, PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(String(chunk)))
  const life = setTimeout(() => endGroup(child), LIFE_MS)
  const stop = async () => {
    clearTimeout(life)
    endGroup(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilListening(child, port)
  } catch (cause) {
    await stop()
    throw new Error(`${program.command} did not start:\n${printed.join('')}`, { cause })
  }
  return {
    port,
    accepts: (delivery) => post(port, delivery),
    printed: () => printed.join(''),
    [Symbol.asyncDispose]: stop,
  }
}

/** Runs a shell program to its end, with these arguments in place of those its first line names. */
export async function runScript(
  program: DocumentedProgram,
  { secret, body, args }: { secret: string; body: Buffer; args: (bodyFile: string) => readonly string[] },
): Promise<{ code: number | null; output: string }> {
  const folder = await unpack(program)
  try {
    await writeFile(join(folder, 'body.json'), body)
    const { status, stdout, stderr } = spawnSync('sh', [program.file, ...args('body.json')], {
      cwd: folder,
      env: environmentWith({ WEBHOOK_SECRET: secret }),
      encoding: 'utf8',
      timeout: LIFE_MS,
    })
    return { code: status, output: stdout + stderr }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack({ file, text }: DocumentedProgram): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-receiver-'))
  await writeFile(join(folder, file), text)
  return folder
}

/** Returns an environment with the paths to programs and to their build cache, and nothing else of ours. */
function environmentWith(given: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH = '', HOME = tmpdir() } = process.env
  return { PATH: dirname(process.execPath) + delimiter + PATH, HOME, ...given }
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    if (await isOpen(port)) return
    await sleep(50)
  }
  throw new Error(`nothing listens on its port after ${START_TIMEOUT_MS} ms`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

async function post(port: number, { headers, body }: Delivery): Promise<boolean> {
  const sent = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name))
  const { status } = await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers: sent, body })
  if (status !== 204 && status !== 400) throw new Error(`the receiver answered ${status}`)
  return status === 204
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
