import type { ReviewDetail } from '../../api/bodies.ts'
import type { Picked } from '../../register/company-picker.tsx'
import type { ReviewDecision } from './reviews.ts'

/** A candidate's number, or one of these. */
export const NONE = 'none'
export const OTHER = 'other'

export interface Choice {
  decision: ReviewDecision
  /** On the button. */
  action: string
  /** Shown after the domain when it is done. */
  says: string
}

export const REJECTION: Choice = { decision: { action: 'reject' }, action: 'None of these', says: 'none of these' }

/** Returns the decision for the chosen option; null while no company is picked. */
export function toChoice(chosen: string, review: ReviewDetail, picked: Picked | null): Choice | null {
  if (chosen === NONE) return REJECTION
  if (chosen === OTHER) {
    if (!picked) return null
    const says = picked.name ? `${picked.name} (${picked.number})` : picked.number
    return { decision: { action: 'reassign', company_number: picked.number }, action: `Accept ${says}`, says }
  }
  const candidate = review.candidates.find(({ company_number: number }) => number === chosen)
  if (!candidate) return null
  const { company_name: name, company_number: number } = candidate
  // Two candidates can have the same name.
  const says = `${name} (${number})`
  return { decision: { action: 'accept', company_number: number }, action: `Accept ${says}`, says }
}

/** The best candidate is chosen at first, so that one key accepts it. */
export function firstChoice({ candidates }: ReviewDetail): string {
  return candidates[0]?.company_number ?? OTHER
}
