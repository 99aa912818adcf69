/** The response bodies of the review endpoints: items, their details, and decisions. */
import { z } from 'zod'
import { OUTCOMES } from '../../../resolver/index.ts'
import type { DecisionWithRefund, getReview, ReviewItem } from '../../../review/index.ts'
import { presentMembers, Time } from '../../http/page.ts'
import { cursorPageOf } from '../cursor-page.ts'
import {
  Evidence,
  Explanation,
  GroupNotes,
  Method,
  presentCandidate,
  presentEvidence,
  presentExplanation,
  presentReading,
  ReviewCandidate,
  SecondReading,
} from '../resolution/bodies.ts'

const text = z.string().nullable()

export const RefundStatus = z
  .enum(['checking', 'waiting', 'refunded', 'refused', 'withdrawn'])
  .describe('Of a dispute: we read the site again (`checking`), our staff decide (`waiting`), or the decision.')

export const DecisionBody = z
  .object({
    id: z.string(),
    action: z.enum(['accept', 'reject', 'reassign', 'dispute', 'withdraw']),
    company_number: text.describe('The company that the person named; null for none of them.'),
    previous: z
      .object({ outcome: z.enum(OUTCOMES), company_number: text })
      .describe('The answer of your account until then.'),
    reviewer: z.string(),
    reason: text,
    decided_at: Time,
    refunded: z.boolean().describe('Of a dispute: whether we refunded the credit.'),
    refund_status: RefundStatus.nullable().optional(),
  })
  .meta({ id: 'Decision' })

const ReviewBody = z
  .object({
    id: z.string(),
    domain: z.string(),
    status: z.enum(['open', 'decided', 'closed']).describe('`closed`: a newer answer left nothing to look at.'),
    outcome: z.enum(OUTCOMES).describe('Of the shared answer.'),
    confidence: z.number().nullable().describe('Of the best candidate.'),
    reason: z.string().describe('Why the site decides nothing, or what decided it.'),
    candidates: z.array(ReviewCandidate).describe('Best first, at most five.'),
    resolution_id: z.string(),
    evidence_url: z.string(),
    created_at: Time,
    updated_at: Time,
    decision: DecisionBody.nullable().describe('The one in force.'),
  })
  .meta({ id: 'Review' })

export const ReviewPageBody = cursorPageOf(ReviewBody, 'new reviews arrive').meta({ id: 'Reviews' })

export const ReviewDetail = ReviewBody.extend({
  evidence: z.array(Evidence),
  explanation: Explanation,
  method: Method,
  second_reader: SecondReading,
  group_notes: GroupNotes,
  history: z.array(DecisionBody).describe('All decisions, newest first, at most twenty.'),
}).meta({ id: 'ReviewDetail' })

export function presentReview(item: ReviewItem): z.input<typeof ReviewBody> {
  return {
    ...presentMembers(item),
    candidates: item.candidates.map(presentCandidate),
    evidence_url: `/v1/resolutions/${item.resolutionId}/evidence`,
    decision: item.decision && presentDecision(item.decision),
  }
}

export function presentDetail(review: Awaited<ReturnType<typeof getReview>>): z.input<typeof ReviewDetail> {
  return {
    ...presentReview(review.item),
    evidence: presentEvidence(review.looked),
    explanation: presentExplanation(review.looked),
    ...presentReading(review.looked),
    group_notes: review.groupNotes,
    history: review.history.map(presentDecision),
  }
}

export function presentDecision(decision: DecisionWithRefund): z.input<typeof DecisionBody> {
  const previous = { outcome: decision.previousOutcome, company_number: decision.previousCompanyNumber }
  return { ...presentMembers(decision), previous }
}
