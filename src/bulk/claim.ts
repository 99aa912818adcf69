/**
 * Who is at a bulk. One job at a time asks for its rows, for as long as it is heard of; a second would do no harm, as each
 * row is asked for in the transaction that says so, but both would fill the places of one.
 */
import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'

export const FEED = 'bulk.feed'

/** A job that was queued, or heard of, is waited for this long. */
const SILENCE_SECONDS = 120

export interface ClaimedBulk {
  id: string
  accountId: string
  jobId: string
}

/** Null when there is nothing to do here: it has ended or is paused, or another job is at it. */
export async function claimBulk(app: App, claim: { bulkId: string; jobId: string }): Promise<ClaimedBulk | null> {
  const at = app.clock.now()
  const [row] = await app.db.query<{ account_id: string }>(
    `update bulk set fed_by = $2, fed_until = $4
     where id = $1 and finished_at is null and status <> 'paused'
       and (fed_by is null or fed_by = $2 or fed_until <= $3)
     returning account_id`,
    [claim.bulkId, claim.jobId, at, addSeconds(at, SILENCE_SECONDS)],
  )
  return row ? { id: claim.bulkId, accountId: row.account_id, jobId: claim.jobId } : null
}

/** Lets go of bulks, and has another job take them up. */
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

/** Hands a bulk on to the next job, unless it was given to another already. */
export async function passOn(app: App, tx: Tx, bulk: ClaimedBulk): Promise<void> {
  const held = await tx.query('select from bulk where id = $1 and fed_by = $2 for update', [bulk.id, bulk.jobId])
  if (held.length > 0) await queueFeed(app, tx, [bulk.id], app.clock.now())
}

const WOKEN_MAX = 100

/** Bulks whose job is gone for good get another. Answers how many. */
export async function wakeUnattended(app: App): Promise<number> {
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
