/** A database, the drawn web and workers, each a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { getTimes } from '../../../rig/processes.ts'
import { programEnvironment } from '../../../rig/program.ts'
import { openStage } from '../../../rig/stage.ts'
import { loadSyntheticRegister } from '../../../rig/synthetic-register/load.ts'
import { startWeb } from '../../../rig/web-process.ts'
import { type Database, onlyRow } from '../../../src/lib/db/db.ts'
import { rebuildSearchIndex } from '../../../src/register/search/search-index.ts'
import type { WatchedProcess } from '../mixed/usage.ts'

const WORKERS = 2
const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const BUFFERS = { shared_buffers: '256MB' }
const COMMAND_MS_MAX = 20 * 60_000

export type SweepStage = Awaited<ReturnType<typeof openSweepStage>>

export async function openSweepStage({ companies, say }: { companies: number; say: (line: string) => void }) {
  await using opened = new AsyncDisposableStack()
  say('starting the web and the database')
  const web = opened.use(await startWeb({ drawnFrom: companies }))
  const around = { SIMULATED: 'web', SIMULATED_WEB: web.setting }
  const { app, settings, start } = opened.use(await openStage({ settings: around, postgres: BUFFERS }))
  say(`loading ${companies} companies`)
  await loadSyntheticRegister(app.config.databaseUrl, companies)
  await rebuildSearchIndex(app.db)
  await app.db.pool.query('vacuum analyze')

  const processes: WatchedProcess[] = [
    { name: 'simulated web', role: 'web', pid: web.pid, isTree: false },
    { name: 'PostgreSQL', role: 'postgres', pid: await findPostmaster(app.db), isTree: true },
  ]
  const all = opened.move()
  const startWorkers = async () => {
    const startOne = async (_: unknown, index: number) => {
      const { pid } = all.use(await start('work'))
      processes.unshift({ name: `worker ${index + 1}`, role: 'worker', pid, isTree: false })
    }
    await Promise.all(Array.from({ length: WORKERS }, startOne))
  }
  /** Runs a command of the service to its end; returns its output. */
  const command = async (argv: readonly string[], lines: Iterable<string> = []): Promise<string> => {
    const env = { ...programEnvironment(), ...settings }
    const child = spawn(process.execPath, [MAIN, ...argv], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: COMMAND_MS_MAX,
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ended = once(child, 'close') as Promise<[number | null]>
    await pipeline(Readable.from(lines), child.stdin)
    const [code] = await ended
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with code ${code}`)
    return output
  }
  return { app, web, processes, startWorkers, command, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function findPostmaster(db: Database): Promise<number> {
  const { pid } = onlyRow(await db.query<{ pid: number }>('select pg_backend_pid() as pid'))
  return getTimes(pid).parent
}
