/**
 * Resolution as a service: requests, jobs, known answers and their cost.
 *
 * Promises: a domain's site is read once however many ask; each asker has its own job and its own credit, held when it
 * asks and spent only when a company is found, in the transaction that stores the answer; the same fact is paid for once
 * in 30 days; an account's own decision is returned to that account alone, free of charge; a job always ends.
 * Never does: decide which company is behind a site (the resolver does), or store what depends on today's date.
 */
export type { Answer, CandidateToday, FullAnswer } from './answers/answer.ts'
export { type EvidencePack, readEvidencePack, type WhyNot } from './answers/evidence-pack.ts'
export { getCompanyNamed } from './answers/find-named.ts'
export {
  type AnswerOutline,
  applyDecision,
  countKnown,
  findLatest,
  findNewest,
  findResolution,
  type KnownResolution,
  listOutlines,
  listResolutions,
} from './answers/known.ts'
export { type JobReading, readJob, readSharedJob } from './answers/read-job.ts'
export type { Findings } from './answers/record.ts'
export { type Asked, askForDomain, type DomainAsk, type NewDomain, queueNewDomains } from './ask/ask-domain.ts'
export { JOB_STATUSES, type JobShape, type ResolutionJob } from './ask/job-store.ts'
export { type SweepOptions, type SweepReport, sweepDomains } from './ask/sweep-list.ts'
export { NO_WAIT, readWhenEnded, type Wait } from './ask/wait.ts'
export { resolveDomainJob, sweepResolutionsJob } from './jobs.ts'
export { CHARGE_REASONS, type Charge, type ChargeReason, freeCharge, NO_CREDITS_CHARGE } from './money/charge.ts'
export type { Fact } from './money/charges.ts'
export { hasReceived, isRefunded } from './money/payments.ts'
export { type Payment, refundPayment, restorePayment, takePayment } from './money/take-payment.ts'
export {
  type DomainResult,
  getDetailsFor,
  requestDomain,
  requestWebsite,
  toDomainResult,
  toWebsiteResult,
  type WebsiteResult,
} from './request.ts'
export { fitOf } from './rivals/rivals.ts'
export { isImportedLink, listClaims, lockClaims } from './rivals/site-claims.ts'
export { findTestDetails, isTestCompany, TEST_COMPANIES } from './test-mode/test-companies.ts'
export { TEST_DOMAINS } from './test-mode/test-mode.ts'
export { getTestDetails, searchTestCompanies } from './test-mode/test-register.ts'
export { importLinks, type LinksReport, listLinkedDomains } from './website/links.ts'
export { listProvenWebsites, type ProvenWebsite } from './website/proven-websites.ts'
export {
  addChecks,
  type CheckResult,
  countQueued,
  endCheck,
  findQueued,
  listWatched,
  moveWalk,
  takeDue,
  type VerifiedSite,
  type WebsiteCheck,
} from './website/website-checks.ts'
export {
  expireWebsite,
  type KnownWebsite,
  NUMBER_EVIDENCE,
  outcomeOf,
  storeWebsite,
  type TriedDomain,
  type Website,
} from './website/website-record.ts'
export type { Progress } from './worker/progress.ts'
export { findFresh, readAgain, type StoredAnswer, storeAnswer } from './worker/store-answer.ts'
export { FIND_WEBSITE, RETRIES_MAX, runWork } from './worker/work.ts'
