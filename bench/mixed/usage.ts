/** What processes take of the machine, as Linux counts it in /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export type Role = 'api' | 'worker' | 'postgres' | 'web' | 'generator'
export const ROLES: readonly Role[] = ['api', 'worker', 'postgres', 'web', 'generator']

export interface WatchedProcess {
  name: string
  role: Role
  pid: number
  /** PostgreSQL has a process for each connection: all of them count, also those that have ended. */
  isTree: boolean
}

export interface Usage {
  atMs: number
  /** Of each process since its start, in the order they were given. */
  cpuMs: number[]
  /** Of the whole machine, whoever uses it. */
  machine: { busyMs: number; totalMs: number }
}

/** Linux tells every program that its clock has 100 ticks a second. */
const TICK_MS = 10

export function readUsage(processes: readonly WatchedProcess[]): Usage {
  const trees = processes.some(({ isTree }) => isTree) ? readAllTimes() : []
  const cpuMs = processes.map(({ pid, isTree }) => {
    const own = readTimes(pid)
    if (!own) throw new Error(`process ${pid} has ended`)
    if (!isTree) return own.cpuMs
    const alive = trees.filter(({ parent }) => parent === pid)
    return own.cpuMs + own.endedChildrenMs + alive.reduce((sum, child) => sum + child.cpuMs, 0)
  })
  return { atMs: performance.now(), cpuMs, machine: readMachine() }
}

interface Times {
  parent: number
  cpuMs: number
  endedChildrenMs: number
}

function readTimes(pid: number): Times | null {
  const text = readIfThere(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name in parentheses may hold anything, so fields are counted from its end; the first there is the third of all.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    parent: field(4),
    cpuMs: (field(14) + field(15)) * TICK_MS,
    endedChildrenMs: (field(16) + field(17)) * TICK_MS,
  }
}

function readAllTimes(): Times[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readTimes(Number(name)) ?? []) : []))
}

export function findParent(pid: number): number {
  const times = readTimes(pid)
  if (!times) throw new Error(`there is no process ${pid} on this machine`)
  return times.parent
}

function readMachine(): Usage['machine'] {
  const line = (readIfThere('/proc/stat') ?? '').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * TICK_MS)
  const busyMs = user + nice + system + irq + softirq + steal
  return { busyMs, totalMs: busyMs + idle + wait }
}

export interface Footprint {
  rssMb: number
  /** Files and sockets it has open. */
  handles: number
}

export function readFootprint(pid: number): Footprint {
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return { rssMb: kilobytes / 1_024, handles: readdirSync(`/proc/${pid}/fd`).length }
}

/** A process may end while the list of all is gone through. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
