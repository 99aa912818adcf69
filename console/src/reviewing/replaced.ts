import type { ReviewsDone } from '../api/bodies.ts'

type Replaced = NonNullable<ReviewsDone['data'][number]['replaced']>

/** Returns what makes a replaced decision again: with its company, its reviewer and its reason. */
export function toAgain({ action, company_number: number, reviewer, reason }: Replaced) {
  return {
    action,
    ...(number === null ? {} : { company_number: number }),
    reviewer,
    ...(reason === null ? {} : { reason }),
  }
}
