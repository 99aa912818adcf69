import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findFreePort } from '../../sim/postgres.ts'
import type { Config } from '../../src/config.ts'
import { toEnvironment } from '../lookup/environment.ts'

/** The real program as a process of its own. */
export interface Program extends AsyncDisposable {
  /** Of its API, if it serves. */
  url: string
  /** `kill -9`. */
  kill(): Promise<void>
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** `more` are settings beyond the database and the secrets, such as the simulated web's. */
export async function startProgram(
  command: 'serve' | 'work',
  config: Config,
  more: Record<string, string>,
): Promise<Program> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [MAIN, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...toEnvironment(config, port), ...more },
  })
  await untilStarted(child, command)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return { url: `http://127.0.0.1:${port}`, kill, [Symbol.asyncDispose]: kill }
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
