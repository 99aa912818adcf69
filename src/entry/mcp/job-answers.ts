/** What a job has to say: its answer, that there is none yet, or that there will be none. */
import type { z } from 'zod'
import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { DomainError } from '../../errors.ts'
import { type JobReading, NO_CREDITS_CHARGE, type ResolutionJob, readAnswer } from '../../resolution/index.ts'
import { type DomainAnswer, presentDomain, presentPendingDomain } from './answers/domain.ts'
import { presentPendingWebsite, presentWebsite, type WebsiteAnswer } from './answers/website.ts'
import type { Agent } from './authenticate.ts'
import type { ToolAnswer } from './tool.ts'

/** Of a job that was begun for a domain. */
export async function presentDomainJob(
  app: App,
  reading: JobReading,
  agent: Agent,
): Promise<ToolAnswer<z.input<typeof DomainAnswer>>> {
  const { job, charge } = reading
  assertNotFailed(job)
  const { available } = await getBalance(app.db, agent.accountId)
  if (reading.kind !== 'answered' && reading.kind !== 'test') return presentPendingDomain(job, available)
  const answer = reading.kind === 'test' ? reading.answer : await readAnswer(app, reading.known)
  return presentDomain({ input: job.input, answer, charge, available })
}

/** Of a search for a company's web site. */
export async function presentWebsiteJob(
  app: App,
  reading: JobReading,
  agent: Agent,
): Promise<ToolAnswer<z.input<typeof WebsiteAnswer>>> {
  const { job, charge } = reading
  assertNotFailed(job)
  const { available } = await getBalance(app.db, agent.accountId)
  if (reading.kind !== 'website') return presentPendingWebsite(job, available)
  return presentWebsite({ website: reading.website, resolution: reading.resolution, charge, available })
}

export function assertNotFailed({ status, errorMessage, chargeReason }: ResolutionJob): void {
  if (status !== 'failed') return
  if (errorMessage !== null && chargeReason === NO_CREDITS_CHARGE.reason) {
    throw new DomainError('insufficient_credits', errorMessage)
  }
  const what = errorMessage ?? 'The work failed on our side. Nothing was charged.'
  throw new DomainError('unavailable', `${what} Ask the same question again in a few minutes.`)
}
