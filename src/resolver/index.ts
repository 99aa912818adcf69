/**
 * The resolver: finds the company behind a web domain, with proof.
 *
 * Promises: a match is based on words of the site, quoted with their page, that connect it with one number on the register.
 * Unclear cases go to a person with the candidates and reasons. Every crawl is bounded in pages, bytes and time.
 * Never does: match by name alone; guess; charge, queue or store (the caller does).
 */

export { wasBusy } from './crawl/crawl-outcome.ts'
export { listQuoted, type PageCapture, type QuotedPage, selectQuoted } from './crawl/kept-pages.ts'
export { registrableDomain } from './crawl/page-address.ts'
export { findRegistrable, readRegistrable, sharedKindOf } from './domain/registrable.ts'
export {
  hideMailbox,
  parseDomain,
  SharedDomain,
  scrubAddress,
  type TypedInput,
  toTypedCompany,
} from './domain/typed-input.ts'
export { type Claimed, relateToDomain } from './match/site-claim.ts'
export { addVeto, UNMEASURED, WEIGHTS_VERSION } from './match/weigh.ts'
export { contestMatch, RIVAL } from './read/original-site.ts'
export { openReaderThreads } from './read/reader-threads.ts'
export type {
  Candidate,
  Check,
  Considered,
  Decision,
  EvidenceItem,
  Explanation,
  Outcome,
  Resolution,
  SecondReading,
  SiteClaim,
  Situation,
} from './resolution.ts'
export { OUTCOMES } from './resolution.ts'
export { type DomainWatcher, resolveDomain } from './resolve.ts'
export type { Question, SecondReader } from './second-reader/consult.ts'
export { QuestionRecorder } from './second-reader/question-recorder.ts'
export { ANSWER_SCHEMAS, type Answer, PROMPT_VERSION, parseAnswer, type Task } from './second-reader/task.ts'
