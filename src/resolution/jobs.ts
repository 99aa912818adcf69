import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { archiveOldAnswers } from './archive/archive-old.ts'
import { forgetOldPayments } from './money/payments.ts'
import { answerDomain } from './worker/answer-domain.ts'
import { giveUpOverdue, RETRIES_MAX } from './worker/work.ts'

/** A crawl mostly waits: many fit into one process. */
const CONCURRENCY = 32

/** Reads a domain's site and gives the answer to all who wait for it. Running twice is harmless. */
export const resolveDomainJob = defineJob({
  name: 'resolution.resolve_domain',
  concurrency: CONCURRENCY,
  retriesMax: RETRIES_MAX,
  retryDelaySeconds: 5,
  timeoutSeconds: 90,
  run: answerDomain,
})

const OVERDUE_MAX = 200
/** A request that was free stays free while its work lasts. */
const PAYMENTS_KEPT_SECONDS = 86_400

/** Gives up on overdue work and deletes expired jobs and payments. */
export const sweepResolutionsJob = defineJob({
  name: 'resolution.sweep',
  retriesMax: 1,
  timeoutSeconds: 300,
  schedule: '* * * * *',
  async run(app: App) {
    const at = app.clock.now()
    for (let count = 0; count < OVERDUE_MAX; count += 1) {
      if (!(await giveUpOverdue(app, at))) break
    }
    await app.db.query(
      'delete from resolution_job where id in (select id from resolution_job where expires_at <= $1 limit 10000)',
      [at],
    )
    await forgetOldPayments(app.db, addSeconds(at, -PAYMENTS_KEPT_SECONDS))
  },
})

/** Runs every hour, so that what one run does not finish is continued soon. */
export const archiveAnswersJob = defineJob({
  name: 'resolution.archive',
  retriesMax: 1,
  timeoutSeconds: 1_800,
  schedule: '41 * * * *',
  run: archiveOldAnswers,
})
