import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { forgetOldHistory } from './history/list-answers.ts'
import { keepPagesLonger } from './kept-pages/keep-longer.ts'
import { forgetOldPayments } from './money/payments.ts'
import { deleteOldAnswers } from './old-answers/delete-old-answers.ts'
import { answerDomain } from './worker/answer-domain.ts'
import { deleteExpiredReadings } from './worker/sweep-reading.ts'
import { giveUpOverdue, READING, RETRIES_MAX } from './worker/work.ts'

/** A crawl mostly waits: many fit into one process. */
const CONCURRENCY = 32

/** Reads a domain's site and gives the answer to all who wait for it. Running twice is harmless. */
export const resolveDomainJob = defineJob({
  name: 'resolution.resolve_domain',
  concurrency: CONCURRENCY,
  slotGroup: READING,
  retriesMax: RETRIES_MAX,
  retryDelaySeconds: 5,
  timeoutSeconds: 90,
  run: answerDomain,
})

const OVERDUE_MAX = 200
/** A request that was free stays free while its work lasts. */
const PAYMENTS_KEPT_SECONDS = 86_400

/** Gives up on overdue work and deletes expired jobs, payments and readings of lists. */
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
    await deleteExpiredReadings(app.db, at)
    await forgetOldPayments(app.db, addSeconds(at, -PAYMENTS_KEPT_SECONDS))
  },
})

/** Deletes entries of histories whose time is over. Running twice is harmless. */
export const forgetHistoryJob = defineJob({
  name: 'resolution.forget_history',
  retriesMax: 1,
  timeoutSeconds: 300,
  schedule: '17 * * * *',
  run: (app: App) => forgetOldHistory(app.db, app.clock.now()),
})

/** It waits only briefly for the lock that replaces a month, so it is retried. Running twice is harmless. */
export const deleteOldAnswersJob = defineJob({
  name: 'resolution.delete_old_answers',
  retriesMax: 5,
  retryDelaySeconds: 60,
  timeoutSeconds: 7_200,
  schedule: '41 4 * * *',
  run: deleteOldAnswers,
})

/** Prolongs how long pages are kept, by the plans of those who got the answers. Running twice is harmless. */
export const keepPagesLongerJob = defineJob({
  name: 'resolution.keep_pages_longer',
  retriesMax: 2,
  timeoutSeconds: 1_800,
  schedule: '53 2 * * *',
  run: keepPagesLonger,
})
