/** `nameplated work` with one job more, the empty one. It reports what it used. */
import pg from 'pg'
import { serveParent } from '../../../rig/child.ts'
import { loadConfig } from '../../../src/config.ts'
import { startService } from '../../../src/service.ts'
import { emptyJob } from './empty-job.ts'

export interface WorkerUsage {
  emptyRuns: number
  statements: number
  cpuMs: number
}

let emptyRuns = 0
let statements = 0

// Counts the statements of the pool and of transactions alike.
const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
Reflect.set(pg.Client.prototype, 'query', function countedQuery(this: pg.Client, ...args: unknown[]) {
  statements += 1
  return Reflect.apply(query, this, args)
})

await startService(loadConfig(process.env), { serve: false, work: true, extraJobs: [emptyJob(() => (emptyRuns += 1))] })

serveParent('ready', (): WorkerUsage => {
  const { user, system } = process.cpuUsage()
  return { emptyRuns, statements, cpuMs: (user + system) / 1_000 }
})
