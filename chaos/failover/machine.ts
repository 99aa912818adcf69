/** Processes of the test bed: started as an ordinary user, known by their pids, and ended by those alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerUser } from '../../sim/postgres.ts'

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

/** The process and all that descend from it. */
export function listTree(pid: number): number[] {
  const parents = readParents()
  const tree = [pid]
  // The list grows while it is gone through.
  for (const each of tree) tree.push(...parents.filter(({ parent }) => parent === each).map(({ pid: child }) => child))
  return tree
}

function readParents(): Array<{ pid: number; parent: number }> {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      const stat = readStat(pid)
      return stat ? [{ pid, parent: stat.parent }] : []
    })
}

/** Null where there is no such process. */
function readStat(pid: number): { state: string; parent: number } | null {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return null
  }
}

/** A dead process that nobody has looked after yet counts as dead. */
export function isAlive(pid: number): boolean {
  const stat = readStat(pid)
  return stat !== null && stat.state !== 'Z'
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
