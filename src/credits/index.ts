/**
 * Credits: what an account may spend, and the ledger that says where every one of them went.
 *
 * Promises: the balance is the sum of the ledger and never negative (the database enforces both ends); entries are only
 * added; one reference is granted, held, captured, released or refunded once; every hold ends captured or released.
 * Never does: decide what costs a credit. Callers hold before work and settle in the transaction of its result.
 */
export { putSpendingCap, readSpending } from './caps.ts'
export {
  captureHold,
  chargeCredit,
  countOverdueHolds,
  getHoldReference,
  holdCredit,
  holdCredits,
  isHeldSql,
  refundCapture,
  releaseHold,
  tryHoldAgain,
} from './holds.ts'
export { releaseExpiredHoldsJob } from './jobs.ts'
export {
  availableSql,
  type Balance,
  changeOf,
  closeUnusedBalance,
  countAnswer,
  countSpent,
  findUnbalancedAccounts,
  getBalance,
  grantCredits,
  hasEntriesSql,
  type LedgerEntry,
  type LedgerPage,
  listEntries,
  listUsage,
  openBalance,
} from './ledger.ts'
