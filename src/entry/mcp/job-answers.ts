/** Tool results for a request: its answer, that there is none yet, or that there will be none. */
import type { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { type DomainResult, NO_CREDITS_CHARGE, type ResolutionJob, type WebsiteResult } from '../../resolution/index.ts'
import { type DomainAnswer, presentDomain, presentPendingDomain } from './answers/domain.ts'
import { presentPendingWebsite, presentWebsite, type WebsiteAnswer } from './answers/website.ts'
import type { ToolAnswer } from './tool.ts'

export function presentDomainResult(result: DomainResult, available: number): ToolAnswer<z.input<typeof DomainAnswer>> {
  if (result.kind === 'answered') return presentDomain({ ...result, available })
  assertNotFailed(result.job)
  return presentPendingDomain(result.job, available)
}

export function presentWebsiteResult(
  result: WebsiteResult,
  available: number,
): ToolAnswer<z.input<typeof WebsiteAnswer>> {
  switch (result.kind) {
    case 'answered':
      return presentWebsite({ ...result, available })
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
