/** Reads what the processes of a run and the whole machine have used so far, and how many jobs wait. */
import { readFileSync } from 'node:fs'
import { getTimes, readFamilyCpuMs, TICK_MS } from '../../../rig/processes.ts'
import { isSoInTime } from '../../../rig/until.ts'
import type { App } from '../../../src/app.ts'

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
  /** CPU of each process since its start, in the order they were given. */
  cpuMs: number[]
  /** CPU of the whole machine, used by any program. */
  machine: { busyMs: number; totalMs: number }
}

export function readUsage(processes: readonly WatchedProcess[]): Usage {
  const cpuMs = processes.map(({ pid, isTree }) => (isTree ? readFamilyCpuMs(pid) : getTimes(pid).cpuMs))
  return { atMs: performance.now(), cpuMs, machine: readMachine() }
}

function readMachine(): Usage['machine'] {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * TICK_MS)
  const busyMs = user + nice + system + irq + softirq + steal
  return { busyMs, totalMs: busyMs + idle + wait }
}

export interface QueueDepth {
  ready: number
  active: number
}

export async function countJobs({ jobs }: Pick<App, 'jobs'>): Promise<QueueDepth> {
  const queues = await jobs.listQueues()
  return {
    ready: queues.reduce((sum, queue) => sum + queue.ready, 0),
    active: queues.reduce((sum, queue) => sum + queue.active, 0),
  }
}

/** Waits until no job is ready or running; returns whether that came in time. */
export function untilQuiet(app: Pick<App, 'jobs'>, timeoutMs: number): Promise<boolean> {
  const isQuiet = async () => {
    const { ready, active } = await countJobs(app)
    return ready + active === 0
  }
  return isSoInTime(isQuiet, { timeoutMs, everyMs: 250 })
}
