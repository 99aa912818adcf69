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
export {
  type AnswerOutline,
  applyDecision,
  countKnown,
  expireOpenAnswers,
  type Findings,
  findCompanyByRules,
  findLatest,
  findNewest,
  findResolution,
  joinFreeAnswer,
  type KnownResolution,
  listOutlines,
  listResolutions,
  METHODS,
  methodOf,
  presentChecklist,
} from './answers/known.ts'
export { type JobReading, NO_WAIT, readJob, readSharedJob, readWhenEnded, type Wait } from './answers/read-job.ts'
export { type AnswerVersion, ResponseCache } from './answers/response-cache.ts'
export type { ChangedPage, ChangedQuote, ChangedValue, Comparison } from './history/compare.ts'
export {
  type HistoryEntry,
  type HistoryFilter,
  type HistoryPosition,
  listAnswers,
  listAnswersAt,
} from './history/list-answers.ts'
export { type ComparedReadings, compareWith, getEntry, listReadingsOf } from './history/read-history.ts'
export {
  LINK_DAYS_MAX,
  listShareLinks,
  makeShareLink,
  openShareLink,
  revokeShareLink,
  type ShareLink,
} from './history/share-links.ts'
export {
  deleteOldAnswersJob,
  forgetHistoryJob,
  keepPagesLongerJob,
  resolveDomainJob,
  sweepResolutionsJob,
} from './jobs.ts'
export { type CaptureVerification, verifyCaptures } from './kept-pages/verify-captures.ts'
export {
  CHARGE_REASONS,
  type Charge,
  type ChargeReason,
  freeCharge,
  NO_CREDITS_CHARGE,
  REGISTER_CHARGE,
} from './money/charges.ts'
export { type Fact, hasReceived, isRefunded, isRefundedSql } from './money/payments.ts'
export { type Payment, refundPayment, restorePayment, takePayment } from './money/take-payment.ts'
export { type Example, findExample } from './request/examples.ts'
export {
  type AnswerOrigin,
  isOpenSql,
  JOB_STATUSES,
  type JobShape,
  ORIGINS,
  type Progress,
  type ResolutionJob,
} from './request/job-store.ts'
export { type NewDomain, queueNewDomains } from './request/queue-domains.ts'
export { countRecentReadings } from './request/recent-readings.ts'
export {
  type Asked,
  askForDomain,
  type DomainAsk,
  type DomainResult,
  requestDomain,
  toDomainResult,
} from './request/request-domain.ts'
export { requestWebsite, toWebsiteResult, type WebsiteResult } from './request/request-website.ts'
export { fitOf, isImportedLink, listClaims, lockClaims } from './rivals/rivals.ts'
export { SweepReader } from './sweep/read-due.ts'
export { addList, type SweepOptions, type SweepReport, sweepDomains } from './sweep/sweep-list.ts'
export { type Estimate, listSweeps, pauseSweep, type SweepStatus } from './sweep/sweep-status.ts'
export {
  checkOfficerFor,
  type FoundCompany,
  findCompanyFor,
  findTestDetails,
  getCompanyFor,
  getCompanyNamed,
  getDetailsFor,
  listFilingsFor,
  openDocumentFor,
  readDetailsFor,
  readOfficerFor,
  searchCompaniesFor,
} from './test-mode/register-view.ts'
export { TEST_COMPANIES, TEST_DOMAINS } from './test-mode/test-answers.ts'
export { isTestCompany } from './test-mode/test-mode.ts'
export { importLinks, type LinksReport, listLinkedDomains } from './website/links.ts'
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
  listProvenWebsites,
  NUMBER_EVIDENCE,
  outcomeOf,
  type ProvenWebsite,
  storeWebsite,
  type TriedDomain,
  type Website,
} from './website/website-record.ts'
export { findFresh, readAgain, type StoredAnswer, storeAnswer } from './worker/answer-domain.ts'
export { deleteReading } from './worker/sweep-reading.ts'
export { FIND_WEBSITE, RETRIES_MAX, runWork } from './worker/work.ts'
