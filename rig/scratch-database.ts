import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostmaster, type LocalPostgres, startPostgres } from './postgres.ts'
import { isAlive, listTree, signalAll } from './processes.ts'
import { until } from './until.ts'

const STOP_TIMEOUT_MS = 10_000
/** For work whose data need not survive a crash: an import takes half the time. */
export const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A PostgreSQL for one run, with durability on unless the settings say otherwise: it costs what production costs. */
export class ScratchDatabase implements AsyncDisposable {
  readonly url: string
  readonly #directory: string
  readonly #settings: Record<string, string>
  /** Null where the server is given by SCRATCH_DATABASE_URL. */
  #server: LocalPostgres | null

  private constructor(directory: string, settings: Record<string, string>, server: LocalPostgres | string) {
    this.#directory = directory
    this.#settings = settings
    this.#server = typeof server === 'string' ? null : server
    this.url = typeof server === 'string' ? server : server.url
  }

  static async open(more: Record<string, string> = {}): Promise<ScratchDatabase> {
    const given = process.env['SCRATCH_DATABASE_URL']
    if (given) return new ScratchDatabase('', {}, given)
    const directory = join(mkdtempSync(join(tmpdir(), 'nameplate-scratch-')), 'postgres')
    const settings = { shared_buffers: '512MB', ...more }
    const server = await startPostgres({ directory, persistent: false, settings })
    return new ScratchDatabase(directory, settings, server)
  }

  /** Stops all its processes for a while: connections stay open, and nothing answers. */
  async hang(forMs: number): Promise<void> {
    const pids = listTree(await findPostmaster(this.url))
    signalAll(pids, 'SIGSTOP')
    try {
      await sleep(forMs)
    } finally {
      signalAll(pids, 'SIGCONT')
    }
  }

  /** Shuts the server down at once, so that it recovers from its log, and starts it again at the same address, after `awayMs`. */
  async restart(awayMs = 0): Promise<void> {
    const pid = await findPostmaster(this.url)
    process.kill(pid, 'SIGQUIT')
    await until(() => !isAlive(pid), 'PostgreSQL did not stop', { timeoutMs: STOP_TIMEOUT_MS, everyMs: 20 })
    await sleep(awayMs)
    const port = Number(new URL(this.url).port)
    this.#server = await startPostgres({
      directory: this.#directory,
      port,
      persistent: true,
      settings: this.#settings,
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server) return
    await this.#server.stop()
    rmSync(dirname(this.#directory), { recursive: true, force: true })
  }
}
