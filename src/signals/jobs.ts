import type { App } from '../app.ts'
import { defineJob, type JobRun } from '../lib/jobs/jobs.ts'
import { recordQueuedChanges } from './detect/record.ts'
import { sweepOverdue } from './detect/sweep.ts'
import { sweepIdentity } from './detect/sweep-identity.ts'
import { sweepStatements } from './detect/sweep-statements.ts'
import {
  type Digest,
  type ListDigest,
  SEND_DIGEST_JOB,
  SEND_LIST_DIGEST_JOB,
  sendDigest,
  startDigests,
} from './digest/digest.ts'
import { type InstantEmail, SEND_INSTANT_JOB, sendInstantEmail, startInstantEmails } from './digest/instant.ts'
import { sendListDigest } from './digest/list-digest.ts'
import { forgetTestSignals } from './test-mode/test-signals.ts'
import { FOLLOW_MISSED_JOB, followMissed } from './watch/follow-missed.ts'
import { FOLLOW_WATCHED_JOB, type FollowWatched, followWatched } from './watch/follow-watched.ts'

/**
 * Every minute, for changes whose follower died; a follower records the changes of its batch at once. Then the signals that wait
 * for e-mails of lists become one e-mail for each list.
 */
export const recordSignalsJob = defineJob({
  name: 'signals.record',
  retriesMax: 2,
  retryDelaySeconds: 5,
  timeoutSeconds: 300,
  schedule: '* * * * *',
  async run(app: App) {
    await recordQueuedChanges(app)
    const emails = await startInstantEmails(app)
    if (emails > 0) app.log.info({ event: 'instant_email.started', emails })
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
  run: (app: App, payload: FollowWatched, run: JobRun) => followWatched(app, payload, run),
})

/** Every three hours; it reads the watchlists, and asks the register nothing. */
export const followMissedJob = defineJob({
  name: FOLLOW_MISSED_JOB,
  timeoutSeconds: 1_800,
  schedule: '50 */3 * * *',
  run: (app: App, _payload: object, run: JobRun) => followMissed(app, run),
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

/** Fewer at once than the mailer has connections: a new password must not queue behind. */
const MAILING = { slotGroup: 'signals.mail', concurrency: 3, timeoutSeconds: 60 }

/** One e-mail for one account. Four hours in all: what is not sent by then is part of the next day's. */
export const sendDigestJob = defineJob({
  ...MAILING,
  name: SEND_DIGEST_JOB,
  retriesMax: 8,
  run: (app: App, digest: Digest, run: JobRun) => sendDigest(app, digest, run),
})

/** One e-mail for one list, as long as the others. */
export const sendListDigestJob = defineJob({
  ...MAILING,
  name: SEND_LIST_DIGEST_JOB,
  retriesMax: 8,
  run: (app: App, digest: ListDigest, run: JobRun) => sendListDigest(app, digest, run),
})

/** One e-mail for one list. First again after 15 s, and for four hours; then it is a dead letter. */
export const sendInstantJob = defineJob({
  ...MAILING,
  name: SEND_INSTANT_JOB,
  retriesMax: 10,
  retryDelaySeconds: 15,
  run: (app: App, email: InstantEmail, run: JobRun) => sendInstantEmail(app, email, run),
})

export const forgetTestSignalsJob = defineJob({
  name: 'signals.forget_test',
  timeoutSeconds: 600,
  schedule: '41 * * * *',
  run: (app: App) => forgetTestSignals(app),
})
