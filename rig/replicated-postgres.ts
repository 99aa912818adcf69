/** A PostgreSQL with a replica that streams its log, both Debian's: its packages have the tools to copy a server. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, type LocalPostgres, querySql, serverUser, startPostgres } from './postgres.ts'
import { killAll, listTree, signalAll } from './processes.ts'
import { until } from './until.ts'

const INSTALLATION = '/usr/lib/postgresql/15'
const CONFLICT = '40001'
const PACKAGE = 'postgresql-15'
/** Durable as far as the log goes, but without waiting for the disk. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB', wal_keep_size: '512MB' }

/** Returns what must be installed first; null when nothing is missing. */
export function findMissingPackage(): string | null {
  return existsSync(join(INSTALLATION, 'bin/pg_basebackup')) ? null : PACKAGE
}

export class ReplicatedPostgres implements AsyncDisposable {
  readonly primary: LocalPostgres
  readonly replicaPort: number
  readonly #home: string
  #replica: LocalPostgres | null = null

  private constructor(home: string, primary: LocalPostgres, replicaPort: number) {
    this.#home = home
    this.primary = primary
    this.replicaPort = replicaPort
  }

  static async start(): Promise<ReplicatedPostgres> {
    const home = mkdtempSync(join(tmpdir(), 'nameplate-replica-'))
    chmodSync(home, 0o755)
    const primary = await startPostgres({
      directory: join(home, 'primary'),
      installation: INSTALLATION,
      persistent: false,
      settings: SETTINGS,
    })
    const pair = new ReplicatedPostgres(home, primary, await findFreePort())
    pair.#copy()
    await pair.startReplica()
    return pair
  }

  /** The address of the replica; another port is that of something in between. */
  replicaUrl(port = this.replicaPort): string {
    const url = new URL(this.primary.url)
    url.port = String(port)
    return url.href
  }

  async startReplica(): Promise<void> {
    this.#replica = await startPostgres({
      directory: join(this.#home, 'replica'),
      installation: INSTALLATION,
      port: this.replicaPort,
      persistent: true,
      // A long read is cancelled soon, so that it does not hold up what others must see.
      settings: { ...SETTINGS, max_standby_streaming_delay: '100ms' },
    })
  }

  /** Ends it as when its machine loses its power. */
  async killReplica(): Promise<void> {
    await killAll(this.#replicaPids())
  }

  /** Nothing of it goes on, and its connections stay open. */
  freezeReplica(): void {
    signalAll(this.#replicaPids(), 'SIGSTOP')
  }

  thawReplica(): void {
    signalAll(this.#replicaPids(), 'SIGCONT')
  }

  /** It answers, and its data stay as they are. */
  async pauseReplay(): Promise<void> {
    await querySql(this.replicaUrl(), 'select pg_wal_replay_pause()')
    const state = 'select pg_get_wal_replay_pause_state() as state'
    const isPaused = async () => (await querySql<{ state: string }>(this.replicaUrl(), state))[0]?.state === 'paused'
    await until(isPaused, 'the replay was not paused', { everyMs: 10 })
  }

  async resumeReplay(): Promise<void> {
    // What is replayed at once may cancel the statement that resumed it.
    await querySql(this.replicaUrl(), 'select pg_wal_replay_resume()').catch((error: { code?: string }) => {
      if (error.code !== CONFLICT) throw error
    })
  }

  /** Waits until the replica has everything that the primary has now. */
  async untilCaughtUp(): Promise<void> {
    const [row] = await querySql<{ lsn: string }>(this.primary.url, 'select pg_current_wal_flush_lsn() as lsn')
    const replayed = `select pg_last_wal_replay_lsn() >= '${row?.lsn}' as "isThere"`
    const isThere = async () => (await querySql<{ isThere: boolean }>(this.replicaUrl(), replayed))[0]?.isThere === true
    await until(isThere, 'the replica did not catch up', { everyMs: 20, timeoutMs: 60_000 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thawReplica()
    await this.#replica?.stop()
    await this.primary.stop()
    rmSync(this.#home, { recursive: true, force: true })
  }

  #copy(): void {
    const [from, to] = [join(this.#home, 'primary'), join(this.#home, 'replica')]
    const runAs = serverUser()
    mkdirSync(to, { mode: 0o755 })
    cpSync(join(from, 'password'), join(to, 'password'))
    if (runAs) for (const path of [to, join(to, 'password')]) chownSync(path, runAs.uid, runAs.gid)
    const flags = ['--checkpoint=fast', '--wal-method=stream', '--write-recovery-conf', '--no-sync']
    const args = ['--pgdata', join(to, 'data'), '--dbname', this.primary.url, ...flags]
    const result = spawnSync(join(INSTALLATION, 'bin/pg_basebackup'), args, {
      ...runAs,
      cwd: to,
      env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: to },
      encoding: 'utf8',
    })
    if (result.status !== 0) throw new Error(`pg_basebackup failed: ${result.stderr || result.error?.message}`)
  }

  #replicaPids(): number[] {
    const file = join(this.#home, 'replica/data/postmaster.pid')
    if (!existsSync(file)) return []
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return existsSync(`/proc/${pid}`) ? listTree(pid) : []
  }
}
