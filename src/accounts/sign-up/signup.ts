import type { App } from '../../app.ts'
import { openBalance } from '../../credits/index.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import { canonicalEmail, findAccountByEmail } from '../account.ts'
import { type Origin, recordAudit } from '../audit/record.ts'
import { sendVerificationJob } from '../jobs.ts'
import { createApiKey } from '../keys/api-keys.ts'
import { assertAcceptablePassword, hashPassword, isPasswordCorrect } from '../passwords/passwords.ts'
import { throttle } from '../sign-in/throttle.ts'
import { expireTokens } from './one-time-tokens.ts'

/**
 * Makes an unverified account and sends its verification e-mail. For an address that has an account already it throws
 * `account_exists`. Where that account was never verified, the newest password and the newest link are then the only ones
 * that count: a person who signed the address up before its owner can do nothing with it.
 */
export async function signUp(app: App, signup: { email: string; password: string; origin: Origin }): Promise<void> {
  await throttle(app, 'signup', signup)
  assertAcceptablePassword(signup.password, { email: signup.email, field: 'password' })
  const passwordHash = await hashPassword(app, signup.password)
  const knownHash = await findUnverifiedHash(app, signup)
  const created = await app.db.transaction(async (tx) => {
    const createdId = await insertAccount(app, tx, { email: signup.email, passwordHash, verifiedAt: null })
    const accountId = createdId ?? (await signUpAgain(app, tx, { email: signup.email, passwordHash, knownHash }))
    if (accountId) {
      const at = app.clock.now()
      await recordAudit(tx, { at, accountId, action: 'signup', origin: signup.origin })
      await app.jobs.enqueue(tx, sendVerificationJob, { accountId })
    }
    return createdId !== null
  })
  if (!created) {
    throw new DomainError(
      'account_exists',
      'There is an account for this e-mail address. Log in, or ask for a new password.',
    )
  }
}

/** The stored hash where the address was signed up before with the very same password; null otherwise. */
async function findUnverifiedHash(app: App, signup: { email: string; password: string }): Promise<string | null> {
  const account = await findAccountByEmail(app.db, signup.email)
  if (!account || account.verifiedAt) return null
  return (await isPasswordCorrect(app, account.passwordHash, signup.password)) ? account.passwordHash : null
}

/**
 * The account is then as new: with this password, from now on, and without its older links. Two passwords for one address
 * are contested, and the page behind the link then asks which one its reader has chosen.
 */
async function signUpAgain(
  app: App,
  tx: Tx,
  { email, passwordHash, knownHash }: { email: string; passwordHash: string; knownHash: string | null },
): Promise<string | null> {
  const at = app.clock.now()
  const [account] = await tx.query<{ id: string }>(
    `update account set password_hash = $2, created_at = $3, session_version = session_version + 1,
       is_contested = is_contested or password_hash is distinct from $4
     where email_canonical = $1 and verified_at is null and disabled_at is null returning id`,
    [canonicalEmail(email), passwordHash, at, knownHash],
  )
  if (!account) return null
  await expireTokens(tx, { accountId: account.id, purpose: 'verify_email', at })
  return account.id
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
