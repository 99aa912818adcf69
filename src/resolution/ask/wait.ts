import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { type JobReading, type JobRequest, readJob } from '../answers/read-job.ts'
import { listEnded, type ResolutionJob } from './job-store.ts'

/** A caller's wait for a job. */
export interface Wait {
  forMs: number
  /** Called about every two seconds while the job is under way. */
  onWaiting?: (job: ResolutionJob, waitedMs: number) => Promise<void>
  /** Ends the wait early. The job continues. */
  signal?: AbortSignal
}

export const NO_WAIT: Wait = { forMs: 0 }

const REPORT_EVERY_MS = 2_000
const TEST_POLL_MS = 250

function waitForEnd({ jobPoll, db }: App, jobId: string, forMs: number, signal?: AbortSignal): Promise<void> {
  return jobPoll.wait(jobId, { forMs, signal, find: (ids) => listEnded(db, ids) })
}

/** Waits for the end of a job and reads it. Null when the account has no such job in this mode. */
export async function readWhenEnded(app: App, ask: JobRequest, wait: Wait): Promise<JobReading | null> {
  if (ask.mode === 'test') return waitByClock(app, ask, wait.forMs)
  if (wait.onWaiting) return waitWithReports(app, ask, wait, wait.onWaiting)
  if (wait.forMs > 0) await waitForEnd(app, ask.id, wait.forMs, wait.signal)
  return readJob(app, ask)
}

/** A test job ends by the clock, so no other process ends it. */
async function waitByClock(app: App, ask: JobRequest, forMs: number): Promise<JobReading | null> {
  const endMs = performance.now() + forMs
  for (;;) {
    const reading = await readJob(app, ask)
    const leftMs = endMs - performance.now()
    if (leftMs <= 0 || reading?.job.status !== 'processing') return reading
    await sleep(Math.min(TEST_POLL_MS, leftMs))
  }
}

async function waitWithReports(
  app: App,
  ask: JobRequest,
  { forMs, signal }: Wait,
  onWaiting: NonNullable<Wait['onWaiting']>,
): Promise<JobReading | null> {
  let reading = await readJob(app, ask)
  const startedMs = performance.now()
  const ended = waitForEnd(app, ask.id, forMs, signal)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (reading && isUnderWay(reading)) {
    if (signal?.aborted) break
    const waitedMs = performance.now() - startedMs
    if (waitedMs >= forMs) break
    await onWaiting(reading.job, waitedMs)
    const pause = rest(Math.min(REPORT_EVERY_MS, forMs - waitedMs), signal)
    // Where too many waits are open in this process, `ended` resolves at once.
    await (hasEnded ? pause : Promise.race([ended, pause]))
    reading = await readJob(app, ask)
  }
  return reading
}

function isUnderWay({ kind, job }: JobReading): boolean {
  return kind === 'open' && job.status !== 'failed'
}

async function rest(forMs: number, signal?: AbortSignal): Promise<void> {
  // An abort only ends the rest early.
  await sleep(forMs, undefined, { signal, ref: false }).catch(() => undefined)
}
