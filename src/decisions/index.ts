/**
 * Decisions: what the people of an account decided on domains, and the list of domains that wait for a decision.
 *
 * Promises: a decision is never changed or deleted; it applies to its account alone; a domain is on an account's list
 * once; a pair of domain and company that an account disputed is blocked for that account until it decides otherwise.
 * Never does: decide itself, or read payments; of answers it reads only what its list is searched by.
 */
export {
  addDecision,
  assertAsSeen,
  blockPair,
  DecidedSince,
  findDispute,
  findDisputeTime,
  hasDecidedOn,
  listDecisions,
  type ReplacedDecision,
  type ReviewDecision,
  type SeenDecision,
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
  findReviewOf,
  listDecidedAfter,
  lockReview,
  type ReviewEntry,
  reopenReview,
  reviewNotFound,
  setDecided,
  setDisputed,
} from './review-list.ts'
export {
  countReviews,
  listByBestCandidate,
  listByDoubt,
  listReviewPage,
  REVIEW_CURSOR,
  REVIEW_SORTS,
  type ReviewCounts,
  type ReviewFilter,
  type ReviewQuery,
} from './review-query.ts'
