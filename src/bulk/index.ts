/**
 * Bulk jobs: many domains, names or company numbers requested at once, and every row accounted for.
 *
 * Promises: each row is in one state at any moment, so the counts always add up to the rows sent; a row is requested once,
 * in the transaction that records it, and its credit is held only while it is under way; a bulk job continues where it was
 * when its worker dies; without credits it pauses and loses nothing; requests for one domain do not wait behind it; the cells of
 * a customer's file come back as they were.
 * Never does: decide or charge (resolution does); request a domain that no company can have, or one twice.
 */
export { assertBulk, type BulkJob, getBulk, listBulkJobs, type RowState, STATES } from './bulk.ts'
export { type ClassifiedRow, rowOfAddress, type SentRow } from './classify.ts'
export { readInput } from './column-input.ts'
export { HOLDS, type Holds } from './column-kinds.ts'
export { type ColumnGuess, guessColumns, HEADER_ROWS_MAX, headerKey } from './columns.ts'
export { toCompanyNumber } from './company-number-cell.ts'
export { type CompanyRow, readCompanyRows } from './company-number-column.ts'
export { createBulk, type NewBulk } from './create.ts'
export { decideRegisterRow, getOpenRow, type OpenRow, type RowDecider, type RowVerdict } from './decide-row.ts'
export { feedBulkJob, sweepBulkJob } from './jobs.ts'
export { mapFile, mapText } from './map-table.ts'
export type { Mapping } from './mapping.ts'
export { listNotices } from './notices.ts'
export { KEPT_DAYS, type Preflight, ROWS_MAX, RUNNING_MAX, readPreflight } from './preflight.ts'
export { readRows } from './read-in-turn.ts'
export {
  type BulkResult,
  countOwnLinks,
  fillDuplicates,
  findRows,
  type ResultsAsk,
  type RowDecision,
  streamResults,
} from './results.ts'
export type { RowFilter } from './row-filter.ts'
export { listRows, ROW_ORDERS, type RowsAsk } from './row-window.ts'
export {
  nameOwnColumns,
  padCells,
  SHEET_COLUMN_IDS,
  SHEET_COLUMNS,
  SHEET_DEFAULT,
  type SheetColumnId,
  streamSheet,
} from './sheet.ts'
export { SheetCounts, summarise } from './sheet-summary.ts'
export { cancelBulk, pauseBulkJobs, resumeBulk } from './status.ts'
export { addFile, assertFile, type BulkFile, FILE_BYTES_MAX, readFile } from './stored-files.ts'
