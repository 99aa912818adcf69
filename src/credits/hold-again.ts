import type { Tx } from '../lib/db/db.ts'
import { readSpending } from './caps.ts'
import { holdCredit } from './holds.ts'

/**
 * Sets one credit aside in place of a hold that was released before its work ended, under a reference of its own and
 * against the same cap. Null when there is no credit, or the cap is reached.
 */
export async function tryHoldAgain(
  tx: Tx,
  again: { holdId: string; lifeSeconds: number; at: Date },
): Promise<{ id: string; reference: string } | null> {
  const { lifeSeconds, at } = again
  const [lost] = await tx.query<{ account_id: string; reference: string; cap_id: string | null }>(
    `select account_id, reference, cap_id from credit_hold where id = $1 and state = 'released'`,
    [again.holdId],
  )
  if (!lost || !(await hasCredit(tx, lost.account_id)) || !(await isWithinCap(tx, lost.cap_id, at))) return null
  const reference = `${lost.reference}_again`
  const capId = lost.cap_id ?? undefined
  const held = { accountId: lost.account_id, reference, reason: 'held_again', lifeSeconds, at, capId }
  return { id: (await holdCredit(tx, held)).id, reference }
}

/** The row is held until the transaction ends, so that it stays true. */
async function hasCredit(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx.query('select from credit_balance where account_id = $1 and balance - held >= 1 for update', [
    accountId,
  ])
  return rows.length > 0
}

async function isWithinCap(tx: Tx, capId: string | null, at: Date): Promise<boolean> {
  if (capId === null) return true
  const { dailyCredits, creditsToday } = await readSpending(tx, { capId, at })
  return creditsToday < dailyCredits
}
