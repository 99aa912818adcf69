/** Payments that a dispute takes away, gives back as a credit, or restores. */
import { refundCapture } from '../../credits/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { type Fact, forgetFact } from './payments.ts'

/** The reference of a payment, and the end of what it covers. */
export interface Payment {
  reference: string
  paidUntil: Date
}

interface PaidRow {
  reference: string | null
  paid_until: Date
}

/**
 * Ends what the account paid for this fact, so that the next match is charged; null when it has not paid. Holds the rows of
 * the payment until the transaction ends, also where there were none: nothing can be charged for the fact meanwhile.
 */
export async function takePayment(tx: Tx, taken: { accountId: string; fact: Fact; at: Date }): Promise<Payment | null> {
  const { accountId, fact, at } = taken
  const { domain, companyNumber } = fact
  // Subjects before the fact, as a charge does.
  const [byDomain] = await tx.query<PaidRow>(
    `insert into paid_subject as paid (account_id, kind, subject, paid_until) values ($1, 'domain', $2, $3)
     on conflict (account_id, kind, subject) do update set paid_until = paid.paid_until
     returning reference, paid_until`,
    [accountId, domain, at],
  )
  await tx.query(`select from paid_subject where account_id = $1 and kind = 'company' and subject = $2 for update`, [
    accountId,
    companyNumber,
  ])
  const [byFact] = await tx.query<PaidRow>(
    `insert into paid_fact as paid (account_id, domain, company_number, paid_until) values ($1, $2, $3, $4)
     on conflict (account_id, domain, company_number) do update set paid_until = paid.paid_until
     returning reference, paid_until`,
    [accountId, domain, companyNumber, at],
  )
  const payment = toPayment(byFact, at) ?? toPayment(byDomain, at)
  await forgetFact(tx, taken)
  await tx.query(
    `delete from paid_subject where account_id = $1 and (
       (kind = 'domain' and subject = $2 and (paid_until <= $4 or reference = $5))
       or (kind = 'company' and subject = $3 and reference = $5))`,
    [accountId, domain, companyNumber, at, payment?.reference ?? null],
  )
  return payment
}

function toPayment(row: PaidRow | undefined, at: Date): Payment | null {
  if (!row || row.reference === null || row.paid_until <= at) return null
  return { reference: row.reference, paidUntil: row.paid_until }
}

/** Gives the credit back, once. False when nothing was spent, or it was given back before. */
export async function refundPayment(
  tx: Tx,
  refund: { accountId: string; reference: string; fact: Fact; reason: string; at: Date },
): Promise<boolean> {
  const { accountId, fact, at } = refund
  const refunded = await refundCapture(tx, refund)
  if (refunded === null) return false
  await tx.query(
    `update resolution_job set charged = false, charge_reason = 'refunded'
     where account_id = $2 and charged and hold_id = $1`,
    [refunded.holdId, accountId],
  )
  await tx.query(
    `insert into paid_fact as paid (account_id, domain, company_number, paid_until, refunded_at)
     values ($1, $2, $3, $4, $4)
     on conflict (account_id, domain, company_number) do update
       set paid_until = excluded.paid_until, refunded_at = excluded.refunded_at`,
    [accountId, fact.domain, fact.companyNumber, at],
  )
  return true
}

/** The account has what it paid for again. */
export async function restorePayment(
  tx: Tx,
  restored: { accountId: string; fact: Fact; payment: Payment },
): Promise<void> {
  const { accountId, fact, payment } = restored
  const paid = [payment.paidUntil, payment.reference]
  await tx.query(
    `insert into paid_subject as paid (account_id, kind, subject, paid_until, reference) values ($1, 'domain', $2, $3, $4)
     on conflict (account_id, kind, subject) do nothing`,
    [accountId, fact.domain, ...paid],
  )
  await tx.query(
    `insert into paid_fact as paid (account_id, domain, company_number, paid_until, reference) values ($1, $2, $3, $4, $5)
     on conflict (account_id, domain, company_number) do update
       set paid_until = excluded.paid_until, reference = excluded.reference`,
    [accountId, fact.domain, fact.companyNumber, ...paid],
  )
}
