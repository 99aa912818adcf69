import type { App } from '../app.ts'
import type { Tx } from '../lib/db.ts'
import { publishFinished } from './callbacks.ts'
import { type Subject, settleHold } from './charges.ts'
import { endJob, lockWaiting } from './job-store.ts'

/** What the work on a subject came to. */
export interface WorkResult {
  outcome: string
  resolutionId: string | null
  /** Of a search for a company's site. */
  websiteSearchId?: string
}

/** Ends every job that waited for this work, in the transaction that has its result: each pays or gets its credit back. */
export async function settleWaiting(
  app: Pick<App, 'jobs'>,
  tx: Tx,
  result: Subject & WorkResult & { at: Date },
): Promise<number> {
  const jobs = await lockWaiting(tx, result)
  for (const job of jobs) {
    const charge = await settleHold(tx, { ...job, outcome: result.outcome, at: result.at })
    await endJob(tx, {
      id: job.id,
      status: 'completed',
      resolutionId: result.resolutionId,
      websiteSearchId: result.websiteSearchId ?? null,
      charged: charge.charged,
      chargeReason: charge.reason,
      errorMessage: null,
      at: result.at,
    })
  }
  await publishFinished(app, tx, jobs, result.at)
  return jobs.length
}

const SORRY = 'We could not finish this after several attempts. Nothing was charged; ask again later.'

/** Our own attempts are spent: nobody pays. */
export async function failWaiting(app: Pick<App, 'jobs'>, tx: Tx, work: Subject & { at: Date }): Promise<number> {
  const jobs = await lockWaiting(tx, work)
  for (const job of jobs) {
    const charge = await settleHold(tx, { ...job, outcome: 'failed', at: work.at })
    await endJob(tx, {
      id: job.id,
      status: 'failed',
      resolutionId: null,
      websiteSearchId: null,
      charged: false,
      chargeReason: charge.reason,
      errorMessage: SORRY,
      at: work.at,
    })
  }
  await publishFinished(app, tx, jobs, work.at)
  return jobs.length
}
