/**
 * Accounts: who a caller is and what they may do. Sign-up, verification, login, passwords, sessions, API keys, plans.
 *
 * Promises: tokens and keys are stored hashed or sealed, never in clear; an unknown address and a wrong password look
 * alike; a changed password ends every older session at once; every act on an account is in its audit log.
 * Never does: know about HTTP. Entry points pass in values and an `Origin`, and get values or a `DomainError` back.
 */
export {
  type Account,
  acceptsSecondReader,
  assertOpenAccount,
  findAccount,
  isOpenAccount,
  listAccounts,
  lockAccount,
  setSecondReader,
} from './account.ts'
export { ACT_NAMES, type Act, nameAct } from './audit/acts.ts'
export { compareHeads, digestHeads, hasEntriesBefore, hasEntriesBetween, storeHeads } from './audit/anchored.ts'
export {
  type AuditEntry,
  type AuditFilter,
  listAuditEntries,
  listAuditHeads,
  presentAuditEntry,
} from './audit/entries.ts'
export {
  ACTOR_KINDS,
  type Actor,
  type AuditEvent,
  type Facts,
  type Origin,
  recordAudit,
} from './audit/record.ts'
export { type ChainProblem, type Verified, verifyAudit } from './audit/verify.ts'
export {
  housekeepingJob,
  renewPlansJob,
  resendVerificationJob,
  sendPasswordChangedJob,
  sendResetJob,
  sendVerificationJob,
} from './jobs.ts'
export {
  describeApiKeys,
  findKeyHolder,
  type KeyMode,
  listApiKeys,
  rehashApiKeys,
  revealApiKeys,
  SEALED_API_KEY,
  showApiKey,
} from './keys/api-keys.ts'
export { endApiKey, OVERLAP_HOURS_MAX, rotateApiKey } from './keys/replace-keys.ts'
export { sendSecurityNotice, sendSecurityNoticeJob, sendToAccount } from './mail.ts'
export {
  changePlan,
  createVerifiedAccount,
  endSessions,
  erasePerson,
  getAccount,
  grantByOperator,
  setDisabled,
  setEnabled,
} from './operators.ts'
export { changePassword, confirmPassword, requestPasswordReset, resetPassword } from './passwords/change-password.ts'
export { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './passwords/passwords.ts'
export { type LimitClass, PLAN_NAMES, PLANS, type PlanName, WELCOME_CREDITS } from './plans.ts'
export { listViews, removeView, type SavedView, saveView, VIEWS_MAX } from './saved-views.ts'
export {
  endSession,
  findSession,
  type LiveSession,
  logIn,
  type Session,
  startSession,
  startShortToken,
} from './sign-in/sessions.ts'
export { SEALED_SIGNING_KEY } from './sign-in/signing-keys.ts'
export { signUp } from './sign-up/signup.ts'
export {
  findVerification,
  requestVerification,
  type Verification,
  type VerificationResult,
  verifyByButton,
  verifyEmail,
} from './sign-up/verify-email.ts'
