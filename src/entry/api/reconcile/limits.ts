/** The limits of an endpoint without credentials: requests for each address, and batches at the same time. */
import type { App } from '../../../app.ts'
import type { BucketPolicy } from '../../../lib/limits/leased-limiter.ts'
import { runInSlot } from '../../../limits.ts'

/** 250 names a second after the first 3,000. */
export const BATCH_LIMIT: BucketPolicy = { name: 'reconcile', burst: 60, perSecond: 5 }
/** A person who types or moves a pointer over names. */
export const GLANCE_LIMIT: BucketPolicy = { name: 'reconcile_glance', burst: 120, perSecond: 10 }

/** Throws `busy` when more batches wait than can be matched soon. */
export function inSlot<Result>({ reconcileSlots }: App, work: () => Promise<Result>): Promise<Result> {
  return runInSlot(
    reconcileSlots,
    'Too many spreadsheets are being matched at this moment. Try again in a few seconds.',
    work,
  )
}
