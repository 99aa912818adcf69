/**
 * Accounts: who a caller is and what they may do. Sign-up, verification, login, passwords, sessions, API keys, plans.
 *
 * Promises: tokens and keys are stored hashed or sealed, never in clear; an unknown address and a wrong password look
 * alike; a changed password ends every older session at once; every security event is in the audit trail.
 * Never does: know about HTTP. Doors pass in values and an `Origin`, and get values or a `DomainError` back.
 */
export { type Account, findAccount, listAccounts } from './account.ts'
export {
  type ApiKey,
  describeApiKeys,
  findKeyHolder,
  type KeyMode,
  listApiKeys,
  revealApiKeys,
} from './api-keys.ts'
export { type Origin, recordAudit } from './audit.ts'
export { changePassword, resetPassword } from './change-password.ts'
export { confirmPassword } from './confirm-password.ts'
export { erasePerson } from './erase-person.ts'
export { requestPasswordReset } from './forgot-password.ts'
export {
  housekeepingJob,
  renewPlansJob,
  resendVerificationJob,
  sendPasswordChangedJob,
  sendResetJob,
  sendVerificationJob,
} from './jobs.ts'
export { type Login, logIn } from './login.ts'
export { type AccountEmail, sendToAccount } from './mail.ts'
export { changePlan, createVerifiedAccount, endSessions, getAccount, grantByOperator } from './operators.ts'
export { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './passwords.ts'
export { type LimitClass, PLAN_NAMES, PLANS, type PlanName, WELCOME_CREDITS } from './plans.ts'
export { type EndedKey, endApiKey, OVERLAP_HOURS_MAX, rotateApiKey } from './replace-keys.ts'
export { requestVerification } from './resend-verification.ts'
export { rehashApiKeys, SEALED_API_KEY } from './sealed-api-keys.ts'
export { type SecurityNotice, sendSecurityNotice, sendSecurityNoticeJob } from './security-notice.ts'
export {
  endSession,
  findSession,
  type LiveSession,
  type Session,
  startSession,
  startShortToken,
} from './sessions.ts'
export { SEALED_SIGNING_KEY } from './signing-keys.ts'
export { signUp } from './signup.ts'
export {
  findVerification,
  type Verification,
  type VerificationResult,
  verifyByButton,
  verifyEmail,
} from './verify-email.ts'
