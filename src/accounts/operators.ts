import { randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import { type Balance, grantCredits } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { toLondonDate } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'
import { type Account, findAccount, findAccountByEmail } from './account.ts'
import { recordAudit } from './audit/record.ts'
import { createApiKey } from './keys/api-keys.ts'
import { assertAcceptablePassword, hashPassword } from './passwords/passwords.ts'
import { type PlanName, startPlanMonth } from './plans.ts'
import { insertAccount } from './sign-up/signup.ts'
import { markVerified } from './sign-up/verify-email.ts'

// Operations that only the operator may do; called from the command line.

/** A verified account with its welcome credits, without any e-mail. */
export async function createVerifiedAccount(app: App, account: { email: string; password: string }): Promise<Account> {
  assertAcceptablePassword(account.password, { email: account.email, field: 'password' })
  const passwordHash = await hashPassword(app, account.password)
  const at = app.clock.now()
  const accountId = await app.db.transaction(async (tx) => {
    const id = await insertAccount(app, tx, { email: account.email, passwordHash, verifiedAt: at })
    if (!id) throw new DomainError('account_exists', `There is an account for ${account.email} already.`)
    await markVerified(tx, { accountId: id, at })
    await recordAudit(tx, { at, accountId: id, action: 'account_created', origin: null })
    return id
  })
  return getAccount(app, accountId)
}

/** By id or e-mail address. */
export async function getAccount(app: App, idOrEmail: string): Promise<Account> {
  const account = idOrEmail.includes('@')
    ? await findAccountByEmail(app.db, idOrEmail)
    : await findAccount(app.db, idOrEmail)
  if (!account)
    throw new DomainError('not_found', `There is no account ${idOrEmail}. Give its id (acc_…) or its e-mail address.`)
  return account
}

export async function grantByOperator(
  app: App,
  grant: { accountId: string; amountCredits: number; reference: string },
): Promise<Balance | null> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const balance = await grantCredits(tx, { ...grant, reason: 'operator', at })
    if (balance) {
      const details = { amount: grant.amountCredits, reference: grant.reference }
      const { accountId } = grant
      await recordAudit(tx, { at, accountId, action: 'credits_granted', origin: null, details })
    }
    return balance
  })
}

/** The new plan starts today with a full month's credits. */
export async function changePlan(app: App, change: { accountId: string; plan: PlanName }): Promise<Account> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    const [account] = await tx.query<{ plan: PlanName }>('select plan from account where id = $1 for no key update', [
      change.accountId,
    ])
    await tx.query('update account set plan = $2 where id = $1', [change.accountId, change.plan])
    await startPlanMonth(tx, { ...change, startsOn: toLondonDate(at), at })
    const { accountId, plan } = change
    const changed = { ...(account ? { before: { plan: account.plan } } : {}), after: { plan } }
    await recordAudit(tx, { at, accountId, action: 'plan_changed', origin: null, ...changed })
  })
  return getAccount(app, change.accountId)
}

/** Ends every session of the account and disconnects its programs. */
export async function endSessions(app: App, accountId: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    await tx.query('update account set session_version = session_version + 1 where id = $1', [accountId])
    const at = app.clock.now()
    await recordAudit(tx, { at, accountId, action: 'sessions_ended', origin: null })
  })
}

/** Ends sessions, keys and connected programs at once. Returns false when the account is disabled already. */
export async function setDisabled(tx: Tx, { accountId, at }: { accountId: string; at: Date }): Promise<boolean> {
  const disabled = await tx.query(
    `update account set disabled_at = $2, session_version = session_version + 1
     where id = $1 and disabled_at is null returning id`,
    [accountId, at],
  )
  return disabled.length > 0
}

/** Returns false when the account is not disabled. Throws when it is erased. */
export async function setEnabled(tx: Tx, accountId: string): Promise<boolean> {
  const [account] = await tx.query<{ disabled_at: Date | null; erased_at: Date | null }>(
    'select disabled_at, erased_at from account where id = $1 for update',
    [accountId],
  )
  if (account?.erased_at) {
    throw new DomainError('not_found', 'This account is erased. Its owner has to sign up again.')
  }
  if (!account?.disabled_at) return false
  await tx.query('update account set disabled_at = null where id = $1', [accountId])
  return true
}

/**
 * Keeps the account as a number without a person: replaces its e-mail address, password and keys by random ones. Returns
 * false when that was done before.
 */
export async function erasePerson(app: App, tx: Tx, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  const [erased] = await tx.query(
    'update account set erased_at = $2 where id = $1 and erased_at is null returning id',
    [accountId, at],
  )
  if (!erased) return false
  const password = randomBytes(32).toString('base64url')
  const email = `${accountId.toLowerCase()}@erased.invalid`
  await tx.query(
    `update account set email = $2, email_canonical = $2, password_hash = $3, session_version = session_version + 1
     where id = $1`,
    [accountId, email, await hashPassword(app, password)],
  )
  await tx.query('delete from api_key where account_id = $1', [accountId])
  for (const mode of ['live', 'test'] as const) await createApiKey(tx, app.secrets, { accountId, mode, at })
  return true
}
