/**
 * The page archive: the pages that answers quote, as they were received.
 *
 * Promises: a page that an answer quotes is stored in the transaction of the answer; the same bytes are stored once; a body
 * leaves the database when the store outside has it; each body is proven by its hash whenever it is read; every page has a day
 * on which it is deleted.
 * Never does: request a page, keep one that no answer quotes, or change one.
 */
export { BodyDamage, findBody, type KeptCapture, type KeptQuote, listCaptures, listKeptQuotes } from './captures.ts'
export { deletePages } from './delete.ts'
export { exportAnswer, exportDomain } from './export.ts'
export { expirePagesJob, moveBodiesJob } from './jobs.ts'
export { keepLonger, keepPages, type PageSources } from './keep.ts'
export { DAYS_KEPT, keptSealedUntil, keptUntil } from './retention.ts'
export { type Verification, verifyBodies } from './verify.ts'
