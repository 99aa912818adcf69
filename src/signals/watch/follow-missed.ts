/**
 * Finds watched companies of which a part was never read, or was forgotten because its stream missed events, and queues their
 * reading. Every few hours, and at once when a stream has missed something.
 */
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { listUnread } from '../../register/index.ts'
import { FOLLOW_WATCHED_JOB, startFollowingWatched } from './follow-watched.ts'

export const FOLLOW_MISSED_JOB = 'signals.follow_missed'

const BATCH = 1_000
const BATCHES_MAX = 10_000
/** After companies that were just watched. */
const PRIORITY = -1

/** Queues the search for such companies, to begin when `tx` commits. */
export async function startFollowingMissed(app: App, tx: Tx): Promise<void> {
  if (app.config.register.restKey !== null)
    await app.jobs.enqueueAll(tx, { name: FOLLOW_MISSED_JOB }, [{ payload: {} }])
}

/**
 * Safe to run again: while readings wait, nothing is queued, and the next run finds what is left. What is read meanwhile is not
 * read twice.
 */
export async function followMissed(app: App, run: JobRun): Promise<void> {
  if (app.config.register.restKey === null || (await areReadingsWaiting(app))) return
  let after = ''
  let companies = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    run.signal.throwIfAborted()
    const watched = await listWatched(app.db, after)
    const unread = await listUnread(app.db, watched)
    if (unread.length > 0) await app.db.transaction((tx) => startFollowingWatched(app, tx, unread, PRIORITY))
    companies += unread.length
    after = watched.at(-1) ?? after
    if (watched.length < BATCH) break
  }
  app.log.info({ event: 'signals.missed_found', companies })
}

async function areReadingsWaiting(app: App): Promise<boolean> {
  const readings = (await app.jobs.listQueues()).find(({ name }) => name === FOLLOW_WATCHED_JOB)
  return readings !== undefined && readings.ready + readings.deferred + readings.active > 0
}

async function listWatched(db: Db, after: string): Promise<string[]> {
  const rows = await db.query<{ number: string }>(
    `select distinct watch.company_number as number
     from watch join watchlist on watchlist.id = watch.watchlist_id
     where watchlist.mode = 'live' and watch.company_number > $1 order by 1 limit ${BATCH}`,
    [after],
  )
  return rows.map(({ number }) => number)
}
