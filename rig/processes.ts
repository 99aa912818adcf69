/** Processes and what they take of the machine, as Linux shows it in /proc. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerUser } from './postgres.ts'
import { until } from './until.ts'

export interface ProcessTimes {
  /** One letter; `Z` has ended, and its parent has not read its exit code yet. */
  state: string
  parent: number
  cpuMs: number
  endedChildrenMs: number
}

/** For every program the clock of Linux has 100 ticks a second. */
export const TICK_MS = 10

/** Null where there is no such process. */
export function findTimes(pid: number): ProcessTimes | null {
  return parseTimes(readIfThere(`/proc/${pid}/stat`))
}

/** Returns the CPU of a process's first thread, which is where Node runs its event loop. */
export function readFirstThreadCpuMs(pid: number): number {
  return parseTimes(readIfThere(`/proc/${pid}/task/${pid}/stat`))?.cpuMs ?? 0
}

function parseTimes(text: string | null): ProcessTimes | null {
  if (text === null) return null
  // The name in parentheses may hold anything, so fields are counted from its end; the first there is the third of all.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    state: fields[0] ?? '',
    parent: field(4),
    cpuMs: (field(14) + field(15)) * TICK_MS,
    endedChildrenMs: (field(16) + field(17)) * TICK_MS,
  }
}

export function getTimes(pid: number): ProcessTimes {
  const times = findTimes(pid)
  if (!times) throw new Error(`there is no process ${pid}`)
  return times
}

/** Returns the CPU of a process with its children, ended ones included: PostgreSQL has one for each connection. */
export function readFamilyCpuMs(pid: number): number {
  const own = getTimes(pid)
  const alive = listProcesses().filter(({ parent }) => parent === pid)
  return own.cpuMs + own.endedChildrenMs + alive.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

/** Returns the process and all that descend from it. */
export function listTree(pid: number): number[] {
  const all = listProcesses()
  const tree = [pid]
  // The list grows while it is gone through.
  for (const each of tree) tree.push(...all.filter(({ parent }) => parent === each).map(({ pid: child }) => child))
  return tree
}

function listProcesses(): Array<ProcessTimes & { pid: number }> {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      const times = findTimes(pid)
      return times ? [{ pid, ...times }] : []
    })
}

/** A zombie counts as dead. */
export function isAlive(pid: number): boolean {
  const times = findTimes(pid)
  return times !== null && times.state !== 'Z'
}

export interface Footprint {
  rssMb: number
  /** Files and sockets it has open. */
  handles: number
}

/** Null when it is gone. */
export function findFootprint(pid: number): Footprint | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/status`) ?? '')?.[1]
  if (kilobytes === undefined) return null
  try {
    return { rssMb: Number(kilobytes) / 1_024, handles: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return null
  }
}

export function getFootprint(pid: number): Footprint {
  const footprint = findFootprint(pid)
  if (!footprint) throw new Error(`there is no process ${pid}`)
  return footprint
}

/** Returns the memory that a process and its children have for themselves, without what they share: PostgreSQL's buffers. */
export function readFamilyOwnMb(pid: number): number {
  const family = [pid, ...listProcesses().flatMap((one) => (one.parent === pid ? one.pid : []))]
  const kilobytes = family.map(
    (one) => /^RssAnon:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${one}/status`) ?? '')?.[1] ?? 0,
  )
  return kilobytes.reduce<number>((sum, each) => sum + Number(each), 0) / 1_024
}

/** A process may end while it is looked at. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** A program that is no Node program, run as an ordinary user. */
export interface ServerStart {
  program: string
  args: readonly string[]
  /** Takes its output. */
  logFile: string
  cwd: string
  runAs: ServerUser | null
}

/** Starts it in another process group: Ctrl-C must reach us alone, so that everything can be ended in order. */
export function startServerProcess({ program, args, logFile, cwd, runAs }: ServerStart): ChildProcess {
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

const END_TIMEOUT_MS = 10_000

export async function killAll(pids: readonly number[]): Promise<void> {
  signalAll(pids, 'SIGKILL')
  const alive = () => pids.filter(isAlive)
  const problem = () => `processes ${alive().join()} did not end`
  await until(() => alive().length === 0, problem, { timeoutMs: END_TIMEOUT_MS })
}
