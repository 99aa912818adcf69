/** The response bodies of the review endpoints: items, their details, and decisions. */
import { z } from 'zod'
import type { ReplacedDecision, SeenDecision } from '../../../decisions/index.ts'
import { formatAddress } from '../../../register/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import {
  COMPARED_KINDS,
  type DecisionWithRefund,
  DIFFERENCE_KINDS,
  DOUBTS,
  describeDoubt,
  type FullReview,
  findDoubt,
  type ReviewItem,
} from '../../../review/index.ts'
import { presentMembers, Time } from '../../http/page.ts'
import { cursorPageOf } from '../cursor-page.ts'
import {
  CompanySummary,
  Evidence,
  Explanation,
  GroupNotes,
  Method,
  presentCandidate,
  presentEvidence,
  presentExplanation,
  presentReading,
  presentSummary,
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

/** The decision that a person saw before deciding. */
export const Seen = z
  .object({ action: z.enum(['accept', 'reject', 'reassign', 'dispute']), company_number: text })
  .nullable()
  .optional()
  .describe(
    'The decision that you saw, null for none. Where another one is in force now, yours is refused and nothing changes. Leave it ' +
      'out to replace any.',
  )

export function readSeen(seen: z.output<typeof Seen>): SeenDecision | null | undefined {
  return seen && { action: seen.action, companyNumber: seen.company_number }
}

export const Replaced = z
  .object({
    action: z.enum(['accept', 'reject', 'reassign', 'dispute']),
    company_number: text,
    reviewer: z.string(),
    reason: text,
  })
  .nullable()
  .optional()
  .describe('The decision that was in force before: send it again to undo this one. Null where there was none.')

const ReviewBody = z
  .object({
    id: z.string(),
    domain: z.string(),
    status: z.enum(['open', 'decided', 'closed']).describe('`closed`: a newer answer left nothing to look at.'),
    outcome: z.enum(OUTCOMES).describe('Of the shared answer.'),
    confidence: z.number().nullable().describe('Of the best candidate.'),
    reason: z.string().describe('Why the site decides nothing, or what decided it.'),
    doubt: z.enum(DOUBTS).nullable().describe('The kind of doubt; null where there is none, or none is known.'),
    doubt_text: text,
    candidates: z.array(ReviewCandidate).describe('Best first, at most five.'),
    resolution_id: z.string(),
    evidence_url: z.string(),
    created_at: Time,
    updated_at: Time,
    decision: DecisionBody.nullable().describe('The one in force.'),
  })
  .meta({ id: 'Review' })

export const ReviewPageBody = cursorPageOf(ReviewBody, 'new reviews arrive')
  .extend({
    counts: z
      .object({
        open: z.int().describe('All open reviews of your account.'),
        decided_today: z.int().describe('Decided since midnight in London.'),
        total: z.int().describe('Reviews that match the filter.'),
      })
      .describe('Progress of the queue. Each is counted up to 100,000.'),
  })
  .meta({ id: 'Reviews' })

export const Difference = z
  .object({
    kind: z.enum(DIFFERENCE_KINDS),
    site: text.describe('As the site prints it; null where it prints nothing of the kind.'),
    register: text,
    says: z.string(),
  })
  .meta({ id: 'Difference' })

export const Compared = z
  .array(z.enum(COMPARED_KINDS))
  .optional()
  .describe(
    'The parts of the record that the words of the site were compared with: without a difference, they agree. Empty where the ' +
      'site has no words about the company.',
  )

export const ReviewDetail = ReviewBody.extend({
  evidence: z.array(Evidence),
  explanation: Explanation,
  method: Method,
  second_reader: SecondReading,
  group_notes: GroupNotes,
  records: z
    .array(CompanySummary.extend({ registered_office: text, compared: Compared, differences: z.array(Difference) }))
    .describe('The candidates as the register has them, in the same order, and where the words of the site differ.'),
  history: z.array(DecisionBody).describe('All decisions, newest first, at most twenty.'),
}).meta({ id: 'ReviewDetail' })

export function presentReview(item: ReviewItem): z.input<typeof ReviewBody> {
  return {
    ...presentMembers(item),
    ...presentDoubt(item),
    candidates: item.candidates.map(presentCandidate),
    evidence_url: `/v1/resolutions/${item.resolutionId}/evidence`,
    decision: item.decision && presentDecision(item.decision),
  }
}

function presentDoubt({ situation }: ReviewItem) {
  const doubt = findDoubt(situation)
  return { doubt, doubt_text: doubt && describeDoubt(doubt) }
}

export function presentDetail(review: FullReview): z.input<typeof ReviewDetail> {
  return {
    ...presentReview(review.item),
    evidence: presentEvidence(review.looked),
    explanation: presentExplanation(review.looked),
    ...presentReading(review.looked),
    group_notes: review.groupNotes,
    records: review.records.map(({ company, compared, differences }) => ({
      ...presentSummary(company),
      registered_office: formatAddress(company.address),
      compared,
      differences,
    })),
    history: review.history.map(presentDecision),
  }
}

export function presentDecision(decision: DecisionWithRefund): z.input<typeof DecisionBody> {
  const previous = { outcome: decision.previousOutcome, company_number: decision.previousCompanyNumber }
  return { ...presentMembers(decision), previous }
}

export function presentReplaced(decision: ReplacedDecision | null): z.input<typeof Replaced> {
  if (decision === null) return null
  const { action, companyNumber, reviewer, reason } = decision
  return { action, company_number: companyNumber, reviewer, reason }
}
