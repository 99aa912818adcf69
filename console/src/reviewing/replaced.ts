import type { Decision, ReviewsDone } from '../api/bodies.ts'

type Replaced = NonNullable<ReviewsDone['data'][number]['replaced']>

/** A decision in force, as it is compared with the one that the person saw; null for none. */
export type Seen = { action: string; company_number: string | null } | null

export function toSeen(decision: Pick<Decision, 'action' | 'company_number'> | null): Seen {
  return decision && { action: decision.action, company_number: decision.company_number }
}

/** Returns what makes a replaced decision again: with its company, its reviewer and its reason. */
export function toAgain({ action, company_number: number, reviewer, reason }: Replaced) {
  return {
    action,
    ...(number === null ? {} : { company_number: number }),
    reviewer,
    ...(reason === null ? {} : { reason }),
  }
}
