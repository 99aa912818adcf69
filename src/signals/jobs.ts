import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { recordQueuedChanges } from './detect/record.ts'
import { sweepOverdue } from './detect/sweep.ts'

/** Every minute, for changes whose follower died; a follower records the changes of its batch at once. */
export const recordSignalsJob = defineJob({
  name: 'signals.record',
  concurrency: 1,
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
  concurrency: 1,
  retriesMax: 3,
  retryDelaySeconds: 60,
  timeoutSeconds: 1_800,
  schedule: '10 * * * *',
  async run(app: App) {
    await sweepOverdue(app)
  },
})
