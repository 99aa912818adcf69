/**
 * Review: people decide where a site proves too little, or dispute an answer that is wrong.
 *
 * Promises: a decision has a person, a time and a reason, and is checked against the answer it is about; a dispute
 * requests a refund, which is paid once, by a rule or by the operator; the export for the labelled set names no account
 * and no person.
 * Never does: change the answers of other accounts, or apply a decision (resolution does, where it reads answers).
 */
export { type DecisionRequest, decideReview, withdrawDecision } from './decide.ts'
export { DISPUTES_MAX, type Dispute, disputeResolution } from './dispute.ts'
export { listCases, type ReviewCase } from './export.ts'
export { getReview, listReviews, type ReviewItem, type ReviewPage } from './items.ts'
export { checkDisputeJob } from './jobs.ts'
export { type DecisionWithRefund, listRequests, type RefundRequest } from './refund-requests.ts'
export { approveRefund, REFUNDS_MIN, refuseRefund } from './refunds.ts'
