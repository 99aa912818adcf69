/** Processes and what they take of the machine, as Linux tells it in /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessTimes {
  /** One letter; `Z` has ended, and nobody has looked after it yet. */
  state: string
  parent: number
  cpuMs: number
  endedChildrenMs: number
}

/** Linux tells every program that its clock has 100 ticks a second. */
export const TICK_MS = 10

/** Null where there is no such process. */
export function findTimes(pid: number): ProcessTimes | null {
  const text = readIfThere(`/proc/${pid}/stat`)
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

/** Of a process with its children, those that have ended included: PostgreSQL has one for each connection. */
export function readFamilyCpuMs(pid: number): number {
  const own = getTimes(pid)
  const alive = listProcesses().filter(({ parent }) => parent === pid)
  return own.cpuMs + own.endedChildrenMs + alive.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

/** The process and all that descend from it. */
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

/** A dead process that nobody has looked after yet counts as dead. */
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

/** A process may end while it is looked at. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
