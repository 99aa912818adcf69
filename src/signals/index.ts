/**
 * Signals: what changed about a company, reported once, in words a person acts on.
 *
 * Promises: a change becomes its signals exactly once, however often its event arrives; the first row of a company
 * makes none; a date that passes without an event is noticed by the day's sweep.
 * Never does: read the register's streams. It reads the changes that the register has recorded.
 */
export { keyOfFact, keyOfStep } from './detect/detected-signal.ts'
export { recordQueuedChanges, recordSignals } from './detect/record.ts'
export { sweepOverdue } from './detect/sweep.ts'
export { sweepIdentity } from './detect/sweep-identity.ts'
export { sweepStatements } from './detect/sweep-statements.ts'
export { findSubscriber, readNotifications, setNotifications, unsubscribe } from './digest/notifications.ts'
export { type FeedQuery, listFeed } from './feed.ts'
export {
  followWatchedJob,
  forgetTestSignalsJob,
  recordSignalsJob,
  sendDigestJob,
  startDigestsJob,
  sweepIdentityJob,
  sweepOverdueJob,
  sweepStatementsJob,
} from './jobs.ts'
export { type NewSignal, raiseSignals } from './raise.ts'
export { removeQueuedPeople } from './removed-people.ts'
export {
  listCompanySignals,
  presentSignal,
  SEVERITIES,
  SIGNAL_ID,
  SIGNAL_TYPES,
  type Signal,
  type SignalType,
} from './signals.ts'
export { TEST_COMPANY_NUMBERS } from './test-mode/test-companies.ts'
export { raiseTestSignal } from './test-mode/test-signals.ts'
export { listWatchlist, WATCH_CURSOR, type WatchEntry } from './watch/watch-entries.ts'
export { replaceWatchlist, WATCH_OUTCOMES, type WatchedMany, watchCompanies } from './watch/watch-many.ts'
export { type CappedOwner, countWatched, unwatchCompany, watchCompany } from './watch/watchlist.ts'
