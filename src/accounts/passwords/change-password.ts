import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { type AccountWithPassword, findAccount } from '../account.ts'
import { type AuditEvent, type Origin, recordAudit } from '../audit/record.ts'
import { sendPasswordChangedJob, sendResetJob } from '../jobs.ts'
import { replaceEveryKey } from '../keys/replace-keys.ts'
import { type Session, startSession } from '../sign-in/sessions.ts'
import { recordAddress, throttle } from '../sign-in/throttle.ts'
import { useToken } from '../sign-up/one-time-tokens.ts'
import { markVerified } from '../sign-up/verify-email.ts'
import { assertAcceptablePassword, hashPassword, isPasswordCorrect } from './passwords.ts'

/** Ends every older session and answers a fresh one, so that the caller stays signed in. */
export async function changePassword(
  app: App,
  change: { accountId: string; currentPassword: string; newPassword: string; origin: Origin },
): Promise<Session> {
  const { newPassword, origin } = change
  const account = await checkPassword(app, change, { limit: 'change_password', action: 'password_changed' })
  assertAcceptablePassword(newPassword, { email: account.email, field: 'new_password' })
  const stored = { account, passwordHash: await hashPassword(app, newPassword), origin, keysEnded: false }
  await app.db.transaction((tx) => storePassword(app, tx, { ...stored, action: 'password_changed' }))
  return startSession(app, await getAccountWithPassword(app, account.id))
}

/** An account younger than this may have been opened by another person than the owner of its mailbox. */
const YOUNG_SECONDS = 24 * 3_600

/**
 * Sets the password for the holder of the link; it works once. Every session ends. The link came to the mailbox, so the
 * address is verified with it. API keys end where that is asked for, and always while the account is young.
 */
export async function resetPassword(
  app: App,
  reset: { token: string; newPassword: string; revokeApiKeys: boolean; origin: Origin },
): Promise<{ keysEnded: boolean }> {
  await throttle(app, 'reset_password', reset)
  const passwordHash = await hashPassword(app, reset.newPassword)
  const done = await app.db.transaction(async (tx) => {
    const use = await useToken(tx, { token: reset.token, purpose: 'reset_password', at: app.clock.now() })
    if (use.kind !== 'used') return null
    const account = await findAccount(tx, use.accountId)
    if (!account) throw new Error(`token of a missing account ${use.accountId}`)
    // Thrown inside the transaction, so that a refused password does not use up the link.
    assertAcceptablePassword(reset.newPassword, { email: account.email, field: 'new_password' })
    const at = app.clock.now()
    const keysEnded = reset.revokeApiKeys || addSeconds(account.createdAt, YOUNG_SECONDS) > at
    const { origin } = reset
    await storePassword(app, tx, { account, passwordHash, origin, action: 'password_reset', keysEnded })
    await markVerified(tx, { accountId: account.id, at })
    await recordAddress(app, tx, { accountId: account.id, origin })
    if (keysEnded) await replaceEveryKey(app, tx, account.id)
    return { keysEnded }
  })
  if (!done) {
    throw new DomainError('invalid_token', 'This link is invalid, was used before, or has expired. Ask for a new one.')
  }
  return done
}

async function storePassword(
  app: App,
  tx: Tx,
  stored: {
    account: AccountWithPassword
    passwordHash: string
    origin: Origin
    action: AuditEvent['action']
    keysEnded: boolean
  },
): Promise<void> {
  const { account, passwordHash, origin, action, keysEnded } = stored
  await tx.query('update account set password_hash = $2, session_version = session_version + 1 where id = $1', [
    account.id,
    passwordHash,
  ])
  const details: AuditEvent['details'] = keysEnded ? { api_keys: 'ended' } : {}
  await recordAudit(tx, { at: app.clock.now(), accountId: account.id, action, origin, details })
  await app.jobs.enqueue(tx, sendPasswordChangedJob, { accountId: account.id, keysEnded })
}

async function getAccountWithPassword(app: App, accountId: string): Promise<AccountWithPassword> {
  const account = await findAccount(app.db, accountId)
  if (!account) throw new DomainError('not_found', 'There is no such account.')
  return account
}

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
  const as = { limit: 'confirm_password', action: 'password_confirmed' } as const
  await checkPassword(app, { accountId, currentPassword, origin }, as)
}

/** Returns the account when this is its password. Throws otherwise, and records the failure. */
async function checkPassword(
  app: App,
  { accountId, currentPassword, origin }: { accountId: string; currentPassword: string; origin: Origin },
  { limit, action }: { limit: 'change_password' | 'confirm_password'; action: AuditEvent['action'] },
): Promise<AccountWithPassword> {
  const account = await getAccountWithPassword(app, accountId)
  await throttle(app, limit, { origin, email: account.email })
  if (await isPasswordCorrect(app, account.passwordHash, currentPassword)) return account
  countSecurityEvent('sign_in_failed')
  await recordAudit(app.db, { at: app.clock.now(), accountId, action, outcome: 'failure', origin })
  throw new DomainError('invalid_credentials', 'The current password is wrong.')
}

/**
 * Requests a reset link. Known or not, the address costs one enqueued job and gets the same response: only the job looks
 * up whether there is an account, so neither response nor time reveals it.
 */
export async function requestPasswordReset(app: App, request: { email: string; origin: Origin }): Promise<void> {
  await throttle(app, 'forgot_password', request)
  await app.db.transaction((tx) => app.jobs.enqueue(tx, sendResetJob, { email: request.email }))
}
