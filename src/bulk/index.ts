/**
 * Bulk: many domains asked for at once, and every row accounted for.
 *
 * Promises: each row is in one state at any moment, so the counts always come to what was sent; a row is asked for once,
 * in the transaction that says so, and its credit is held only while it is under way; a bulk goes on where it was when
 * whatever was at it dies; without credits it pauses and loses nothing; whoever asks for one domain does not wait behind it.
 * Never does: decide or charge (that is the resolution's); ask for a domain that no company can have, or for one twice.
 */
export { type Bulk, bulkNotFound, findBulk, getBulk, listBulks, type RowState, STATES } from './bulk.ts'
export { cancelBulk, resumeBulk } from './cancel-and-resume.ts'
export { createBulk, type NewBulk } from './create.ts'
export { feedBulkJob, sweepBulksJob } from './jobs.ts'
export type { JudgedRow } from './judge.ts'
export { KEPT_DAYS, ROWS_MAX, RUNNING_MAX } from './limits.ts'
export { pauseBulks } from './pause.ts'
export { type Preflight, readPreflight } from './preflight.ts'
export { readCsv } from './read-csv.ts'
export { type BulkResult, streamResults } from './results.ts'
