import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { defineJob, type JobRun } from '../lib/jobs/jobs.ts'
import { forgetOldHistory } from './history/list-answers.ts'
import { keepPagesLonger } from './kept-pages/keep-longer.ts'
import { forgetOldPayments } from './money/payments.ts'
import { deleteOldAnswers } from './old-answers/delete-old-answers.ts'
import { readDueDomain } from './sweep/read-due.ts'
import { isMainForgotten, moveAll } from './sweep/sweep-status.ts'
import { answerDomain } from './worker/answer-domain.ts'
import { giveUpOverdue, RETRIES_MAX } from './worker/work.ts'

/** A crawl mostly waits: many fit into one process. */
const CONCURRENCY = 32

/** A process reads so many sites at once, whichever queues they come from. */
const READING = 'reading'

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

/** Fewer than the slots, which requests share: some stay free for them. */
const CRAWL_CONCURRENCY = 28

/** Reads a domain that is due, in the crawl store of its queue. Running twice is harmless. */
export const readDueDomainJob = defineJob({
  name: 'resolution.read_due',
  concurrency: CRAWL_CONCURRENCY,
  slotGroup: READING,
  // Other stores of this process have their share of the slots too.
  claimMax: 7,
  // The domain itself says what became of it. Of six hours there would be millions, and every statement of the queue is slower.
  finishedKeptSeconds: 300,
  retriesMax: RETRIES_MAX,
  retryDelaySeconds: 5,
  timeoutSeconds: 90,
  run: readDueDomain,
})

const MOVE_MS = 50_000
const FORGOTTEN =
  'the main database still has domains of lists, but no list of stores names it: set CRAWL_DATABASE_URLS_PREVIOUS=main'

/** Moves domains to their stores after a change of the list, and what an ended move left marked. Running twice is harmless. */
export const moveDomainsJob = defineJob({
  name: 'resolution.move_domains',
  retriesMax: 0,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App, _payload: object, run: JobRun) {
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(MOVE_MS)])
    const { moved, isFinished, away } = await moveAll(app, { signal })
    if (moved > 0) app.log.info({ event: 'crawl.moved', moved, isFinished, away })
    if (await isMainForgotten(app)) app.log.warn({ event: 'crawl.main_forgotten', advice: FORGOTTEN })
  },
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
