import type { Finding, Occasion } from './change-context.ts'
import type { CompanyFacts } from './company-facts.ts'
import { detectAccounts, detectConfirmation } from './filings.ts'
import { detectName, detectOffice, detectSicCodes } from './particulars.ts'
import { detectStanding } from './standing.ts'

export function detectCompany(before: CompanyFacts | null, after: CompanyFacts | null, on: Occasion): Finding[] {
  // The first sight of a company is a baseline and not an event; and what left the register has said so by its status.
  if (!before || !after) return []
  return [
    ...detectStanding(before, after, on),
    ...detectName(before, after, on),
    ...detectOffice(before, after, on),
    ...detectSicCodes(before, after, on),
    ...detectAccounts(before, after, on),
    ...detectConfirmation(before, after, on),
  ]
}
