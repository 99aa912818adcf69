import type { Db } from '../../lib/db/db.ts'
import type { ResolutionJob } from '../ask/job-store.ts'
import { type ChargeReason, OWN_CHARGE } from './charge.ts'
import { type Fact } from './charges.ts'
import { isFactPaid, isRefunded } from './payments.ts'

interface Shown {
  /** The account that owns the job, whichever account reads it. */
  accountId: string
  chargeReason: ChargeReason
  /** The fact that the job would show; null where it names no company. */
  fact: Fact | null
  at: Date
}

/**
 * True when no payment covers what a job would show: a dispute gave the credit back, or it was free because of a decision
 * that the account has withdrawn since.
 */
export async function isClosed(db: Db, { accountId, chargeReason, fact, at }: Shown): Promise<boolean> {
  if (fact === null) return false
  if (await isRefunded(db, { accountId, fact, at })) return true
  return chargeReason === OWN_CHARGE.reason && !(await isFactPaid(db, { accountId, fact, at }))
}

export function closeJob(job: ResolutionJob): ResolutionJob {
  return {
    ...job,
    status: 'failed',
    errorMessage: 'This answer is not shown any more, as no credit pays for it. Ask again to have it.',
  }
}
