/** `nameplated work` with one job more, the empty one. It tells what it cost. */
import pg from 'pg'
import { loadConfig } from '../../../src/config.ts'
import { startService } from '../../../src/service.ts'
import { emptyJob } from './empty-job.ts'

let emptyRuns = 0
let statements = 0

// The pool's and the transactions' alike.
const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
Reflect.set(pg.Client.prototype, 'query', function countedQuery(this: pg.Client, ...args: unknown[]) {
  statements += 1
  return Reflect.apply(query, this, args)
})

await startService(loadConfig(process.env), { serve: false, work: true, extraJobs: [emptyJob(() => (emptyRuns += 1))] })

export interface WorkerUsage {
  emptyRuns: number
  statements: number
  cpuMs: number
}

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const usage: WorkerUsage = { emptyRuns, statements, cpuMs: (user + system) / 1_000 }
  process.send?.(usage)
})
// Whoever started this ends it by letting go of the channel, also when it was killed. `exit` lets a profile be written.
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
