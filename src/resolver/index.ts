/**
 * The resolver: the company behind a web domain, with proof.
 *
 * Promises: a match rests on words the site prints, quoted with their page, that tie it to one number on the register;
 * what is not plain goes to a person with the candidates and why. Every request is bounded in pages, bytes and time.
 * Never does: match on a name alone; guess; charge, queue or remember (that is for whoever asks).
 */
export { parseDomain, SharedDomain } from './domain-input.ts'
export { type Claimed, relateToDomain } from './match/site-claim.ts'
export { findRegistrable } from './registrable.ts'
export type {
  Candidate,
  Considered,
  EvidenceItem,
  Explanation,
  Outcome,
  Resolution,
  SiteClaim,
  Situation,
} from './resolution.ts'
export { type DomainWatcher, resolveDomain } from './resolve.ts'
export { sharedKindOf } from './shared-domains.ts'
export { hideMailbox, keepCompanyTyped, scrubAddress, type TypedInput } from './typed-input.ts'
