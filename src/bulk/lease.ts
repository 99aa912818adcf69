/**
 * The lease of a bulk job: one worker at a time requests its rows. A second would do no harm, as each row is recorded in
 * the transaction that requests it, but both would fill the slots of one.
 */
import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'

export const FEED = 'bulk.feed'

/** A queued or running worker has the lease this long. */
const SILENCE_SECONDS = 120

export interface LeasedBulk {
  id: string
  accountId: string
  jobId: string
}

/** Null when there is nothing to do: the bulk job has ended or is paused, or another worker has the lease. */
export async function leaseBulk(app: App, lease: { bulkId: string; jobId: string }): Promise<LeasedBulk | null> {
  const at = app.clock.now()
  const [row] = await app.db.query<{ account_id: string }>(
    `update bulk set fed_by = $2, fed_until = $4
     where id = $1 and finished_at is null and status <> 'paused'
       and (fed_by is null or fed_by = $2 or fed_until <= $3)
     returning account_id`,
    [lease.bulkId, lease.jobId, at, addSeconds(at, SILENCE_SECONDS)],
  )
  return row ? { id: lease.bulkId, accountId: row.account_id, jobId: lease.jobId } : null
}

/** Ends the leases of bulk jobs and queues a worker for each. */
export async function queueFeed(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  bulkIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query('update bulk set fed_by = null, fed_until = $2 where id = any ($1)', [
    bulkIds,
    addSeconds(at, SILENCE_SECONDS),
  ])
  await jobs.enqueueAll(
    tx,
    { name: FEED },
    bulkIds.map((bulkId) => ({ payload: { bulkId } })),
  )
}

/** Passes a bulk job to the next worker, unless another has the lease already. */
export async function passOn(app: App, tx: Tx, bulk: LeasedBulk): Promise<void> {
  const held = await tx.query('select from bulk where id = $1 and fed_by = $2 for update', [bulk.id, bulk.jobId])
  if (held.length > 0) await queueFeed(app, tx, [bulk.id], app.clock.now())
}

const WOKEN_MAX = 100

/** Queues a worker for bulk jobs whose worker is gone. Returns how many. */
export async function wakeStalled(app: App): Promise<number> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string }>(
      `select id from bulk where finished_at is null and status <> 'paused' and fed_until <= $1
       order by fed_until limit ${WOKEN_MAX} for update skip locked`,
      [at],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await queueFeed(app, tx, ids, at)
    return ids.length
  })
}
