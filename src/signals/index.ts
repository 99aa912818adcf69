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
export { type FeedFilter, type FeedQuery, type FeedSignal, listFeed, streamFeed } from './feed/feed.ts'
export { markSignals, readReadState, readThrough, UNREAD_MAX } from './feed/read-state.ts'
export {
  followMissedJob,
  followWatchedJob,
  forgetTestSignalsJob,
  recordSignalsJob,
  sendDigestJob,
  sendInstantJob,
  sendListDigestJob,
  startDigestsJob,
  sweepIdentityJob,
  sweepOverdueJob,
  sweepStatementsJob,
} from './jobs.ts'
export { type Calendar, type DueDate, endCalendar, findCalendar, makeCalendar, openCalendar } from './lists/calendar.ts'
export {
  findListName,
  findListSubscriber,
  INSTANT_EMAILS,
  LIST_DIGESTS,
  unsubscribeList,
} from './lists/list-emails.ts'
export { ALL_LISTS, type ListEntry, listEntries, streamEntries } from './lists/list-entries.ts'
export {
  type CompanyList,
  changeList,
  DEFAULT_LIST,
  deleteList,
  findListIds,
  getList,
  getListKey,
  LISTS_MAX,
  listLists,
  lockListRow,
  makeList,
} from './lists/lists.ts'
export { changeNote, listTags, NOTE_MAX, type Note, TAG_MAX, TAGS_MAX } from './lists/notes.ts'
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
export { startFollowingMissed } from './watch/follow-missed.ts'
export { listWatchlist, WATCH_CURSOR, type WatchEntry } from './watch/watch-entries.ts'
export {
  type AskedCompany,
  replaceWatchlist,
  WATCH_OUTCOMES,
  type WatchedMany,
  watchCompanies,
} from './watch/watch-many.ts'
export { removeCompany, unwatchCompany, watchCompany } from './watch/watch-one.ts'
export { type CappedOwner, countWatched } from './watch/watchlist.ts'
