/** PgBouncer in transaction mode before a PostgreSQL, from the package of the machine. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, querySql, serverUser } from './postgres.ts'
import { killAll, startServerProcess } from './processes.ts'
import { isSoInTime } from './until.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const START_MS = 10_000

export function isPgBouncerInstalled(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0
}

interface PgBouncerOptions {
  /** Any database of the server that it leads to. */
  serverUrl: string
  /** Connections to a database that all its callers share. */
  connectionsMax: number
  /** Runs on every connection to the server. */
  connectQuery?: string
}

export interface PgBouncer extends AsyncDisposable {
  /** Returns the address by which the same database is reached through it. */
  through(databaseUrl: string): string
}

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const runAs = serverUser()
  const home = mkdtempSync(join(tmpdir(), 'nameplate-pgbouncer-'))
  const port = await findFreePort()
  const { hostname, port: serverPort, username, password } = new URL(options.serverUrl)
  const users = join(home, 'users.txt')
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o600 })
  const query = options.connectQuery === undefined ? '' : ` connect_query='${options.connectQuery}'`
  const settings = `[databases]
* = host=${hostname} port=${serverPort}${query}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${options.connectionsMax}
max_client_conn = 500
`
  const file = join(home, 'pgbouncer.ini')
  writeFileSync(file, settings)
  chmodSync(home, 0o755)
  if (runAs) for (const path of [home, users, file]) chownSync(path, runAs.uid, runAs.gid)
  const logFile = join(home, 'log.txt')
  const child = startServerProcess({ program: PROGRAM, args: [file], logFile, cwd: home, runAs })
  const through = (databaseUrl: string) => {
    const url = new URL(databaseUrl)
    url.port = String(port)
    return url.href
  }
  const responds = () =>
    querySql(through(options.serverUrl), 'select').then(
      () => true,
      () => false,
    )
  const stop = async () => {
    await killAll(child.pid === undefined ? [] : [child.pid])
    rmSync(home, { recursive: true, force: true })
  }
  if (await isSoInTime(responds, { timeoutMs: START_MS, everyMs: 50 })) return { through, [Symbol.asyncDispose]: stop }
  const log = readFileSync(logFile, 'utf8')
  await stop()
  throw new Error(`PgBouncer did not start: ${log}`)
}
