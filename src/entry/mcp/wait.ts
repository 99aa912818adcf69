import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { type JobReading, readJob, waitForJob } from '../../resolution/index.ts'
import type { Call } from './tool.ts'

/** Clients give up after a minute. */
const WAIT_SECONDS_MAX = 50
const REPORT_EVERY_MS = 2_000

export const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_SECONDS_MAX)
  .default(WAIT_SECONDS_MAX)
  .describe('How long to wait for work under way before a job_id is given instead. Leave it out unless told otherwise.')

export interface Wait {
  jobId: string
  waitSeconds: number
  /** For whoever watches: `Reading example.co.uk`. */
  doing: string
}

const STAGES = { pending: 'waiting for its turn', processing: 'under way', completed: 'done', failed: 'failed' }

/**
 * Waits until the job has ended, and tells the client every two seconds how it stands. Gives up when the time is over
 * or nobody waits any more: the job goes on, and its id is good for later. In test mode nothing is waited for.
 * Null when the account has no such job in the mode of the caller.
 */
export async function waitForAnswer(app: App, wait: Wait, call: Call): Promise<JobReading | null> {
  const { jobId, waitSeconds, doing } = wait
  const { accountId, mode } = call.agent
  const read = () => readJob(app, { id: jobId, accountId, mode })
  let reading = await read()
  if (mode === 'test') return reading
  const startedMs = performance.now()
  const ended = waitForJob(app, jobId, waitSeconds * 1_000)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (reading && isUnderWay(reading) && !call.signal.aborted) {
    const waitedMs = performance.now() - startedMs
    if (waitedMs >= waitSeconds * 1_000) break
    const seconds = Math.floor(waitedMs / 1_000)
    await call.report?.(seconds, `${doing}: ${STAGES[reading.job.status]}, ${seconds} s so far.`)
    const pause = rest(Math.min(REPORT_EVERY_MS, waitSeconds * 1_000 - waitedMs), call.signal)
    // Where too many wait in this process already, `ended` comes at once and says nothing.
    await (hasEnded ? pause : Promise.race([ended, pause]))
    reading = await read()
  }
  return reading
}

export function isUnderWay({ kind, job }: JobReading): boolean {
  return kind === 'open' && job.status !== 'failed'
}

async function rest(forMs: number, signal: AbortSignal): Promise<void> {
  // An abort ends the rest early, which is all it should do.
  await sleep(forMs, undefined, { signal, ref: false }).catch(() => undefined)
}
