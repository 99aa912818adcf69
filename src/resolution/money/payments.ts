/** Payments: a subject or fact that was paid for is free for 30 days. */
import { isBlocked, listDecided } from '../../decisions/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'

/** The subject of a request, paid for once: a domain's company, or a company's web site. */
export interface Subject {
  kind: 'domain' | 'company'
  subject: string
}

/** A domain and the company behind it: one fact with one price, whichever of the two was asked for. */
export interface Fact {
  domain: string
  companyNumber: string
}

export const PAID_DAYS = 30

export async function isPaid(tx: Tx, ask: Subject & { accountId: string; at: Date }): Promise<boolean> {
  const rows = await tx.query(
    'select from paid_subject where account_id = $1 and kind = $2 and subject = $3 and paid_until > $4',
    [ask.accountId, ask.kind, ask.subject, ask.at],
  )
  return rows.length > 0
}

/** True when the account has paid for a fact about this subject, in either direction. */
export async function hasPaidFact(tx: Tx, ask: Subject & { accountId: string; at: Date }): Promise<boolean> {
  const rows =
    ask.kind === 'domain'
      ? await tx.query('select from paid_fact where account_id = $1 and domain = $2 and paid_until > $3 limit 1', [
          ask.accountId,
          ask.subject,
          ask.at,
        ])
      : await tx.query(
          'select from paid_fact where account_id = $1 and company_number = $2 and paid_until > $3 limit 1',
          [ask.accountId, ask.subject, ask.at],
        )
  return rows.length > 0
}

interface NewPayment extends Subject {
  accountId: string
  fact: Fact
  reference: string
  at: Date
  /** Paid until later than this counts as paid: now, unless the question was asked when it was still paid. */
  asOf?: Date
}

/**
 * Null when the account has paid for the subject, or for the fact in the other direction. Of several requests at once,
 * one marks it: the statement takes the row of the subject and, where it could, the row of the fact. A payment that was
 * refunded ended then, also for a question that was asked while it was paid.
 */
export async function markPaid(tx: Tx, payment: NewPayment): Promise<{ wasRefunded: boolean } | null> {
  const { accountId, kind, subject, fact, reference, at, asOf = at } = payment
  const [taken] = await tx.query<{ hasSubject: boolean; wasRefunded: boolean | null }>(
    `with subject as (
       insert into paid_subject as paid (account_id, kind, subject, paid_until, reference) values ($1, $2, $3, $4, $6)
       on conflict (account_id, kind, subject) do update
         set paid_until = excluded.paid_until, reference = excluded.reference where paid.paid_until <= $5
       returning account_id
     ), fact as (
       insert into paid_fact as paid (account_id, domain, company_number, paid_until, reference)
       select account_id, $7, $8, $4, $6 from subject
       on conflict (account_id, domain, company_number) do update
         set paid_until = excluded.paid_until, reference = excluded.reference
         where paid.paid_until <= $5 or paid.paid_until <= paid.refunded_at
       returning refunded_at is not null as was_refunded
     )
     select exists (select from subject) as "hasSubject", (select was_refunded from fact) as "wasRefunded"`,
    [accountId, kind, subject, addSeconds(at, PAID_DAYS * 86_400), asOf, reference, fact.domain, fact.companyNumber],
  )
  if (!taken?.hasSubject) return null
  if (taken.wasRefunded !== null) return { wasRefunded: taken.wasRefunded }
  await forgetSubject(tx, payment)
  return null
}

/** Undoes `markPaid` in its own transaction. */
export async function forgetPayment(tx: Tx, payment: Subject & { accountId: string; fact: Fact }): Promise<void> {
  await forgetSubject(tx, payment)
  await forgetFact(tx, payment)
}

async function forgetSubject(tx: Tx, paid: Subject & { accountId: string }): Promise<void> {
  await tx.query('delete from paid_subject where account_id = $1 and kind = $2 and subject = $3', [
    paid.accountId,
    paid.kind,
    paid.subject,
  ])
}

/** Removes the payment for a fact. One that was refunded before counts as refunded again. */
export async function forgetFact(tx: Tx, { accountId, fact }: { accountId: string; fact: Fact }): Promise<void> {
  const values = [accountId, fact.domain, fact.companyNumber]
  await tx.query(
    `delete from paid_fact where account_id = $1 and domain = $2 and company_number = $3 and refunded_at is null`,
    values,
  )
  await tx.query(
    `update paid_fact set paid_until = refunded_at
     where account_id = $1 and domain = $2 and company_number = $3 and paid_until > refunded_at`,
    values,
  )
}

export async function isFactPaid(db: Db, of: { accountId: string; fact: Fact; at: Date }): Promise<boolean> {
  const rows = await db.query(
    'select from paid_fact where account_id = $1 and domain = $2 and company_number = $3 and paid_until > $4',
    [of.accountId, of.fact.domain, of.fact.companyNumber, of.at],
  )
  return rows.length > 0
}

/**
 * SQL for whether an account has paid for a domain, or for its company in the other direction. The offsets keep PostgreSQL from
 * reading all payments of the account, where it expects more domains than one.
 */
export function isPaidSql(of: { account: string; domain: string; company: string; at: string }): string {
  return `(exists (
      select from paid_subject paid where paid.account_id = ${of.account} and paid.kind = 'domain'
        and paid.subject = ${of.domain} and paid.paid_until > ${of.at} offset 0
    ) or exists (
      select from paid_fact fact where fact.account_id = ${of.account} and fact.domain = ${of.domain}
        and fact.company_number = ${of.company} and fact.paid_until > ${of.at} offset 0
    ))`
}

/** SQL for whether an answer is in the history of an account. */
export function isEnteredSql(of: { account: string; resolution: string }): string {
  return `exists (select from account_answer entered
      where entered.account_id = ${of.account} and entered.resolution_id = ${of.resolution})`
}

/** SQL for whether an account got the credit for a fact back. */
export function isRefundedSql(of: { account: string; domain: string; company: string }): string {
  return `exists (
      select from paid_fact fact where fact.account_id = ${of.account} and fact.domain = ${of.domain}
        and fact.company_number = ${of.company} and fact.refunded_at is not null
    )`
}

/** True when the credit for this fact was refunded, and it was not paid for again. */
export async function isRefunded(db: Db, of: { accountId: string; fact: Fact; at: Date }): Promise<boolean> {
  const rows = await db.query(
    `select from paid_fact where account_id = $1 and domain = $2 and company_number = $3
       and refunded_at is not null and paid_until <= $4`,
    [of.accountId, of.fact.domain, of.fact.companyNumber, of.at],
  )
  return rows.length > 0
}

/**
 * True when the account decided otherwise while the work ran, and so has nothing to pay. A dispute locks the rows that
 * `markPaid` has locked now, so it is either visible here or refunds what is paid here.
 */
export async function hasDecidedMeanwhile(
  tx: Tx,
  ask: Subject & { accountId: string; fact: Fact; resolutionId: string | null },
): Promise<boolean> {
  if (!(await hasDecided(tx, ask))) return false
  await forgetPayment(tx, ask)
  return true
}

async function hasDecided(
  tx: Tx,
  ask: Subject & { accountId: string; fact: Fact; resolutionId: string | null },
): Promise<boolean> {
  const { accountId, kind, fact, resolutionId } = ask
  if (kind === 'company') return isBlocked(tx, accountId, fact)
  return resolutionId !== null && (await listDecided(tx, { ...fact, accountIds: [accountId] })).size > 0
}

/** A fact that is paid for again is shown again. */
export async function clearRefund(tx: Tx, { accountId, fact }: { accountId: string; fact: Fact }): Promise<void> {
  await tx.query(
    `update paid_fact set refunded_at = null
     where account_id = $1 and domain = $2 and company_number = $3 and refunded_at is not null`,
    [accountId, fact.domain, fact.companyNumber],
  )
}

/** Another hold paid than the first one. */
export async function renameReference(tx: Tx, paid: { accountId: string; from: string; to: string }): Promise<void> {
  const values = [paid.accountId, paid.from, paid.to]
  await tx.query('update paid_subject set reference = $3 where account_id = $1 and reference = $2', values)
  await tx.query('update paid_fact set reference = $3 where account_id = $1 and reference = $2', values)
}

/** True when a job of this account ended with this very answer: reading it again is no second answer. */
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

/** True when the account has a job with this answer for a domain, or a payment for it. */
export async function hasReceived(
  tx: Tx,
  of: { accountId: string; resolutionId: string; fact: Fact; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `select from resolution_job where resolution_id = $2 and account_id = $1 and kind = 'domain'
     union all
     select from paid_subject where account_id = $1 and kind = 'domain' and subject = $3 and paid_until > $4
     union all
     select from paid_fact where account_id = $1 and domain = $3 and company_number = $5 and paid_until > $4
     limit 1`,
    [of.accountId, of.resolutionId, of.fact.domain, of.at, of.fact.companyNumber],
  )
  return rows.length > 0
}

const FORGOTTEN_MAX = 10_000

/** Deletes payments that ended before this; call again for more. Refunds stay as long as jobs are stored. */
export async function forgetOldPayments(db: Db, before: Date): Promise<void> {
  await db.query(
    `delete from paid_subject where (account_id, kind, subject) in (
       select account_id, kind, subject from paid_subject where paid_until <= $1 limit ${FORGOTTEN_MAX})`,
    [before],
  )
  await db.query(
    `delete from paid_fact where (account_id, domain, company_number) in (
       select account_id, domain, company_number from paid_fact
       where paid_until <= $1 and (refunded_at is null or refunded_at <= $1 - interval '31 days') limit ${FORGOTTEN_MAX})`,
    [before],
  )
}
