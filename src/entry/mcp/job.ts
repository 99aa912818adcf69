/** A request whose answer takes time: how long a tool waits for it, and what the tool answers then. */
import { z } from 'zod'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import {
  type DomainResult,
  NO_CREDITS_CHARGE,
  type ResolutionJob,
  type Wait,
  type WebsiteResult,
} from '../../resolution/index.ts'
import { type DomainAnswer, presentDomain, presentPendingDomain } from './answers/domain.ts'
import { toDocumentUrl } from './answers/evidence.ts'
import { presentPendingWebsite, presentWebsite, type WebsiteAnswer } from './answers/website.ts'
import type { Call, ToolAnswer } from './tool.ts'

/** Clients give up after a minute. */
const WAIT_SECONDS_MAX = 50

export const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_SECONDS_MAX)
  .default(WAIT_SECONDS_MAX)
  .describe(
    'How long to wait for the answer before you get a job_id instead. Leave it out unless the user asks for it.',
  )

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

export function presentDomainResult(
  app: App,
  { agent }: Pick<Call, 'agent'>,
  result: DomainResult,
  available: number,
): ToolAnswer<z.input<typeof DomainAnswer>> {
  if (result.kind === 'answered') {
    const documentUrl = toDocumentUrl(app, agent.mode, result.answer.known.id)
    return presentDomain({ ...result, available, documentUrl })
  }
  assertNotFailed(result.job)
  return presentPendingDomain(result.job, available)
}

export function presentWebsiteResult(
  app: App,
  { agent }: Pick<Call, 'agent'>,
  result: WebsiteResult,
  available: number,
): ToolAnswer<z.input<typeof WebsiteAnswer>> {
  switch (result.kind) {
    case 'answered': {
      const { resolutionId } = result.website
      const documentUrl = resolutionId && toDocumentUrl(app, agent.mode, resolutionId)
      return presentWebsite({ ...result, available, documentUrl })
    }
    case 'open':
      assertNotFailed(result.job)
      return presentPendingWebsite(result.job, available)
    case 'not_searched':
      throw result.refusal
  }
}

function assertNotFailed({ status, errorMessage, chargeReason }: ResolutionJob): void {
  if (status !== 'failed') return
  if (errorMessage !== null && chargeReason === NO_CREDITS_CHARGE.reason) {
    throw new DomainError('insufficient_credits', errorMessage)
  }
  const what = errorMessage ?? 'The work failed on our side. Nothing was charged.'
  throw new DomainError('unavailable', `${what} Ask the same question again in a few minutes.`)
}
