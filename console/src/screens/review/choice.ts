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

/** Returns the decision for the chosen option; null while no option or no company is chosen. */
export function toChoice(chosen: string | null, review: ReviewDetail, picked: Picked | null): Choice | null {
  if (chosen === NONE) return { decision: { action: 'reject' }, action: 'Decide: none of these', says: 'none of these' }
  if (chosen === OTHER) {
    if (!picked) return null
    const says = picked.name ? `${picked.name} (${picked.number})` : picked.number
    const decision = { action: 'reassign', company_number: picked.number } as const
    return { decision, action: `Decide: ${says}`, says }
  }
  const candidate = review.candidates.find(({ company_number: number }) => number === chosen)
  if (!candidate) return null
  const { company_name: name, company_number: number } = candidate
  // Two candidates can have the same name.
  const says = `${name} (${number})`
  return { decision: { action: 'accept', company_number: number }, action: `Decide: ${says}`, says }
}
