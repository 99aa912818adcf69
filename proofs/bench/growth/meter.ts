import { readFileSync } from 'node:fs'
import { median, quantile } from '../../../rig/statistics.ts'
import { onlyRow } from '../../../src/lib/db/db.ts'
import type { GrowthWorld, Operation } from './curve.ts'

/** The cost of one call. */
export interface Cost {
  p50Ms: number
  p99Ms: number
  /** CPU time of the server process behind the measured connection. */
  cpuMs: number
  /** Pages that were looked at, cached or not. */
  buffers: number
  walBytes: number
}

export interface Effort {
  warmUp: number
  operations: number
}

export async function measureCost(world: GrowthWorld, operation: Operation, effort: Effort): Promise<Cost> {
  // The first ones plan the statements and fill the caches.
  for (let index = 0; index < effort.warmUp; index += 1) await operation(index)
  const before = await readUse(world)
  const times: number[] = []
  for (let index = effort.warmUp; index < effort.warmUp + effort.operations; index += 1) {
    const startedAtMs = performance.now()
    await operation(index)
    times.push(performance.now() - startedAtMs)
  }
  const after = await readUse(world)
  const each = (read: (use: Use) => number) => (read(after) - read(before)) / effort.operations
  return {
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    cpuMs: each((use) => use.cpuMs),
    buffers: each((use) => use.buffers),
    walBytes: each((use) => use.walBytes),
  }
}

interface Use {
  cpuMs: number
  buffers: number
  walBytes: number
}

/** All that the one connection has used so far. Asked by another, so that asking is no part of it. */
async function readUse({ app, client }: GrowthWorld): Promise<Use> {
  const { pid } = onlyRow(await app.db.query<{ pid: number }>('select pg_backend_pid() as pid'))
  await app.db.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query<{ buffers: string; wal_bytes: string }>(
    `select (select sum(coalesce(hits, 0) + coalesce(reads, 0)) from pg_stat_get_backend_io($1)) as buffers,
       (select wal_bytes from pg_stat_get_backend_wal($1)) as wal_bytes`,
    [pid],
  )
  const { buffers, wal_bytes: walBytes } = onlyRow(rows)
  return { cpuMs: readCpuMs(pid), buffers: Number(buffers), walBytes: Number(walBytes) }
}

/** Linux counts the nanoseconds a process was running. */
function readCpuMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
}
