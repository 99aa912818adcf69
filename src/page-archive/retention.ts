/** How long the pages of an answer are kept: by its outcome, and by the plans of the accounts that got it. */
import type { PlanName } from '../accounts/index.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Outcome } from '../resolver/index.ts'

const YEAR = 366
const DAY_SECONDS = 86_400

/** A company, or a question about one: someone may have to show it. Rules on money laundering want five years and more. */
const NAMED: Record<PlanName, number> = { free: YEAR, starter: 2 * YEAR, growth: 6 * YEAR, scale: 10 * YEAR }
const UNNAMED: Record<PlanName, number> = { free: 90, starter: YEAR, growth: 2 * YEAR, scale: 2 * YEAR }

export const DAYS_KEPT: Record<Outcome, Record<PlanName, number>> = {
  matched: NAMED,
  needs_review: NAMED,
  non_uk_entity: NAMED,
  no_match: UNNAMED,
  scrape_failed: UNNAMED,
}

/** Every answer is kept as long as the least plan says. Accounts with a higher one prolong it; the longest counts. */
export function keptUntil({ outcome, resolvedAt }: { outcome: Outcome; resolvedAt: Date }, plan: PlanName): Date {
  return addSeconds(resolvedAt, DAYS_KEPT[outcome][plan] * DAY_SECONDS)
}

/** The pages of a sealed answer are attached to its document. They stay as long as those of a match, from the day of sealing. */
export function keptSealedUntil(sealedAt: Date, plan: PlanName): Date {
  return keptUntil({ outcome: 'matched', resolvedAt: sealedAt }, plan)
}
