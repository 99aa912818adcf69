/**
 * Review: people's decisions where a site proves too little, or where an answer is wrong.
 *
 * Promises: every answer `needs_review` that an account got is on its list until a person decides; a decision has a
 * person, a time and a reason, is never lost, and applies to its account alone; a dispute blocks the pair and requests a
 * refund, which is paid once, by a rule or by the operator; the export for the labelled set names no account and no person.
 * Never does: change the answers of other accounts, or apply a decision (resolution does, where it reads answers).
 */
export { type DecisionRequest, decideReview, withdrawDecision } from './decide.ts'
export type { ReviewDecision } from './decision-log.ts'
export { DISPUTES_MAX, type Dispute, disputeResolution } from './dispute.ts'
export { listCases, type ReviewCase } from './export.ts'
export { getReview, listReviews, REVIEW_CURSOR, type ReviewItem, type ReviewPage } from './items.ts'
export { checkDisputeJob } from './jobs.ts'
export { listRequests, type RefundRequest } from './refund-requests.ts'
export { approveRefund, REFUNDS_MIN, refuseRefund } from './refunds.ts'
