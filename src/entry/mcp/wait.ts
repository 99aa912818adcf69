import { z } from 'zod'
import type { ResolutionJob, Wait } from '../../resolution/index.ts'
import type { Call } from './tool.ts'

/** Clients give up after a minute. */
const WAIT_SECONDS_MAX = 50

export const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_SECONDS_MAX)
  .default(WAIT_SECONDS_MAX)
  .describe('How long to wait for work under way before a job_id is given instead. Leave it out unless told otherwise.')

const STAGES = { pending: 'queued', processing: 'under way', completed: 'done', failed: 'failed' }

/**
 * Returns a wait that reports its progress to the client; `describe` says what is under way: `Reading example.co.uk`. The
 * wait ends when the client leaves. In test mode a tool does not wait.
 */
export function waitFor(
  { agent, signal, report }: Call,
  waitSeconds: number,
  describe: (job: ResolutionJob) => string,
): Wait {
  return {
    forMs: agent.mode === 'test' ? 0 : waitSeconds * 1_000,
    signal,
    onWaiting: async (job, waitedMs) => {
      const seconds = Math.floor(waitedMs / 1_000)
      await report?.(seconds, `${describe(job)}: ${STAGES[job.status]}, ${seconds} s so far.`)
    },
  }
}
