import { acceptsSecondReader } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { type KnownResolution, readAgain } from '../resolution/index.ts'
import { findRequest } from './refund-requests.ts'
import { decideByRule, lockDisputes } from './refunds.ts'

const RETRIES_MAX = 3

/**
 * Reads the site of a disputed match again and decides on the refund by what it says. Running twice is harmless. For an account
 * that refuses the second reader it is asked only about a match that it made itself.
 */
export const checkDisputeJob = defineJob({
  name: 'review.check_dispute',
  concurrency: 4,
  retriesMax: RETRIES_MAX,
  retryDelaySeconds: 30,
  timeoutSeconds: 90,
  async run(app: App, { requestId, isByRules = true }: { requestId: string; isByRules?: boolean }, run) {
    const request = await findRequest(app.db, requestId)
    if (request?.status !== 'checking') return
    let fresh: KnownResolution | null = null
    try {
      const asksReader = !isByRules || (await acceptsSecondReader(app.db, request.accountId))
      fresh = await readAgain(app, { domain: request.fact.domain, asksReader }, run.signal)
    } catch (error) {
      if (run.attempt <= RETRIES_MAX) throw error
      app.log.error({ event: 'dispute.not_read_again', domain: request.fact.domain, error })
    }
    const decided = await app.db.transaction(async (tx) => {
      await lockDisputes(tx, request.accountId)
      const now = await decideByRule(tx, request, { fresh, isByRules, at: app.clock.now() })
      await run.finish(tx)
      return now
    })
    app.log.info({ event: 'dispute.checked', domain: request.fact.domain, status: decided.status })
  },
})
