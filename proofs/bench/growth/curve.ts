/** How a curve is measured: the tables grow, and at each size the operation runs on one connection. */

import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { median, quantile } from '../../../rig/statistics.ts'
import type { App } from '../../../src/app.ts'
import { onlyRow } from '../../../src/lib/db/db.ts'

/** An operation of the product, measured while the tables that it reads grow. */
export interface Curve {
  /** Begins the names of its figures, such as `charge_growth`. */
  name: string
  does: string
  /** The kind of rows that are counted. */
  rows: string
  /** The tables whose size is counted. */
  tables: readonly string[]
  /** Adds rows until there are `to` instead of `from`. Returns the operation to measure. */
  grow(world: GrowthWorld, range: Range): Promise<Operation>
}

/** Runs the product's own functions once; `index` counts the calls. */
export type Operation = (index: number) => Promise<unknown>

export interface Range {
  from: number
  to: number
}

export interface GrowthWorld {
  url: string
  /** Has one connection, which is the one that is measured. */
  app: App
  /** Loads. */
  client: pg.Client
}

/** Fills tables that come from nowhere: nothing is checked row by row, and the indexes are built afterwards. */
export async function fillTables(
  { client }: GrowthWorld,
  tables: readonly string[],
  fill: () => Promise<unknown>,
): Promise<void> {
  await client.query('set session_replication_role = replica')
  const buildIndexes = await dropIndexes(client, tables)
  await fill()
  await buildIndexes()
  await client.query('set session_replication_role = origin')
}

/** Customers `acc_1`, `acc_2` and so on with credits to spend. */
export async function addAccounts({ client }: GrowthWorld, { from, to }: Range): Promise<void> {
  const range = [Math.floor(from) + 1, Math.floor(to)]
  await client.query(
    `insert into account (id, email, email_canonical, password_hash, created_at)
     select 'acc_' || n, 'acc_' || n, 'acc_' || n, 'nobody signs in', now() from generate_series($1::integer, $2::integer) n`,
    range,
  )
  await client.query(
    `insert into credit_balance (account_id, balance, held)
     select 'acc_' || n, 1000000, 0 from generate_series($1::integer, $2::integer) n`,
    range,
  )
}

/** Returns indexes that are far apart from one call to the next, and the same in every run. */
export function scatter(index: number, among: number): number {
  return (index * 7_368_787) % among
}

/**
 * Drops the indexes and constraints of tables that are about to be filled, and returns a function that makes them again:
 * building them afterwards takes a fraction of the time. A primary key that another table refers to and an index that a
 * partition has from its parent cannot be dropped alone, and stay.
 */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint mine
     where conrelid = any ($1::regclass[]) and contype in ('p', 'u', 'f') and conparentid = 0 and not exists (
       select from pg_constraint other where other.contype = 'f' and other.conindid = mine.conindid
         and mine.contype <> 'f' and other.conrelid <> all ($1::regclass[]))
     order by contype <> 'f'`,
    [tables],
  )
  for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`)
  // The indexes of the constraints are gone by now.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    // Of a partitioned table the definition is that of its index alone, without those of its partitions.
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index where indrelid = any ($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
       and not exists (select from pg_inherits where inhrelid = indexrelid)`,
    [tables],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { table, name, definition } of constraints.toReversed()) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    }
  }
}

export type Cost = Awaited<ReturnType<typeof measureCost>>

export interface Effort {
  warmUp: number
  operations: number
}

/** Returns the cost of one call. */
export async function measureCost(world: GrowthWorld, operation: Operation, effort: Effort) {
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
    /** CPU time of the server process behind the measured connection. */
    cpuMs: each((use) => use.cpuMs),
    /** Pages that were looked at, cached or not. */
    buffers: each((use) => use.buffers),
    walBytes: each((use) => use.walBytes),
  }
}

type Use = Awaited<ReturnType<typeof readUse>>

/** All that the one connection has used so far. Asked by another, so that asking is no part of it. */
async function readUse({ app, client }: GrowthWorld) {
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
