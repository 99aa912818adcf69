import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { JobLost, type JobRun } from '../../lib/jobs/jobs.ts'
import { resolutions } from '../../lib/metrics.ts'
import { markStatus } from '../ask/job-store.ts'
import type { Subject } from '../money/payments.ts'
import { failWaiting, settleWaiting, type WorkResult } from '../money/settle.ts'
import { leaseWork, lockOverdueWork, releaseLease, removeWork } from './work-store.ts'

/** The job that searches for a company's site; `websites` defines it. */
export const FIND_WEBSITE = 'resolution.find_website'

export const RETRIES_MAX = 3
/** Work that took so many workers with it takes no other. */
const DEATHS_MAX = 2

/**
 * Does the work on a subject once and gives the result to all jobs that wait for it. `find` may take long; the function it
 * returns stores the result in the transaction that ends the work.
 */
export async function runWork(
  app: App,
  work: Subject,
  run: JobRun,
  leaseSeconds: number,
  find: (leased: { isBackground: boolean }) => Promise<(tx: Tx) => Promise<WorkResult>>,
): Promise<void> {
  const { kind, subject } = work
  // Done already, or another run has the lease and will serve all who wait.
  const lease = { kind, subject, jobId: run.id, seconds: leaseSeconds, at: app.clock.now() }
  const leased = await leaseWork(app.db, lease)
  if (!leased) return
  if (leased.deaths >= DEATHS_MAX) {
    return giveUp(app, work, run, new Error(`${leased.deaths} workers died over this work`))
  }
  await markStatus(app.db, work, 'processing')
  try {
    const store = await find(leased)
    // A process that stops has cut its own connections, so a failure then is not the site's.
    run.signal.throwIfAborted()
    const outcome = await app.db.transaction(async (tx) => {
      const result = await store(tx)
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

/** Returns the work for another run, or gives up after the last: then the error is in the log and not in the queue. */
async function giveBack(app: App, work: Subject, run: JobRun, error: unknown): Promise<void> {
  const { kind, subject } = work
  if (run.attempt <= RETRIES_MAX) {
    await markStatus(app.db, work, 'pending')
    await releaseLease(app.db, { kind, subject, jobId: run.id })
    throw error
  }
  await giveUp(app, work, run, error)
}

/** Fails the waiting jobs, free of charge. No answer is stored: the subject may not have been the cause. */
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

/** Gives up one subject per transaction: one that has locked the balances of many accounts must not wait for more. */
export async function giveUpOverdue(app: App, at: Date): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const work = await lockOverdueWork(tx, at)
    if (work === null) return false
    await removeWork(tx, work)
    await failWaiting(app, tx, { ...work, at })
    return true
  })
}
