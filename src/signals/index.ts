/**
 * Signals: what changed about a company, said once, in words a person acts on.
 *
 * Promises: a change becomes its signals exactly once, however often its event arrives; the first sight of a company is
 * silent; a date that passes without an event is noticed by the day's sweep.
 * Never does: read the register's streams. It reads the changes that the register has recorded.
 */
export { keyOfFact, keyOfStep } from './dedupe.ts'
export { sendDigestJob, startDigestsJob } from './digest.ts'
export { type FeedAsk, listFeed } from './feed.ts'
export { followWatchedJob } from './follow-watched.ts'
export { recordSignalsJob, sweepOverdueJob } from './jobs.ts'
export { findSubscriber, readNotifications, setNotifications, unsubscribe } from './notifications.ts'
export { type NewSignal, raiseSignals } from './raise.ts'
export { drainChanges, recordSignals } from './record.ts'
export { SEVERITIES, SIGNAL_TYPES, type SignalType } from './signal-type.ts'
export { listCompanySignals, presentSignal, SIGNAL_ID, type Signal } from './signals.ts'
export { sweepOverdue } from './sweep.ts'
export { TEST_COMPANY_NUMBERS } from './test-companies.ts'
export { forgetTestSignalsJob, raiseTestSignal } from './test-signals.ts'
export { listWatchlist, WATCH_CURSOR, type WatchEntry } from './watch-entries.ts'
export { replaceWatchlist, WATCH_OUTCOMES, type WatchedMany, watchCompanies } from './watch-many.ts'
export { type CappedOwner, countWatched, unwatchCompany, watchCompany } from './watchlist.ts'
