/**
 * Resolution as a service: who asked for which domain, what is known of it, what it cost.
 *
 * Promises: a domain's site is read once however many ask; each asker has its own job and its own credit, held when it
 * asks and spent only when a company is found, in the transaction that stores the answer; the same thing is paid for
 * once in 30 days; what an account decided itself is answered to it alone, for nothing; a job always ends; the verified site of a watched company is looked at again, at nobody's cost, and
 * its change told once.
 * Never does: decide who is behind a site (that is the resolver's), or keep what depends on today's date.
 */
export { type Answer, type CandidateToday, type FullAnswer, readAnswer, readFullAnswer } from './answer.ts'
export { applyDecision, describeDecision } from './apply-decision.ts'
export { type AskedWebsite, askForWebsite, type WebsiteAsk } from './ask-company.ts'
export { type Asked, askForDomain, type DomainAsk } from './ask-domain.ts'
export { type Charge, type Fact, NO_CREDITS_CHARGE } from './charges.ts'
export { type EvidencePack, readEvidencePack, type WhyNot } from './evidence-pack.ts'
export { getCompanyNamed } from './find-named.ts'
export type { JobReading } from './job-reading.ts'
export type { JobShape, ResolutionJob } from './job-store.ts'
export { type KeptAnswer, keepAnswer } from './keep-answer.ts'
export { findResolution, type KnownResolution } from './known.ts'
export { importLinks, type LinksReport } from './links.ts'
export { findOwnDecision, type OwnDecision } from './own-decision.ts'
export { isRefunded } from './payments.ts'
export type { Progress } from './progress.ts'
export { listProvenWebsites, type ProvenWebsite } from './proven-websites.ts'
export { type NewDomain, queueNewDomains } from './queue-new-domains.ts'
export { findFresh, readAgain } from './read-again.ts'
export { readJob, readSharedJob } from './read-job.ts'
export type { Findings } from './record.ts'
export { searchWebsite } from './search-website.ts'
export { type SweepOptions, type SweepReport, sweepDomains } from './sweep-list.ts'
export { type Payment, refundPayment, restorePayment, takePayment } from './take-payment.ts'
export { answerTestCompany, findTestDetails, TEST_COMPANIES, type TestWebsite } from './test-companies.ts'
export { answerTestDomain, TEST_DOMAINS, type TestAnswer, throwTestRefusal } from './test-mode.ts'
export { getTestDetails, searchTestCompanies } from './test-register.ts'
export { waitForJob } from './wait.ts'
export { waitForTestJob } from './wait-in-test-mode.ts'
export { checkWebsiteJob, scheduleWebsiteChecks, scheduleWebsiteChecksJob } from './website-drift.ts'
export type { KnownWebsite, TriedDomain, Website } from './website-record.ts'
export { findWebsiteJob, resolveDomainJob, sweepResolutionsJob } from './work.ts'
