import { z } from 'zod'
import type { Charge } from '../../../resolution/index.ts'

/** The cost of an answer, part of every answer that can spend credits. */
export const Cost = z.object({
  charged: z.boolean().describe('Whether this answer cost a credit.'),
  charge_reason: z
    .string()
    .describe('Why it did, or why not: `matched`, `already_paid`, `no_match_free`, `pending`, …'),
  credits_available: z.int().describe('What the account can spend after this.'),
})

export function presentCost({ charged, reason }: Charge, available: number): z.input<typeof Cost> {
  return { charged, charge_reason: reason, credits_available: available }
}

const WHY_FREE: Record<string, string> = {
  already_paid: ': it was paid for in the last 30 days',
  own_decision_free: ': the account decided it itself',
}

export function formatCost({ charged, charge_reason: reason, credits_available: left }: z.input<typeof Cost>): string {
  const why = WHY_FREE[reason] ?? ''
  return `${charged ? 'This cost 1 credit' : `This cost nothing${why}`}. Credits left: ${left}.`
}
