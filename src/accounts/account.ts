import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { type Origin, recordAudit } from './audit/record.ts'
import type { PlanName } from './plans.ts'

export interface Account {
  id: string
  email: string
  verifiedAt: Date | null
  sessionVersion: number
  plan: PlanName
  planRenewsOn: string | null
  createdAt: Date
  /** Since then nothing of it works; null for an account in use. */
  disabledAt: Date | null
}

export interface AccountWithPassword extends Account {
  passwordHash: string
}

const COLUMNS = `id, email, password_hash as "passwordHash", verified_at as "verifiedAt",
  session_version as "sessionVersion", plan, plan_renews_on as "planRenewsOn", created_at as "createdAt",
  disabled_at as "disabledAt"`

/** One account per mailbox, however it is typed. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

export async function findAccountByEmail(db: Db, email: string): Promise<AccountWithPassword | null> {
  const [account] = await db.query<AccountWithPassword>(`select ${COLUMNS} from account where email_canonical = $1`, [
    canonicalEmail(email),
  ])
  return account ?? null
}

export async function findAccount(db: Db, id: string): Promise<AccountWithPassword | null> {
  const [account] = await db.query<AccountWithPassword>(`select ${COLUMNS} from account where id = $1`, [id])
  return account ?? null
}

/** Makes other transactions that take this lock wait, so that they cannot pass a limit of the account together. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.query('select id from account where id = $1 for no key update', [accountId])
}

/** Whether the account is in use: neither disabled nor erased. */
export async function isOpenAccount(db: Db, accountId: string): Promise<boolean> {
  return (await db.query(OPEN_ACCOUNT, [accountId])).length > 0
}

/**
 * Makes the end of the account wait for this transaction, so that an erasure finds what it writes. Throws `not_found` where the
 * account is disabled or erased already.
 */
export async function assertOpenAccount(tx: Tx, accountId: string): Promise<void> {
  const open = await tx.query(`${OPEN_ACCOUNT} for share`, [accountId])
  if (open.length === 0) throw new DomainError('not_found', 'This account is not in use any more.')
}

const OPEN_ACCOUNT = 'select id from account where id = $1 and disabled_at is null and erased_at is null'

/** Newest first. `before` is the id of the last one of the page before. */
export async function listAccounts(
  db: Db,
  page: { limit: number; before: string | null; onlyDisabled: boolean },
): Promise<Account[]> {
  return db.query<AccountWithPassword>(
    `select ${COLUMNS} from account
     where ($2::text is null or (created_at, id) < (select created_at, id from account where id = $2))
       and (not $3 or disabled_at is not null)
     order by created_at desc, id desc limit $1`,
    [page.limit, page.before, page.onlyDisabled],
  )
}

/** Whether a language model may be asked for requests of the account. It may unless the account refused. */
export async function acceptsSecondReader(db: Db, accountId: string): Promise<boolean> {
  const [row] = await db.query<{ accepts: boolean }>('select second_reader as accepts from account where id = $1', [
    accountId,
  ])
  return row?.accepts ?? false
}

/** Stores the choice, and records it where it changes something. */
export async function setSecondReader(
  app: App,
  { accountId, accepts, origin }: { accountId: string; accepts: boolean; origin: Origin },
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const changed = await tx.query(
      'update account set second_reader = $2 where id = $1 and second_reader <> $2 returning id',
      [accountId, accepts],
    )
    if (changed.length === 0) return
    const [before, after] = [{ second_reader: !accepts }, { second_reader: accepts }]
    const at = app.clock.now()
    await recordAudit(tx, { at, accountId, action: 'second_reader_changed', origin, before, after })
  })
}

export function accountDisabled(): DomainError {
  return new DomainError('account_disabled', 'This account is disabled. Write to the operator of this service.')
}
