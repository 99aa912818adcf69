/**
 * The register: every UK company, kept current from the monthly snapshot, the streams and REST, and searchable.
 *
 * Promises: readers see whole rows, before or after a change and never between; an event is applied once however often
 * it arrives, and the stream's place moves in the same transaction; every change is queued for whoever follows from it.
 * Never does: guess. What is not known is absent, with the day it was last known.
 */
export { type Address, type Company, findCompany } from './company.ts'
export { parseCompanyNumber } from './company-number.ts'
export { toNameKey } from './name-key.ts'
