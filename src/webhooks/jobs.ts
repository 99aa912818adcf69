import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { deliverDue } from './deliver/deliver-due.ts'
import { forgetEvents } from './deliver/forget.ts'
import { DELIVERY_JOBS, wakeOverslept } from './deliver/lease.ts'
import { SEND_DISABLED_JOB, sendDisabledEmail } from './destinations/owner.ts'
import { publishAuditEntries } from './publish/audit-stream.ts'

// One job sends everything that is due at one destination: one connection, and never two senders. Many run at once, since
// a job spends nearly all of its time waiting for a receiver.
const DELIVERY = {
  claimMax: 50,
  retriesMax: 5,
  retryDelaySeconds: 1,
  timeoutSeconds: 120,
  run: deliverDue,
} as const

export const deliverJob = defineJob({ ...DELIVERY, name: DELIVERY_JOBS.deliver, concurrency: 400 })
export const retryJob = defineJob({ ...DELIVERY, name: DELIVERY_JOBS.retry, concurrency: 100 })

const BATCH_DESTINATIONS = 500
const BATCHES_MAX = 100

/** Queues another delivery job for each destination whose job is missing or died for good. Runs every minute. */
export const wakeDestinationsJob = defineJob({
  name: 'webhooks.wake',
  retriesMax: 1,
  retryDelaySeconds: 10,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if ((await wakeOverslept(app, BATCH_DESTINATIONS)) < BATCH_DESTINATIONS) break
    }
  },
})

/** Publishes the new entries of audit logs for the accounts that subscribe to them. Runs every minute. */
export const publishAuditJob = defineJob({
  name: 'webhooks.publish_audit',
  retriesMax: 1,
  retryDelaySeconds: 10,
  timeoutSeconds: 300,
  schedule: '* * * * *',
  run: publishAuditEntries,
})

export const forgetEventsJob = defineJob({
  name: 'webhooks.forget',
  retriesMax: 2,
  timeoutSeconds: 900,
  schedule: '23 * * * *',
  run: forgetEvents,
})

export const sendDisabledJob = defineJob({
  name: SEND_DISABLED_JOB,
  concurrency: 2,
  retriesMax: 8,
  retryDelaySeconds: 2,
  timeoutSeconds: 60,
  run: sendDisabledEmail,
})
