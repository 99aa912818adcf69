import type { ReviewDetail } from '../../api/bodies.ts'
import type { Picked } from '../../register/company-picker.tsx'
import type { Verdict } from './reviews.ts'

/** A candidate's number, or one of these. */
export const NONE = 'none'
export const OTHER = 'other'

export interface Choice {
  verdict: Verdict
  /** On the button. */
  action: string
  /** When it is done, after the domain. */
  says: string
}

/** What the chosen line means; null while nothing is chosen, or no company is named yet. */
export function toChoice(chosen: string | null, review: ReviewDetail, picked: Picked | null): Choice | null {
  if (chosen === NONE) return { verdict: { action: 'reject' }, action: 'Decide: none of these', says: 'none of these' }
  if (chosen === OTHER) {
    if (!picked) return null
    const says = picked.name ? `${picked.name} (${picked.number})` : picked.number
    const verdict = { action: 'reassign', company_number: picked.number } as const
    return { verdict, action: `Decide: ${says}`, says }
  }
  const candidate = review.candidates.find(({ company_number: number }) => number === chosen)
  if (!candidate) return null
  const { company_name: name, company_number: number } = candidate
  // Candidates may have one name.
  const says = `${name} (${number})`
  return { verdict: { action: 'accept', company_number: number }, action: `Decide: ${says}`, says }
}
