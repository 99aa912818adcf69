import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { feedBulk } from './feed.ts'
import { FEED, wakeStalled } from './lease.ts'
import { deleteExpiredFiles } from './stored-files.ts'

/** Requests the rows of a bulk job, slice by slice. Running twice requests nothing twice. */
export const feedBulkJob = defineJob({
  name: FEED,
  // They mostly wait; each takes a few connections while it does not.
  concurrency: 8,
  // Spread over all processes.
  claimMax: 2,
  retriesMax: 5,
  retryDelaySeconds: 1,
  timeoutSeconds: 60,
  async run(app: App, { bulkId }: { bulkId: string }, run) {
    await feedBulk(app, bulkId, run)
  },
})

/** Each has up to a hundred thousand rows; the next minute deletes the next ones. */
const FORGOTTEN_MAX = 3

/** Resumes stalled bulk jobs and deletes expired ones. */
export const sweepBulkJob = defineJob({
  name: 'bulk.sweep',
  retriesMax: 1,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App) {
    const woken = await wakeStalled(app)
    if (woken > 0) app.log.warn({ event: 'bulk.woken', count: woken })
    await deleteExpiredFiles(app)
    await app.db.query(
      `delete from bulk where id in (select id from bulk where expires_at <= $1 order by expires_at limit ${FORGOTTEN_MAX})`,
      [app.clock.now()],
    )
  },
})
