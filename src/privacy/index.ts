/**
 * Privacy: what is held about an account, and how it ends. Disabling, export, erasure, retention of addresses. Names of
 * people in the register that are withheld.
 *
 * Promises: a disabled account can do nothing from that moment on, and nothing is sent for it; an erased one leaves no
 * name, address, secret or typed text behind, while ledger, usage and audit log still add up; every step may run twice.
 * Never does: decide on its own. An operator does, on the command line. Only addresses, and names that the register deleted,
 * are removed by the clock.
 */
export { disableAccount, ERASED_TABLES, enableAccount, eraseAccount } from './erase.ts'
export { EXPORTED, exportAccount } from './export.ts'
export { forgetAddressesJob, removeNamesJob, sweepNamesJob } from './jobs.ts'
export { type Withheld, withholdPerson } from './withhold.ts'
