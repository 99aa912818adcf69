/** What has been paid for, and so is free to ask again for 30 days. */
import { refundCapture } from '../credits/index.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Tx } from '../lib/db.ts'
import { listDecided } from './own-decision.ts'

/** Something that is paid for once: a domain's company, or a company's web site. */
export interface Subject {
  kind: 'domain' | 'company'
  subject: string
}

const PAID_DAYS = 30

export async function isPaid(tx: Tx, ask: Subject & { accountId: string; at: Date }): Promise<boolean> {
  const rows = await tx.query(
    'select from paid_subject where account_id = $1 and kind = $2 and subject = $3 and paid_until > $4',
    [ask.accountId, ask.kind, ask.subject, ask.at],
  )
  return rows.length > 0
}

/** False when it is paid for already; of several requests at once, one gets true. */
export async function markPaid(
  tx: Tx,
  ask: Subject & { accountId: string; reference: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into paid_subject as paid (account_id, kind, subject, paid_until, reference) values ($1, $2, $3, $4, $6)
     on conflict (account_id, kind, subject) do update
       set paid_until = excluded.paid_until, reference = excluded.reference where paid.paid_until <= $5
     returning kind`,
    [ask.accountId, ask.kind, ask.subject, addSeconds(ask.at, PAID_DAYS * 86_400), ask.at, ask.reference],
  )
  return rows.length > 0
}

/**
 * True when the account decided otherwise while the answer was on its way, and so has nothing to pay. A dispute takes the
 * row that `markPaid` holds now, so it is either seen here or gives back what is paid here.
 */
export async function hasDecidedMeanwhile(
  tx: Tx,
  ask: Subject & { accountId: string; resolutionId: string | null },
): Promise<boolean> {
  const { accountId, kind, subject, resolutionId } = ask
  if (kind !== 'domain' || resolutionId === null) return false
  if ((await listDecided(tx, { resolutionId, accountIds: [accountId] })).size === 0) return false
  await forgetPayment(tx, { accountId, kind, subject })
  return true
}

async function forgetPayment(tx: Tx, paid: Subject & { accountId: string }): Promise<void> {
  await tx.query('delete from paid_subject where account_id = $1 and kind = $2 and subject = $3', [
    paid.accountId,
    paid.kind,
    paid.subject,
  ])
}

/**
 * Gives back what the account paid for a domain, and has it pay the next time; false when it has not paid. Holds the
 * payment's row until the transaction ends, also where there was none: nobody can charge for it meanwhile.
 */
export async function refundDomain(
  tx: Tx,
  paid: { accountId: string; domain: string; reason: string; at: Date },
): Promise<boolean> {
  const { accountId, domain, reason, at } = paid
  const [row] = await tx.query<{ reference: string | null; is_paid: boolean }>(
    `insert into paid_subject as paid (account_id, kind, subject, paid_until) values ($1, 'domain', $2, $3)
     on conflict (account_id, kind, subject) do update set paid_until = paid.paid_until
     returning reference, paid_until > $3 as is_paid`,
    [accountId, domain, at],
  )
  const reference = row?.is_paid ? row.reference : null
  const refunded = reference !== null && (await refundCapture(tx, { accountId, reference, reason, at })) !== null
  if (refunded) {
    await tx.query(
      `update resolution_job set charged = false, charge_reason = 'refunded' where id = $1 and account_id = $2`,
      [reference, accountId],
    )
  }
  if (refunded || !row?.is_paid) await forgetPayment(tx, { accountId, kind: 'domain', subject: domain })
  return refunded
}

/** Whether a job of this account ended with this very answer: reading it again is no second answer. */
export async function wasAnswered(
  tx: Tx,
  ask: Subject & { accountId: string; resolutionId: string | null },
): Promise<boolean> {
  const rows = await tx.query(
    `select from resolution_job
     where resolution_id = $4 and account_id = $1 and kind = $2 and subject = $3 and finished_at is not null limit 1`,
    [ask.accountId, ask.kind, ask.subject, ask.resolutionId],
  )
  return rows.length > 0
}
