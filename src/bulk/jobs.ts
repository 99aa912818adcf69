import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { FEED, wakeUnattended } from './claim.ts'
import { feedBulk } from './feed.ts'

/** Asks for the rows of a bulk, turn by turn. Running twice asks for nothing twice. */
export const feedBulkJob = defineJob({
  name: FEED,
  // They mostly wait; each takes a few connections while it does not.
  concurrency: 8,
  // Bulks are spread over the workers there are.
  claimMax: 2,
  retriesMax: 5,
  retryDelaySeconds: 1,
  timeoutSeconds: 60,
  async run(app: App, { bulkId }: { bulkId: string }, run) {
    await feedBulk(app, bulkId, run)
  },
})

/** A bulk is up to ten thousand rows; the next minute takes the next. */
const FORGOTTEN_MAX = 10

/** Takes up bulks that nobody is at, and forgets those whose time is over. */
export const sweepBulksJob = defineJob({
  name: 'bulk.sweep',
  concurrency: 1,
  retriesMax: 1,
  retryDelaySeconds: 60,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App) {
    const woken = await wakeUnattended(app)
    if (woken > 0) app.log.warn({ event: 'bulk.woken', bulks: woken })
    await app.db.query(
      `delete from bulk where id in (select id from bulk where expires_at <= $1 order by expires_at limit ${FORGOTTEN_MAX})`,
      [app.clock.now()],
    )
  },
})
