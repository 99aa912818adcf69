import { isSoInTime } from '../../../rig/until.ts'
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

/** Waits until no job is ready or running; returns whether that came in time. */
export function untilQuiet(app: Pick<App, 'jobs'>, timeoutMs: number): Promise<boolean> {
  const isQuiet = async () => {
    const { ready, active } = await countJobs(app)
    return ready + active === 0
  }
  return isSoInTime(isQuiet, { timeoutMs, everyMs: 250 })
}
