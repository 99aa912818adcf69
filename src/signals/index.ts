/**
 * Signals: what changed about a company, said once, in words a person acts on.
 *
 * Promises: a change becomes its signals exactly once, however often its event arrives; the first sight of a company is
 * silent; a date that passes without an event is noticed by the day's sweep.
 * Never does: read the register's streams. It reads the changes that the register has recorded.
 */
export { recordSignalsJob, sweepOverdueJob } from './jobs.ts'
export { drainChanges, recordSignals } from './record.ts'
export { SEVERITIES, SIGNAL_TYPES, type SignalType } from './signal-type.ts'
export { listCompanySignals, presentSignal, SIGNAL_ID, type Signal } from './signals.ts'
export { sweepOverdue } from './sweep.ts'
