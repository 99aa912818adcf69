import { findAccount } from '../accounts/index.ts'
import type { Db } from '../lib/db/db.ts'

/** Returns the name of the person who decides: the given one, or the account's e-mail address. */
export async function nameReviewer(db: Db, by: { accountId: string; reviewer: string | null }): Promise<string> {
  if (by.reviewer !== null) return by.reviewer
  const account = await findAccount(db, by.accountId)
  if (!account) throw new Error(`account ${by.accountId} has vanished`)
  return account.email
}
