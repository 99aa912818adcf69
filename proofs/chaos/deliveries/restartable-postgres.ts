import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LocalPostgres, startPostgres } from '../../../rig/postgres.ts'
import { Database, onlyRow } from '../../../src/lib/db/db.ts'

const SETTINGS = { shared_buffers: '512MB' }
const STOP_TIMEOUT_MS = 10_000

/** A PostgreSQL with durability on that is taken away in the middle of its work, and comes back at the same address. */
export class RestartablePostgres implements AsyncDisposable {
  readonly url: string
  readonly #directory: string
  readonly #data: string
  #server: LocalPostgres

  private constructor(directory: string, data: string, server: LocalPostgres) {
    this.url = server.url
    this.#directory = directory
    this.#data = data
    this.#server = server
  }

  static async start(directory: string): Promise<RestartablePostgres> {
    const server = await startPostgres({ directory, persistent: false, settings: SETTINGS })
    return new RestartablePostgres(directory, await findDataDirectory(server.url), server)
  }

  /** Its immediate shutdown: connections are cut without a word, and it recovers from its log when it starts. */
  async restart(): Promise<void> {
    const [pid = 0] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n', 1).map(Number)
    process.kill(pid, 'SIGQUIT')
    for (const deadline = Date.now() + STOP_TIMEOUT_MS; isAlive(pid); await sleep(20)) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not stop')
    }
    const port = Number(new URL(this.url).port)
    this.#server = await startPostgres({ directory: this.#directory, port, persistent: true, settings: SETTINGS })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop()
    rmSync(dirname(this.#data), { recursive: true, force: true })
  }
}

/** Where it really lies: a server that root starts is not always put where it was asked for. */
async function findDataDirectory(url: string): Promise<string> {
  const db = new Database({ url, connectionsMax: 1, applicationName: 'chaos' })
  try {
    return onlyRow(await db.query<{ data_directory: string }>('show data_directory')).data_directory
  } finally {
    await db.close()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
