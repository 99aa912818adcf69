import { captureHold, countAnswer, getBalance, holdCredit, releaseHold } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Tx } from '../lib/db.ts'

/** What an answer cost, and why. */
export interface Charge {
  charged: boolean
  reason: string
}

/** Something that is paid for once: a domain's company, or a company's web site. */
export interface Subject {
  kind: 'domain' | 'company'
  subject: string
}

/** Somebody who asks for something, and what the credit is set aside for. */
export interface Asking extends Subject {
  accountId: string
  jobId: string
  /** The connected program that asks; its daily cap counts too. */
  connectionId?: string | undefined
  at: Date
}

const PAID_DAYS = 30
/** Longer than any work can take; the sweep gives back what was never settled. */
const HOLD_SECONDS = 3_600

/** Outcomes that cost a credit. */
const COSTS: ReadonlySet<string> = new Set(['matched', 'verified'])

/** Sets the credit aside that an answer may cost; null when the account has paid for it already. */
export async function holdFor(tx: Tx, ask: Asking): Promise<string | null> {
  return (await isPaid(tx, ask)) ? null : hold(tx, ask)
}

async function hold(tx: Tx, ask: Asking): Promise<string> {
  const { id } = await holdCredit(tx, {
    accountId: ask.accountId,
    reference: ask.jobId,
    reason: `${ask.kind}_asked`,
    lifeSeconds: HOLD_SECONDS,
    at: ask.at,
    capId: ask.connectionId,
  })
  return id
}

/** Charges for an outcome that is known at once. Asking needs an available credit, or to have paid, even where it is free. */
export async function chargeAtOnce(tx: Tx, ask: Asking & { outcome: string }): Promise<Charge> {
  if (!COSTS.has(ask.outcome)) {
    if ((await getBalance(tx, ask.accountId)).available < 1 && !(await isPaid(tx, ask))) throw noCredits()
    await countAnswer(tx, { accountId: ask.accountId, outcome: `${ask.outcome}_free`, credits: 0, at: ask.at })
    return { charged: false, reason: `${ask.outcome}_free` }
  }
  if (!(await markPaid(tx, ask))) return { charged: false, reason: 'already_paid' }
  await captureHold(tx, { holdId: await hold(tx, ask), outcome: ask.outcome, at: ask.at })
  return { charged: true, reason: ask.outcome }
}

/** Settles what was held when the work ends: spent for a match that this account has not paid for yet, else given back. */
export async function settleHold(
  tx: Tx,
  job: Subject & { accountId: string; holdId: string | null; outcome: string; at: Date },
): Promise<Charge> {
  const { holdId, outcome, at } = job
  if (!COSTS.has(outcome)) {
    if (holdId) await releaseHold(tx, { holdId, outcome: `${outcome}_free`, at })
    return { charged: false, reason: `${outcome}_free` }
  }
  const isFirst = holdId !== null && (await markPaid(tx, job))
  if (isFirst) {
    const { kind } = await captureHold(tx, { holdId, outcome, at })
    return { charged: kind === 'settled', reason: outcome }
  }
  if (holdId) await releaseHold(tx, { holdId, outcome: 'already_paid', at })
  return { charged: false, reason: 'already_paid' }
}

async function isPaid(tx: Tx, ask: Subject & { accountId: string; at: Date }): Promise<boolean> {
  const rows = await tx.query(
    'select from paid_subject where account_id = $1 and kind = $2 and subject = $3 and paid_until > $4',
    [ask.accountId, ask.kind, ask.subject, ask.at],
  )
  return rows.length > 0
}

/** False when it is paid for already; of several requests at once, one gets true. */
async function markPaid(tx: Tx, ask: Subject & { accountId: string; at: Date }): Promise<boolean> {
  const rows = await tx.query(
    `insert into paid_subject as paid (account_id, kind, subject, paid_until) values ($1, $2, $3, $4)
     on conflict (account_id, kind, subject) do update set paid_until = excluded.paid_until where paid.paid_until <= $5
     returning kind`,
    [ask.accountId, ask.kind, ask.subject, addSeconds(ask.at, PAID_DAYS * 86_400), ask.at],
  )
  return rows.length > 0
}

function noCredits(): DomainError {
  return new DomainError(
    'insufficient_credits',
    'Asking needs one available credit, which is spent only on a match. This account has none.',
  )
}
