/** What keeps an endpoint without credentials from being too much: a limit for each address, and places for batches. */
import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { BucketPolicy } from '../../lib/leased-limiter.ts'
import { rateLimited } from '../../lib/metrics.ts'
import { Semaphore } from '../../lib/semaphore.ts'

/** 250 names a second after the first 3,000. */
export const BATCH_LIMIT: BucketPolicy = { name: 'reconcile', burst: 60, perSecond: 5 }
/** A person who types or moves a pointer over names. */
export const GLANCE_LIMIT: BucketPolicy = { name: 'reconcile_glance', burst: 120, perSecond: 10 }

// A batch may be fifty searches: without a bound, a few addresses would take every connection to the database.
const PLACES = { slots: 4, queueMax: 32 }
const RETRY_SECONDS = 2
const batches = new Semaphore(PLACES)

export async function admitAddress(app: App, request: FastifyRequest, policy: BucketPolicy): Promise<void> {
  const admission = await app.limiter.admit(request.ip, policy)
  if (admission.kind === 'admitted') return
  rateLimited.inc({ policy: policy.name })
  const { retryAfterSeconds } = admission
  throw new DomainError('rate_limited', `Too many questions from this address. Wait ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

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
