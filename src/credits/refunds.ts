import { toLondonDate } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'
import { appendEntry, type Balance } from './ledger.ts'

interface Refund {
  accountId: string
  /** The reference of the captured hold; it is refunded once, however often this is called. */
  reference: string
  /** Why, in a word that stays the same. */
  reason: string
  at: Date
}

/** Gives back what was captured. Null when nothing was, or it was given back before. */
export async function refundCapture(tx: Tx, refund: Refund): Promise<Balance | null> {
  const { accountId, reference, reason, at } = refund
  // The lock orders two refunds of one hold, so that the second sees the first.
  const [hold] = await tx.query<{ id: string; amount: number }>(
    `select id, amount from credit_hold where account_id = $1 and reference = $2 and state = 'captured' for update`,
    [accountId, reference],
  )
  if (!hold) return null
  const [earlier] = await tx.query(
    `select 1 from ledger_entry where account_id = $1 and kind = 'refund' and reference = $2`,
    [accountId, reference],
  )
  if (earlier) return null
  const entry = {
    accountId,
    kind: 'refund',
    amountCredits: hold.amount,
    reason,
    reference,
    holdId: hold.id,
    at,
  } as const
  const balance = await appendEntry(tx, entry)
  await countRefund(tx, { accountId, credits: hold.amount, at })
  return balance
}

/** Counts on the day of the refund; the day of the charge keeps its count. */
async function countRefund(tx: Tx, refund: { accountId: string; credits: number; at: Date }): Promise<void> {
  await tx.query(
    `insert into usage_day as day (account_id, day, outcome, answers, credits) values ($1, $2, 'refunded', 0, $3)
     on conflict (account_id, day, outcome) do update set credits = day.credits + excluded.credits`,
    [refund.accountId, toLondonDate(refund.at), -refund.credits],
  )
}
