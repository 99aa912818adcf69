import type { App } from '../app.ts'
import { grantCredits } from '../credits/index.ts'
import type { Tx } from '../lib/db.ts'
import { type Origin, recordAudit } from './audit.ts'
import { type TokenUse, useToken } from './one-time-tokens.ts'
import { WELCOME_CREDITS } from './plans.ts'
import { throttle } from './throttle.ts'

export type VerificationResult = 'verified' | 'invalid' | 'expired' | 'already_verified'

const RESULTS: Record<TokenUse['kind'], VerificationResult> = {
  used: 'verified',
  expired: 'expired',
  // The link was followed before, by the person or by a mail scanner: the account is verified.
  spent: 'already_verified',
  unknown: 'invalid',
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
      await markVerified(tx, { accountId: use.accountId, at })
      const { accountId } = use
      await recordAudit(tx, {
        at,
        accountId,
        action: 'email_verified',
        outcome: 'success',
        origin: verification.origin,
      })
    }
    return RESULTS[use.kind]
  })
}

/** Verifies the account and gives the welcome credits, both once. */
export async function markVerified(tx: Tx, verified: { accountId: string; at: Date }): Promise<void> {
  await tx.query('update account set verified_at = coalesce(verified_at, $2) where id = $1', [
    verified.accountId,
    verified.at,
  ])
  await grantCredits(tx, { ...verified, amountCredits: WELCOME_CREDITS, reason: 'welcome', reference: 'welcome' })
}
