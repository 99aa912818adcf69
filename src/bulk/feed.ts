import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { onlyRow } from '../lib/db/db.ts'
import type { JobRun } from '../lib/jobs/jobs.ts'
import { askForRows } from './ask-rows.ts'
import { collectEnded } from './collect.ts'
import { type LeasedBulk, leaseBulk, passOn } from './lease.ts'
import { matchRows } from './register-rows.ts'
import { endBulk, pauseBulk } from './status.ts'

/** Then another worker continues, so that no bulk job occupies a worker and a stopping process need not wait. */
const SLICE_MS = 10_000
const POLL_MS = 200

/**
 * The rows of one bulk job under way. Its slots grow while rows end soon and shrink when they take long: the more load
 * there is, the shorter the queue of each, so that no row waits until its deadline.
 */
const SLOTS_MIN = 32
const SLOTS_MAX = 128
const SLOW_SECONDS = 120

/**
 * Requests the rows of a bulk job and collects their answers, for one slice of time. The rows themselves have the state:
 * another worker continues from there, and running twice requests nothing twice.
 */
export async function feedBulk(app: App, bulkId: string, run: JobRun): Promise<void> {
  const bulk = await leaseBulk(app, { bulkId, jobId: run.id })
  if (!bulk) return
  const hasEnded = await runSlice(app, bulk, run.signal)
  await app.db.transaction(async (tx) => {
    if (!hasEnded) await passOn(app, tx, bulk)
    await run.finish(tx)
  })
}

/** True when there is nothing left to do. */
async function runSlice(app: App, bulk: LeasedBulk, signal: AbortSignal): Promise<boolean> {
  const sliceEnd = Date.now() + SLICE_MS
  let slots = Math.max(SLOTS_MIN, await countUnderWay(app, bulk))
  while (Date.now() < sliceEnd && !signal.aborted) {
    const ended = await collectEnded(app, bulk)
    const before = await countUnderWay(app, bulk)
    for (const { seconds } of ended) slots += seconds < SLOW_SECONDS ? 1 : -1
    slots = Math.min(SLOTS_MAX, Math.max(SLOTS_MIN, slots))
    const matched = await matchRows(app, bulk)
    const asked = await askForRows(app, bulk, slots - before)
    const underWay = before + asked.queued
    if (
      asked.isRefused &&
      asked.answered === 0 &&
      matched === 0 &&
      underWay === 0 &&
      (await isOutOfCredits(app, bulk))
    ) {
      if (await pauseBulk(app, bulk)) return true
    }
    if (matched === 0 && underWay === 0 && asked.isEmpty && (await endBulk(app, bulk))) return true
    // Without known answers, rows are collected and requested a few together.
    if (asked.answered === 0 && matched === 0) await sleep(POLL_MS)
  }
  return false
}

/** False while credits are held for other requests: they may be released. */
async function isOutOfCredits(app: App, { accountId }: LeasedBulk): Promise<boolean> {
  const { available, held } = await getBalance(app.db, accountId)
  return available < 1 && held === 0
}

async function countUnderWay({ db }: App, { id }: LeasedBulk): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from bulk_row where bulk_id = $1 and state = 'running'`,
    [id],
  )
  return onlyRow(rows).count
}
