/** The limits of an endpoint without credentials: requests for each address, and batches at the same time. */
import { DomainError } from '../../../errors.ts'
import type { BucketPolicy } from '../../../lib/limits/leased-limiter.ts'
import { Semaphore } from '../../../lib/limits/semaphore.ts'

/** 250 names a second after the first 3,000. */
export const BATCH_LIMIT: BucketPolicy = { name: 'reconcile', burst: 60, perSecond: 5 }
/** A person who types or moves a pointer over names. */
export const GLANCE_LIMIT: BucketPolicy = { name: 'reconcile_glance', burst: 120, perSecond: 10 }

// A batch may be fifty searches: without a bound, a few addresses would take every connection to the database.
const BATCHES = { slots: 4, queueMax: 32 }
const RETRY_SECONDS = 2
const batches = new Semaphore(BATCHES)

/** Throws `busy` when more wait than can be answered soon. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const leave = await batches.enter()
  if (!leave) {
    throw new DomainError(
      'busy',
      'Too many spreadsheets are being matched at this moment. Try again in a few seconds.',
      {
        retryAfterSeconds: RETRY_SECONDS,
      },
    )
  }
  try {
    return await work()
  } finally {
    leave()
  }
}
