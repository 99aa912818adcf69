import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../src/app.ts'

export interface QueueDepth {
  ready: number
  active: number
}

export async function countJobs({ jobs }: Pick<App, 'jobs'>): Promise<QueueDepth> {
  const queues = await jobs.listQueues()
  return {
    ready: queues.reduce((sum, queue) => sum + queue.ready, 0),
    active: queues.reduce((sum, queue) => sum + queue.active, 0),
  }
}

const LOOK_MS = 250

/** Until hardly anything is waiting or at work; answers whether that came in time. */
export async function untilQuiet(app: Pick<App, 'jobs'>, waitMsMax: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += LOOK_MS) {
    const { ready, active } = await countJobs(app)
    if (ready + active === 0) return true
    await sleep(LOOK_MS)
  }
  return false
}
