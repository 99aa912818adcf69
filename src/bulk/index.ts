/**
 * Bulk jobs: many domains requested at once, and every row accounted for.
 *
 * Promises: each row is in one state at any moment, so the counts always add up to the rows sent; a row is requested once,
 * in the transaction that records it, and its credit is held only while it is under way; a bulk job continues where it was
 * when its worker dies; without credits it pauses and loses nothing; requests for one domain do not wait behind it.
 * Never does: decide or charge (resolution does); request a domain that no company can have, or one twice.
 */
export { type BulkJob, getBulk, listBulkJobs, type RowState, STATES } from './bulk.ts'
export { createBulk, type NewBulk } from './create.ts'
export { feedBulkJob, sweepBulkJob } from './jobs.ts'
export { type ClassifiedRow, KEPT_DAYS, type Preflight, ROWS_MAX, RUNNING_MAX, readPreflight } from './preflight.ts'
export { readCsv } from './read-csv.ts'
export { type BulkResult, streamResults } from './results.ts'
export { cancelBulk, pauseBulkJobs, resumeBulk } from './status.ts'
