import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { findAccount } from '../account.ts'
import { type Origin, recordAudit } from '../audit.ts'
import { throttle } from '../sign-in/throttle.ts'
import { isPasswordCorrect } from './passwords.ts'

/** For so long after signing in, the password is not needed again. */
const FRESH_SECONDS = 15 * 60

/**
 * Asks for the password before something that a stolen session must not do. It is asked for unless the session itself
 * was started with it a short while ago; the console's short tokens say nothing about that, so there it always is.
 */
export async function confirmPassword(
  app: App,
  given: { accountId: string; passwordGivenAt: Date | null; currentPassword: string | undefined; origin: Origin },
): Promise<void> {
  const { accountId, passwordGivenAt, currentPassword, origin } = given
  const at = app.clock.now()
  if (currentPassword === undefined) {
    if (passwordGivenAt && addSeconds(passwordGivenAt, FRESH_SECONDS) > at) return
    throw new DomainError(
      'password_required',
      'Send your password as current_password, or log in and repeat the request with that session within 15 minutes.',
    )
  }
  const account = await findAccount(app.db, accountId)
  if (!account) throw new DomainError('not_found', 'There is no such account.')
  await throttle(app, 'confirm_password', { origin, email: account.email })
  if (await isPasswordCorrect(app, account.passwordHash, currentPassword)) return
  countSecurityEvent('sign_in_failed')
  await recordAudit(app.db, { at, accountId, action: 'password_confirmed', outcome: 'failure', origin })
  throw new DomainError('invalid_credentials', 'The current password is wrong.')
}
