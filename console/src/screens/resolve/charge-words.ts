import type { Resolution } from '../../api/bodies.ts'

const WORDS: Record<Resolution['charge_reason'], string> = {
  matched: 'You paid one credit.',
  verified: 'You paid one credit.',
  already_paid: 'Free: you paid for this in the last 30 days.',
  needs_review_free: 'Free: answers that need review cost nothing.',
  no_match_free: 'Free: no match.',
  non_uk_entity_free: 'Free: no match.',
  scrape_failed_free: 'Free: the site could not be read.',
  failed_free: 'Free: we could not finish the request.',
  no_credits_free: 'Free: you had no credits left.',
  pending: '',
  test_mode: 'Free: test mode.',
  own_decision_free: 'Free: this is your own decision.',
  register_free: 'Free: found in the register, no site was read.',
  refunded: 'We refunded the credit after your dispute.',
}

/** The cost of an answer and its reason, as a sentence. */
export function describeCharge(reason: string): string {
  return (WORDS as Record<string, string>)[reason] ?? 'Free.'
}
