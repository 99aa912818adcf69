import { z } from 'zod'
import type { OwnDecision } from '../../../decisions/index.ts'
import { presentMembers, Time } from '../../http/page.ts'

export const DecidedBy = z
  .object({
    action: z.enum(['accept', 'reject', 'reassign', 'dispute']),
    company_number: z.string().nullable().describe('The company that the person named; null for none of them.'),
    reviewer: z.string(),
    reason: z.string().nullable(),
    decided_at: Time,
  })
  .meta({
    id: 'DecidedBy',
    description: 'A decision of your own account. It replaces the shared answer, and no other account sees it.',
  })

export function presentDecidedBy(decision: OwnDecision | null): z.input<typeof DecidedBy> | null {
  return decision && presentMembers(decision)
}
