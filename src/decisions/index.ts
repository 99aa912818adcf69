/**
 * Decisions: what the people of an account decided on domains, and the list of domains that wait for a decision.
 *
 * Promises: a decision is never changed or deleted; it applies to its account alone; a domain is on an account's list
 * once; a pair of domain and company that an account disputed is blocked for that account until it decides otherwise.
 * Never does: read answers or payments, or decide itself.
 */
export {
  addDecision,
  blockPair,
  findDispute,
  findDisputeTime,
  hasDecidedOn,
  listDecisions,
  type ReviewDecision,
  unblockPairs,
} from './decision-log.ts'
export {
  BLOCKED_PAIR,
  describeDecision,
  findOwnDecision,
  isBlocked,
  isListed,
  joinOwnDecision,
  type ListedReview,
  listBlocking,
  listDecided,
  OWN_COMPANY,
  OWN_DECISION,
  type OwnDecision,
  type OwnDecisionRow,
  toOwnDecision,
  updateReviewList,
} from './own-decision.ts'
export {
  addReview,
  findReview,
  listDecidedAfter,
  listReviewPage,
  lockReview,
  REVIEW_CURSOR,
  type ReviewEntry,
  type ReviewQuery,
  reopenReview,
  reviewNotFound,
  setDecided,
  setDisputed,
} from './review-list.ts'
