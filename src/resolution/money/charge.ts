/** The cost of an answer, and the one list of its reasons. */
import type { Outcome } from '../../resolver/index.ts'

/** The outcome of a request: of a domain, of a search (`verified`), by the account's own decision, or a failure of ours. */
export type RequestOutcome = Outcome | 'verified' | 'own_decision' | 'failed'
type CostingOutcome = 'matched' | 'verified'

export const CHARGE_REASONS = [
  'matched',
  'verified',
  'already_paid',
  'needs_review_free',
  'no_match_free',
  'non_uk_entity_free',
  'scrape_failed_free',
  'own_decision_free',
  'refunded',
  'failed_free',
  'no_credits_free',
  'pending',
  'test_mode',
] as const
export type ChargeReason = (typeof CHARGE_REASONS)[number]

export interface Charge {
  charged: boolean
  reason: ChargeReason
}

export function isCosting(outcome: RequestOutcome): outcome is CostingOutcome {
  return outcome === 'matched' || outcome === 'verified'
}

export function freeCharge(outcome: Exclude<RequestOutcome, CostingOutcome>): Charge {
  return { charged: false, reason: `${outcome}_free` }
}

/** Returns the charge of an answer that the account has paid for, or that is free. */
export function repeatCharge(outcome: RequestOutcome): Charge {
  return isCosting(outcome) ? PAID_CHARGE : freeCharge(outcome)
}

export const PAID_CHARGE: Charge = { charged: false, reason: 'already_paid' }
/** The account's own decision is the answer: free, even without credits. */
export const OWN_CHARGE: Charge = freeCharge('own_decision')
/** The account has no credit for an answer that costs one: it is not searched for, or not shown. */
export const NO_CREDITS_CHARGE: Charge = { charged: false, reason: 'no_credits_free' }
export const TEST_CHARGE: Charge = { charged: false, reason: 'test_mode' }
