import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { type Account, accountDisabled, findAccountByEmail } from '../account.ts'
import { type Origin, recordAudit } from '../audit.ts'
import { findApiKeys, type KeyMode } from '../keys/api-keys.ts'
import { isPasswordCorrect } from '../passwords/passwords.ts'
import { type Session, startSession } from './sessions.ts'
import { recordAddress, throttleLogin } from './throttle.ts'

export interface Login {
  account: Account
  session: Session
  /** Null where a key can no longer be shown; it still works, and rotating makes one that can. */
  apiKeys: Record<KeyMode, string | null>
}

/** An unknown address and a wrong password answer the same, in the same time. */
export async function logIn(app: App, login: { email: string; password: string; origin: Origin }): Promise<Login> {
  await throttleLogin(app, login)
  const account = await findAccountByEmail(app.db, login.email)
  const correct = await isPasswordCorrect(app, account?.passwordHash ?? null, login.password)
  const accepted = account !== null && correct && account.verifiedAt !== null && account.disabledAt === null
  await recordAudit(app.db, {
    at: app.clock.now(),
    accountId: account?.id ?? null,
    action: 'login',
    outcome: accepted ? 'success' : 'failure',
    origin: login.origin,
  })
  if (!account || !correct) {
    countSecurityEvent('sign_in_failed')
    throw new DomainError('invalid_credentials', 'The e-mail address or the password is wrong.')
  }
  if (account.disabledAt) throw accountDisabled()
  // Only someone who knows the password learns that the account waits for its verification.
  if (!account.verifiedAt) {
    throw new DomainError(
      'email_not_verified',
      'This e-mail address is not verified yet. Follow the link in the e-mail, or ask for a new one.',
    )
  }
  await recordAddress(app, app.db, { accountId: account.id, origin: login.origin })
  return {
    account,
    session: await startSession(app, account),
    apiKeys: await findApiKeys(app, account.id),
  }
}
