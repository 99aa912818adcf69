import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { JobLost, type JobRun } from '../../lib/jobs/jobs.ts'
import { resolutions } from '../../lib/metrics.ts'
import { markStatus } from '../ask/job-store.ts'
import type { Subject } from '../money/payments.ts'
import { failWaiting, settleWaiting, type WorkResult } from '../money/settle.ts'
import { claimWork, lockOverdueWork, releaseClaim, removeWork } from './work-store.ts'

export const RETRIES_MAX = 3
/** Work that took so many workers with it takes no other. */
const DEATHS_MAX = 2

/**
 * Does the work on a subject once, whatever asks for it twice, and gives the result to all who wait for it. `find` takes
 * its time; what it returns keeps the result and runs in the transaction that ends the work.
 */
export async function runWork(
  app: App,
  work: Subject,
  run: JobRun,
  claimSeconds: number,
  find: (claimed: { isBackground: boolean }) => Promise<(tx: Tx) => Promise<WorkResult>>,
): Promise<void> {
  const { kind, subject } = work
  // Done already, or another job is at it: whoever waits is served by that one.
  const claim = { kind, subject, jobId: run.id, seconds: claimSeconds, at: app.clock.now() }
  const claimed = await claimWork(app.db, claim)
  if (!claimed) return
  if (claimed.deaths >= DEATHS_MAX) {
    return giveUp(app, work, run, new Error(`${claimed.deaths} workers died over this work`))
  }
  await markStatus(app.db, work, 'processing')
  try {
    const keep = await find(claimed)
    // A process that stops has cut off its own connections: what it saw of a site then is not the site's doing.
    run.signal.throwIfAborted()
    const outcome = await app.db.transaction(async (tx) => {
      const result = await keep(tx)
      await removeWork(tx, work)
      await settleWaiting(app, tx, { kind, subject, ...result, at: app.clock.now() })
      await run.finish(tx)
      return result.outcome
    })
    resolutions.inc({ kind, outcome })
  } catch (error) {
    if (error instanceof JobLost) throw error
    await giveBack(app, work, run, error)
  }
}

/** Another attempt, or the end of it: then the askers are told, and the error stays in the log and not in the queue. */
async function giveBack(app: App, work: Subject, run: JobRun, error: unknown): Promise<void> {
  const { kind, subject } = work
  if (run.attempt <= RETRIES_MAX) {
    await markStatus(app.db, work, 'pending')
    await releaseClaim(app.db, { kind, subject, jobId: run.id })
    throw error
  }
  await giveUp(app, work, run, error)
}

/** The askers are told and nobody pays. Nothing is kept as the subject's answer: it may not have been the cause. */
async function giveUp(app: App, work: Subject, run: JobRun, error: unknown): Promise<void> {
  const { kind, subject } = work
  app.log.error({ event: 'resolution.given_up', kind, subject, error })
  await app.db.transaction(async (tx) => {
    await removeWork(tx, work)
    await failWaiting(app, tx, { kind, subject, at: app.clock.now() })
    await run.finish(tx)
  })
  resolutions.inc({ kind, outcome: 'given_up' })
}

/** Of one subject at a time: a transaction that holds the balances of many accounts must not wait for more of them. */
export async function giveUpOverdue(app: App, at: Date): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const work = await lockOverdueWork(tx, at)
    if (work === null) return false
    await removeWork(tx, work)
    await failWaiting(app, tx, { ...work, at })
    return true
  })
}
