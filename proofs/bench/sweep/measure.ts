/** Reads from outside how far a list is, how large the databases are, and what the processes use. */
import { findFootprint, readFamilyOwnMb, readFirstThreadCpuMs } from '../../../rig/processes.ts'
import { median, round } from '../../../rig/statistics.ts'
import { onlyRow } from '../../../src/lib/db/db.ts'
import { EARLY, LATE, ratioOf, within } from '../mixed/samples.ts'
import { readUsage, type Usage, type WatchedProcess } from '../mixed/usage.ts'
import type { SweepStage } from './stage.ts'

export interface Moment {
  usage: Usage
  /** CPU of the first thread, for programs of Node. */
  firstThreadMs: number[]
  /** Memory of each process in the stage's order; without shared buffers for PostgreSQL. */
  memoryMb: number[]
}

export function readMoment({ processes }: SweepStage): Moment {
  return {
    usage: readUsage(processes),
    firstThreadMs: processes.map(({ pid, isTree }) => (isTree ? 0 : readFirstThreadCpuMs(pid))),
    memoryMb: processes.map(({ pid, isTree }) => (isTree ? readFamilyOwnMb(pid) : (findFootprint(pid)?.rssMb ?? 0))),
  }
}

/** True when each domain of a list that is read once was read. */
export async function isListRead({ app }: SweepStage, list: string): Promise<boolean> {
  const open = await app.db.query('select from sweep_domain where sweep = $1 and due_at is not null limit 1', [list])
  return open.length === 0
}

/** Returns how many domains of the list were read in each slot of time since `since`. */
export async function countBySlot(
  { app }: SweepStage,
  { list, since, slotMs }: { list: string; since: Date; slotMs: number },
): Promise<number[]> {
  const rows = await app.db.query<{ slot: number; domains: number }>(
    `select floor(extract(epoch from read_at - $2) * 1000 / $3)::int as slot, count(*)::int as domains
     from sweep_domain where sweep = $1 and read_at >= $2 group by 1`,
    [list, since, slotMs],
  )
  const counts: number[] = []
  for (const { slot, domains } of rows) counts[slot] = domains
  return Array.from(counts, (count) => count ?? 0)
}

export interface Written {
  /** In all tables and indexes. */
  stored: number
  /** Written to the log since the server was made. */
  log: number
}

/** Returns what the database holds and has logged. */
export async function readWritten({ app }: SweepStage): Promise<Written> {
  return onlyRow(
    await app.db.query<Written>(
      `select sum(pg_total_relation_size(relid))::float8 as stored,
         (pg_current_wal_insert_lsn() - '0/0')::float8 as log from pg_stat_user_tables`,
    ),
  )
}

export interface TableSize {
  name: string
  tableMb: number
  indexesMb: number
}

const TABLES_SHOWN = 8

/** Returns the largest tables. */
export function readTableSizes({ app }: SweepStage): Promise<TableSize[]> {
  return app.db.query<TableSize>(
    `select relname::text as name, pg_table_size(relid) / 1e6::float8 as "tableMb",
       pg_indexes_size(relid) / 1e6::float8 as "indexesMb" from pg_stat_user_tables
     order by pg_total_relation_size(relid) desc limit ${TABLES_SHOWN}`,
  )
}

export interface Use {
  name: string
  role: WatchedProcess['role']
  /** A part of one core. */
  share: number
  firstThreadShare: number
  cpuMs: number
}

/** Returns what each process used between two moments. */
export function listUse(stage: SweepStage, before: Moment, after: Moment): Use[] {
  const ms = after.usage.atMs - before.usage.atMs
  return stage.processes.map(({ name, role }, index) => {
    const cpuMs = (after.usage.cpuMs[index] ?? 0) - (before.usage.cpuMs[index] ?? 0)
    const threadMs = (after.firstThreadMs[index] ?? 0) - (before.firstThreadMs[index] ?? 0)
    return { name, role, cpuMs, share: round(cpuMs / ms, 2), firstThreadShare: round(threadMs / ms, 2) }
  })
}

const FULL_SHARE = 0.9

/** Returns what was full: the machine, the event loop of a process, or nothing but waits. */
export function nameLimit(use: readonly Use[], before: Moment, after: Moment): { limit: string; machineBusy: number } {
  const { busyMs, totalMs } = after.usage.machine
  const machineBusy = (busyMs - before.usage.machine.busyMs) / (totalMs - before.usage.machine.totalMs)
  const [fullest] = use.toSorted((a, b) => b.share - a.share)
  const [loop] = use.toSorted((a, b) => b.firstThreadShare - a.firstThreadShare)
  const limit =
    machineBusy >= FULL_SHARE
      ? `all cores are full, most of it ${fullest?.name}`
      : loop && loop.firstThreadShare >= FULL_SHARE
        ? `the event loop of ${loop.name}`
        : 'nothing is full: slots, disk or pace'
  return { limit, machineBusy: round(machineBusy, 2) }
}

/** Returns late over early for each process: 1 is flat. Too few samples give 1. */
export function listMemoryRatios(stage: SweepStage, moments: readonly Moment[]): number[] {
  const first = moments[0]?.usage.atMs ?? 0
  const length = Math.max(1, (moments.at(-1)?.usage.atMs ?? 0) - first)
  return stage.processes.map((_, index) => {
    const of = (span: typeof EARLY) =>
      within(moments, span, ({ usage }) => (usage.atMs - first) / length).map(({ memoryMb }) => memoryMb[index] ?? 0)
    const [early, late] = [of(EARLY), of(LATE)]
    return early.length === 0 || late.length === 0 ? 1 : ratioOf(early, late)
  })
}

/** The last slot is not over, and in the first one programs are still compiled. */
export function medianRate(counts: readonly number[], slotMs: number): number {
  const whole = counts.length > 2 ? counts.slice(1, -1) : counts
  return (median(whole) * 1_000) / slotMs
}
