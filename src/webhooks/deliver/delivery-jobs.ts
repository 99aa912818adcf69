import type { App } from '../../app.ts'
import { defineJob } from '../../lib/jobs/jobs.ts'
import { DELIVERY_JOBS } from '../publish/wake.ts'
import { deliverDue } from './deliver-due.ts'

// One job sends everything that is due at one destination: one connection, and never two senders. Many run at once, since
// a job spends nearly all of its time waiting for a receiver.
const DELIVERY_JOB = {
  claimMax: 20,
  retriesMax: 5,
  retryDelaySeconds: 1,
  timeoutSeconds: 120,
  run: (app: App, { destinationId }: { destinationId: number }, run: Parameters<typeof deliverDue>[2]) =>
    deliverDue(app, destinationId, run),
} as const

export const deliverJob = defineJob({ ...DELIVERY_JOB, name: DELIVERY_JOBS.deliver, concurrency: 400 })
export const retryJob = defineJob({ ...DELIVERY_JOB, name: DELIVERY_JOBS.retry, concurrency: 100 })
