import type { CompanyFacts } from '../../register/index.ts'
import type { ChangeContext, DetectedSignal } from './change-context.ts'
import { detectAccounts, detectConfirmation } from './filings.ts'
import { detectName, detectOffice, detectSicCodes } from './particulars.ts'
import { detectStanding } from './standing.ts'

export function detectCompany(
  before: CompanyFacts | null,
  after: CompanyFacts | null,
  context: ChangeContext,
): DetectedSignal[] {
  // A company's first row is a baseline and no event; and the status of one that left the register changed before.
  if (!before || !after) return []
  return [
    ...detectStanding(before, after, context),
    ...detectName(before, after, context),
    ...detectOffice(before, after, context),
    ...detectSicCodes(before, after, context),
    ...detectAccounts(before, after, context),
    ...detectConfirmation(before, after, context),
  ]
}
