import type { App } from '../../app.ts'
import { grantCredits } from '../../credits/index.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { findAccount } from '../account.ts'
import { type Origin, recordAudit } from '../audit/record.ts'
import { resendVerificationJob } from '../jobs.ts'
import { isPasswordCorrect } from '../passwords/passwords.ts'
import { WELCOME_CREDITS } from '../plans.ts'
import { throttle } from '../sign-in/throttle.ts'
import { findTokenAccount, type TokenUse, useToken } from './one-time-tokens.ts'

export type VerificationResult = 'verified' | 'invalid' | 'expired' | 'already_verified'

const RESULTS: Record<TokenUse['kind'], VerificationResult> = {
  used: 'verified',
  expired: 'expired',
  // The link was used before: the account is verified.
  spent: 'already_verified',
  unknown: 'invalid',
}

/** The content of the page behind a link. `isContested`: the address was signed up with more than one password. */
export interface Verification {
  accountId: string
  email: string
  isContested: boolean
}

/** Null when the link has been used, is too old, or never was. Looking verifies nothing. */
export async function findVerification(
  app: App,
  { token, origin }: { token: string; origin: Origin },
): Promise<Verification | null> {
  await throttle(app, 'verify_email', { origin })
  const at = app.clock.now()
  const accountId = await findTokenAccount(app.db, { token, purpose: 'verify_email', at })
  const [row] = await app.db.query<{ email: string; is_contested: boolean }>(
    'select email, is_contested from account where id = $1',
    [accountId],
  )
  return accountId && row ? { accountId, email: row.email, isContested: row.is_contested } : null
}

/**
 * Verifies by the button of the page. Where the address was signed up with more than one password, another person may
 * have set the current one: the owner of the mailbox must know it, or choose a new one by a reset.
 */
export async function verifyByButton(
  app: App,
  form: { token: string; password: string; origin: Origin },
): Promise<VerificationResult> {
  const verification = await findVerification(app, form)
  if (verification?.isContested) {
    const account = await findAccount(app.db, verification.accountId)
    await throttle(app, 'confirm_password', { origin: form.origin, email: verification.email })
    if (!(await isPasswordCorrect(app, account?.passwordHash ?? null, form.password))) {
      throw new DomainError(
        'invalid_credentials',
        'This is not the password of the newest sign-up. If it was not you who signed up, set a new password instead.',
      )
    }
  }
  return verifyEmail(app, form)
}

export async function verifyEmail(
  app: App,
  verification: { token: string; origin: Origin },
): Promise<VerificationResult> {
  await throttle(app, 'verify_email', verification)
  return app.db.transaction(async (tx) => {
    const at = app.clock.now()
    const use = await useToken(tx, { token: verification.token, purpose: 'verify_email', at })
    if (use.kind === 'used') {
      const { accountId } = use
      await markVerified(tx, { accountId, at })
      await recordAudit(tx, { at, accountId, action: 'email_verified', origin: verification.origin })
    }
    return RESULTS[use.kind]
  })
}

/** Verifies the account and gives the welcome credits, both once. */
export async function markVerified(tx: Tx, verified: { accountId: string; at: Date }): Promise<void> {
  await tx.query('update account set verified_at = coalesce(verified_at, $2), is_contested = false where id = $1', [
    verified.accountId,
    verified.at,
  ])
  await grantCredits(tx, { ...verified, amountCredits: WELCOME_CREDITS, reason: 'welcome', reference: 'welcome' })
}

/**
 * Requests another verification link. As with a reset, only the job looks up whether an account waits for one, so neither
 * response nor time reveals it.
 */
export async function requestVerification(app: App, request: { email: string; origin: Origin }): Promise<void> {
  await throttle(app, 'resend_verification', request)
  await app.db.transaction((tx) => app.jobs.enqueue(tx, resendVerificationJob, { email: request.email }))
}
