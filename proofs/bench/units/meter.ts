/** Reads from outside what the processes and the database have used. */
import { readFileSync } from 'node:fs'
import { getTimes, readFamilyCpuMs } from '../../../rig/processes.ts'
import { onlyRow } from '../../../src/lib/db/db.ts'
import type { UnitsStage } from './work.ts'

export type Use = typeof NO_USE

export const NO_USE = {
  apiCpuMs: 0,
  workerCpuMs: 0,
  databaseCpuMs: 0,
  rows: 0,
  /** Stored in tables and indexes, but for the register's: it is changed in place and as large as the register is. */
  bytes: 0,
  walBytes: 0,
  webRequests: 0,
  /** Sent by web sites and receivers, with the encryption around it. */
  webBytes: 0,
}

const REGISTER = '^(company|name_token|search_|register_)'

export async function readUse({ app, api, worker, web }: UnitsStage): Promise<Use> {
  const state = onlyRow(
    await app.db.query<{ pid: number; wal: number; bytes: number }>(
      `select pg_backend_pid() as pid, (pg_current_wal_insert_lsn() - '0/0')::float8 as wal,
         (select sum(pg_total_relation_size(relid))::float8 from pg_stat_user_tables where relname !~ $1) as bytes`,
      [REGISTER],
    ),
  )
  return {
    apiCpuMs: getTimes(api.pid).cpuMs,
    workerCpuMs: getTimes(worker.pid).cpuMs,
    databaseCpuMs: readFamilyCpuMs(getTimes(state.pid).parent),
    rows: await countRows(app.db),
    bytes: state.bytes,
    walBytes: state.wal,
    webRequests: await web.countRequests(),
    webBytes: Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${web.pid}/io`, 'utf8'))?.[1]),
  }
}

export function difference(after: Use, before: Use): Use {
  return mapUse((figure) => after[figure] - before[figure])
}

export function mapUse(valueOf: (figure: keyof Use) => number): Use {
  return Object.fromEntries(
    Object.keys(NO_USE).map((figure) => [figure, valueOf(figure as keyof Use)]),
  ) as unknown as Use
}

async function countRows(db: UnitsStage['app']['db']): Promise<number> {
  const tables = await db.query<{ name: string }>('select relid::regclass::text as name from pg_stat_user_tables')
  const counts = tables.map(({ name }) => `(select count(*) from only ${name})`)
  return onlyRow(await db.query<{ rows: number }>(`select ${counts.join(' + ')} as rows`)).rows
}
