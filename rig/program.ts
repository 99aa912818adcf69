import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Config } from '../src/config.ts'
import { findFreePort } from './postgres.ts'
import { toEnvironment } from './settings.ts'

/** The real program as a process of its own. */
export interface Program extends AsyncDisposable {
  /** Of its API, if it serves. */
  url: string
  pid: number
  /** `kill -9`. */
  kill(): Promise<void>
  /** Ends as an operator ends it: work in flight is finished. */
  stop(): Promise<void>
}

export interface ProgramPlace {
  /** The folder of the release. */
  root?: string
  port?: number
  /** Is given its log. */
  onLog?: (chunk: Buffer) => void
}

const ROOT = join(import.meta.dirname, '..')

/** `more` are settings beyond the database and the secrets, such as the simulated web's. */
export async function startProgram(
  command: 'serve' | 'work',
  config: Config,
  more: Record<string, string>,
  place: ProgramPlace = {},
): Promise<Program> {
  const port = place.port ?? (await findFreePort())
  const child = spawn(process.execPath, [join(place.root ?? ROOT, 'src/main.ts'), command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...toEnvironment(config, port), ...more },
  })
  if (place.onLog) child.stdout?.on('data', place.onLog)
  await untilStarted(child, command)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  const kill = () => end('SIGKILL')
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    kill,
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: kill,
  }
}

/** Its log is read to the end of its life: a pipe that nobody reads would stop it. */
async function untilStarted(child: ChildProcess, command: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`nameplate ${command} ended with code ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('service.started')) resolve()
    })
  })
}
