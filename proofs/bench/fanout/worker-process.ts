/** `nameplated work` that reports what it used. */
import pg from 'pg'
import { serveParent } from '../../../rig/child.ts'
import { loadConfig } from '../../../src/config.ts'
import { startService } from '../../../src/service.ts'

export interface WorkerUsage {
  statements: number
  cpuMs: number
}

let statements = 0

// Counts the statements of the pool and of transactions alike.
const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
Reflect.set(pg.Client.prototype, 'query', function countedQuery(this: pg.Client, ...args: unknown[]) {
  statements += 1
  return Reflect.apply(query, this, args)
})

await startService(loadConfig(process.env), { serve: false, work: true })

serveParent('ready', (): WorkerUsage => {
  const { user, system } = process.cpuUsage()
  return { statements, cpuMs: (user + system) / 1_000 }
})
