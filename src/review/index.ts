/**
 * Review: people decide where a site proves too little, or dispute an answer that is wrong.
 *
 * Promises: a decision has a person, a time and a reason, and is checked against the answer it is about; a dispute
 * requests a refund, which is paid once, by a rule or by the operator; the export for the labelled set names no account
 * and no person.
 * Never does: change the answers of other accounts, or apply a decision (resolution does, where it reads answers).
 */
export { ALIKE_BY, ALIKE_MAX, type AlikeItem, type AlikeReviews, listAlike } from './alike.ts'
export { type DecisionRequest, decideReview, withdrawDecision } from './decide.ts'
export { DECISIONS_MAX, type Done, decideMany, withdrawMany } from './decide-many.ts'
export { DECIDED_AT_ONCE_MAX, decideRows, type RowDone } from './decide-rows.ts'
export { COMPARED_KINDS, type Comparison, DIFFERENCE_KINDS, type Difference } from './differences.ts'
export { DISPUTES_MAX, type Dispute, disputeResolution } from './dispute.ts'
export { DOUBTS, describeDoubt, findDoubt } from './doubts.ts'
export { listCases, type ReviewCase } from './export.ts'
export { type FullReview, getReview, listReviews, type ReviewItem, type ReviewPage } from './items.ts'
export { checkDisputeJob } from './jobs.ts'
export { type DecisionWithRefund, listRequests, type RefundRequest } from './refund-requests.ts'
export { approveRefund, REFUNDS_MIN, refuseRefund } from './refunds.ts'
