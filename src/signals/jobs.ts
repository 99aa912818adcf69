import type { App } from '../app.ts'
import { defineJob, type JobRun } from '../lib/jobs/jobs.ts'
import { recordQueuedChanges } from './detect/record.ts'
import { sweepOverdue } from './detect/sweep.ts'
import { sweepIdentity } from './detect/sweep-identity.ts'
import { sweepStatements } from './detect/sweep-statements.ts'
import { type Digest, SEND_DIGEST_JOB, sendDigest, startDigests } from './digest/digest.ts'
import { forgetTestSignals } from './test-mode/test-signals.ts'
import { FOLLOW_WATCHED_JOB, followWatched } from './watch/follow-watched.ts'

/** Every minute, for changes whose follower died; a follower records the changes of its batch at once. */
export const recordSignalsJob = defineJob({
  name: 'signals.record',
  retriesMax: 2,
  retryDelaySeconds: 5,
  timeoutSeconds: 300,
  schedule: '* * * * *',
  async run(app: App) {
    await recordQueuedChanges(app)
  },
})

/** Ten past every hour in UTC, which in summer and winter is ten past midnight in London once; the others do nothing. */
export const sweepOverdueJob = defineJob({
  name: 'signals.sweep_overdue',
  timeoutSeconds: 1_800,
  schedule: '10 * * * *',
  async run(app: App) {
    await sweepOverdue(app)
  },
})

/** Ten minutes after the other sweep, for the same reason every hour. */
export const sweepIdentityJob = defineJob({
  name: 'signals.sweep_identity',
  timeoutSeconds: 1_800,
  schedule: '20 * * * *',
  async run(app: App) {
    await sweepIdentity(app)
  },
})

/** Ten minutes after that one. */
export const sweepStatementsJob = defineJob({
  name: 'signals.sweep_statements',
  timeoutSeconds: 1_800,
  schedule: '30 * * * *',
  async run(app: App) {
    await sweepStatements(app)
  },
})

export const followWatchedJob = defineJob({
  name: FOLLOW_WATCHED_JOB,
  retriesMax: 8,
  timeoutSeconds: 1_200,
  run: (app: App, payload: { companyNumbers: string[] }, run: JobRun) => followWatched(app, payload, run),
})

/**
 * Every hour, for the one that follows seven in London; the others find nothing left to do. Ten minutes late, so that
 * the signals detected before seven are all committed.
 */
export const startDigestsJob = defineJob({
  name: 'signals.start_digests',
  timeoutSeconds: 1_800,
  schedule: '10 * * * *',
  async run(app: App) {
    const digests = await startDigests(app)
    if (digests > 0) app.log.info({ event: 'digest.started', digests })
  },
})

/** One e-mail for one account. Fewer at once than the mailer has connections: a new password must not queue behind. */
export const sendDigestJob = defineJob({
  name: SEND_DIGEST_JOB,
  concurrency: 3,
  // Four hours in all. What is not sent by then is part of the next day's.
  retriesMax: 8,
  timeoutSeconds: 60,
  run: (app: App, digest: Digest, run: JobRun) => sendDigest(app, digest, run),
})

export const forgetTestSignalsJob = defineJob({
  name: 'signals.forget_test',
  timeoutSeconds: 600,
  schedule: '41 * * * *',
  run: (app: App) => forgetTestSignals(app),
})
