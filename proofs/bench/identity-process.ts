/**
 * The sweep for people who have not verified their identity, as a process to kill: a line for each batch that is written and not
 * committed yet, and a pause in which the kill arrives.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { raiseLateDirectors, raiseLateOwners } from '../../src/signals/detect/sweep-identity.ts'

const PAUSE_MS = 30

const [dueOn = '', today = ''] = process.argv.slice(2)
const config = loadConfig(process.env)
const app = await openApp(config, {
  runsJobs: false,
  log: createLog({ level: config.logLevel, destination: process.stderr }),
})
const transaction: typeof app.db.transaction = (work, ...rest) =>
  app.db.transaction(
    async (tx) => {
      const done = await work(tx)
      process.stdout.write('batch\n')
      await sleep(PAUSE_MS)
      return done
    },
    ...rest,
  )
const query: typeof app.db.query = (...asked) => app.db.query(...asked)
const killable = { ...app, db: { query, transaction } as typeof app.db }
const at = new Date(`${today}T00:10:00Z`)
for (const raise of [raiseLateDirectors, raiseLateOwners]) await raise(killable, { dueOn, today }, at)
process.exit(0)
