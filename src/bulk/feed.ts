import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { onlyRow } from '../lib/db/db.ts'
import type { JobRun } from '../lib/jobs/jobs.ts'
import { askForRows } from './ask-rows.ts'
import { type ClaimedBulk, claimBulk, passOn } from './claim.ts'
import { collectEnded } from './collect.ts'
import { endBulk, pauseBulk } from './end.ts'

/** Then another job goes on, so that a bulk keeps no slot for good and a worker that stops is not kept waiting. */
const TURN_MS = 10_000
const POLL_MS = 200

/**
 * How many rows of one bulk are under way. The places of a bulk grow while its rows end soon and shrink when they take
 * long: the more there is to do for all, the shorter the queue of each, so that nothing waits until it is given up on.
 */
const PLACES_MIN = 32
const PLACES_MAX = 128
const SLOW_SECONDS = 120

/**
 * Asks for the rows of a bulk and takes up their answers, for one turn. Its place is in the rows: another job goes on
 * from there, and running twice asks for nothing twice.
 */
export async function feedBulk(app: App, bulkId: string, run: JobRun): Promise<void> {
  const bulk = await claimBulk(app, { bulkId, jobId: run.id })
  if (!bulk) return
  const hasEnded = await takeTurn(app, bulk, run.signal)
  await app.db.transaction(async (tx) => {
    if (!hasEnded) await passOn(app, tx, bulk)
    await run.finish(tx)
  })
}

/** True when there is nothing left to do. */
async function takeTurn(app: App, bulk: ClaimedBulk, signal: AbortSignal): Promise<boolean> {
  const turnEnd = Date.now() + TURN_MS
  let places = Math.max(PLACES_MIN, await countUnderWay(app, bulk))
  while (Date.now() < turnEnd && !signal.aborted) {
    const ended = await collectEnded(app, bulk)
    const before = await countUnderWay(app, bulk)
    for (const { seconds } of ended) places += seconds < SLOW_SECONDS ? 1 : -1
    places = Math.min(PLACES_MAX, Math.max(PLACES_MIN, places))
    const asked = await askForRows(app, bulk, places - before)
    const underWay = before + asked.queued
    if (asked.isRefused && asked.answered === 0 && underWay === 0 && (await isOutOfCredits(app, bulk))) {
      if (await pauseBulk(app, bulk)) return true
    }
    if (underWay === 0 && asked.isEmpty && (await endBulk(app, bulk))) return true
    // Unless answers were there at once, rows are taken up and asked for a few together.
    if (asked.answered === 0) await sleep(POLL_MS)
  }
  return false
}

/** What is held for other questions may come back, and is waited for. */
async function isOutOfCredits(app: App, { accountId }: ClaimedBulk): Promise<boolean> {
  const { available, held } = await getBalance(app.db, accountId)
  return available < 1 && held === 0
}

async function countUnderWay({ db }: App, { id }: ClaimedBulk): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from bulk_row where bulk_id = $1 and state = 'running'`,
    [id],
  )
  return onlyRow(rows).count
}
