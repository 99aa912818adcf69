import type { App } from '../../app.ts'
import { defineJob } from '../../lib/jobs/jobs.ts'
import { LANES } from '../publish/wake.ts'
import { drainDestination } from './deliver-due.ts'

// A job is all that is due at one destination, so that its connection is made once and it never has two senders. Slots
// are cheap: nearly all of a job's time is waiting for a receiver.
const LANE = {
  claimMax: 20,
  retriesMax: 5,
  retryDelaySeconds: 1,
  timeoutSeconds: 120,
  run: (app: App, { destinationId }: { destinationId: number }, run: Parameters<typeof drainDestination>[2]) =>
    drainDestination(app, destinationId, run),
} as const

export const deliverJob = defineJob({ ...LANE, name: LANES.deliver, concurrency: 400 })
export const retryJob = defineJob({ ...LANE, name: LANES.retry, concurrency: 100 })
