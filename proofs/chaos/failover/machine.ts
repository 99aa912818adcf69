/** Processes of the test bed: started as an ordinary user, known by their pids, and ended by those alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerUser } from '../../../rig/postgres.ts'
import { isAlive } from '../../../rig/processes.ts'

const END_TIMEOUT_MS = 10_000

export interface Start {
  program: string
  args: readonly string[]
  /** Takes what it says. */
  logFile: string
  cwd: string
  runAs: ServerUser | null
}

/** In a group of its own: Ctrl-C must reach us alone, so that everything can be ended in order. */
export function startProcess({ program, args, logFile, cwd, runAs }: Start): ChildProcess {
  const log = openSync(logFile, 'a')
  const child = spawn(program, [...args], {
    ...runAs,
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: cwd },
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  child.on('error', () => undefined)
  child.unref()
  return child
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended already.
    }
  }
}

export async function killAll(pids: readonly number[]): Promise<void> {
  signalAll(pids, 'SIGKILL')
  await until(async () => !pids.some(isAlive), END_TIMEOUT_MS, `processes ${pids.filter(isAlive).join()} did not end`)
}

export async function until(
  condition: () => Promise<boolean>,
  timeoutMs: number,
  problem: string | (() => string),
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(typeof problem === 'string' ? problem : problem())
    await sleep(100)
  }
}
