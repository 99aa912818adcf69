import type { Tx } from '../lib/db/db.ts'
import { appendEntry, type Balance } from './ledger.ts'

export interface Grant {
  accountId: string
  amountCredits: number
  reason: 'welcome' | 'plan' | 'operator'
  /** The reason for this grant; each reference is granted once, however often this is called. */
  reference: string
  at: Date
}

/** Returns the new balance, or null when this reference was granted before. */
export async function grantCredits(tx: Tx, grant: Grant): Promise<Balance | null> {
  // The lock orders two grants of one reference, so that the second sees the first.
  await tx.query('select 1 from credit_balance where account_id = $1 for update', [grant.accountId])
  const [earlier] = await tx.query(
    `select 1 from ledger_entry where account_id = $1 and kind = 'grant' and reference = $2`,
    [grant.accountId, grant.reference],
  )
  if (earlier) return null
  return appendEntry(tx, { ...grant, kind: 'grant', holdId: null })
}
