import { findAccount } from '../accounts/index.ts'
import type { Db } from '../lib/db/db.ts'

/** Who decides: the name that was given, or the account's own address. */
export async function nameReviewer(db: Db, by: { accountId: string; reviewer: string | null }): Promise<string> {
  if (by.reviewer !== null) return by.reviewer
  const account = await findAccount(db, by.accountId)
  if (!account) throw new Error(`account ${by.accountId} has vanished`)
  return account.email
}
