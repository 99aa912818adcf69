/** Runs a part of the service as a process of its own, so that a test can kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { findFreePort } from '../../rig/postgres.ts'
import { openKeptLog } from './kept-logs.ts'

export interface ServiceProcess {
  child: ChildProcess
  url: string
  kill(): Promise<void>
  /** SIGTERM, as a deployment sends; answers the exit code. */
  terminate(): Promise<number | null>
}

const PROGRAM = join(import.meta.dirname, 'service-process.ts')
const READY_TIMEOUT_MS = 20_000

export async function startProcess(role: 'serve' | 'work', databaseUrl: string): Promise<ServiceProcess> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [PROGRAM, role, databaseUrl, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const keptLog = openKeptLog(inject('logDirectory'))
  child.stdout.on('data', (chunk: Buffer) => keptLog.write(chunk))
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  void exited.then(() => keptLog.close())
  await waitForReady(child, exited)
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    terminate: async () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

async function waitForReady(child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  const ready = new Promise<'ready'>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (/^ready$/m.test(chunk.toString())) resolve('ready')
    })
  })
  const first = await Promise.race([ready, exited, sleep(READY_TIMEOUT_MS, 'late' as const, { ref: false })])
  if (first !== 'ready') throw new Error(`the process did not start: ${first}`)
}
