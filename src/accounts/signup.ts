import type { App } from '../app.ts'
import { openBalance } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import type { Tx } from '../lib/db.ts'
import { newId } from '../lib/ids.ts'
import { canonicalEmail, findAccountByEmail } from './account.ts'
import { createApiKey } from './api-keys.ts'
import { type Origin, recordAudit } from './audit.ts'
import { sendVerificationJob } from './jobs.ts'
import { assertAcceptablePassword, hashPassword } from './passwords.ts'
import { throttle } from './throttle.ts'

/**
 * Makes an unverified account and sends its verification e-mail. For an address that has an account already it throws
 * `account_exists`, after sending a fresh link if that account was never verified.
 */
export async function signUp(app: App, signup: { email: string; password: string; origin: Origin }): Promise<void> {
  await throttle(app, 'signup', signup)
  assertAcceptablePassword(signup.password, signup.email)
  const passwordHash = await hashPassword(signup.password)
  const created = await app.db.transaction(async (tx) => {
    const accountId = await insertAccount(app, tx, { email: signup.email, passwordHash, verifiedAt: null })
    if (accountId) {
      const at = app.clock.now()
      await recordAudit(tx, { at, accountId, action: 'signup', outcome: 'success', origin: signup.origin })
    }
    const existing = accountId ? null : await findAccountByEmail(tx, signup.email)
    if (accountId || existing?.verifiedAt === null) {
      await app.jobs.enqueue(tx, sendVerificationJob, { accountId: accountId ?? existing?.id ?? '' })
    }
    return accountId !== null
  })
  if (!created) {
    throw new DomainError(
      'account_exists',
      'There is an account for this e-mail address. Log in, or ask for a new password.',
    )
  }
}

/** With its keys and an empty balance. Answers null when the address has an account. */
export async function insertAccount(
  app: App,
  tx: Tx,
  account: { email: string; passwordHash: string; verifiedAt: Date | null },
): Promise<string | null> {
  const at = app.clock.now()
  const [row] = await tx.query<{ id: string }>(
    `insert into account (id, email, email_canonical, password_hash, verified_at, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (email_canonical) do nothing returning id`,
    [newId('acc'), account.email.trim(), canonicalEmail(account.email), account.passwordHash, account.verifiedAt, at],
  )
  if (!row) return null
  await createApiKey(tx, app.secrets, { accountId: row.id, mode: 'live', at })
  await createApiKey(tx, app.secrets, { accountId: row.id, mode: 'test', at })
  await openBalance(tx, row.id)
  return row.id
}
