/**
 * Review: what people decide where a site proves too little, or where an answer is wrong.
 *
 * Promises: every answer `needs_review` that an account was given stands on its list until somebody decides; a decision
 * has a person, a time and a reason, is never lost, and holds for its account alone; a dispute blocks the pair and asks for
 * the credit back, which comes back once, by a rule or by the operator; what is exported for the labelled set names no account and no person.
 * Never does: change what other accounts are answered, or apply a decision (resolution does, where it answers).
 */
export { decideReview, type Verdict, withdrawDecision } from './decide.ts'
export type { Decision } from './decision-log.ts'
export { DISPUTES_MAX, type Dispute, disputeResolution } from './dispute.ts'
export { listCases, type ReviewCase } from './export.ts'
export { getReview, listReviews, REVIEW_CURSOR, type ReviewItem, type ReviewPage } from './items.ts'
export { checkDisputeJob } from './jobs.ts'
export { listRequests, type RefundRequest } from './refund-requests.ts'
export { approveRefund, REFUNDS_MIN, refuseRefund } from './refunds.ts'
