import { captureHold, countAnswer, getBalance, holdCredit, holdCredits, releaseHold } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import type { Tx } from '../lib/db.ts'
import { hasDecidedMeanwhile, isPaid, markPaid, type Subject, wasAnswered } from './payments.ts'

export type { Subject } from './payments.ts'

/** What an answer cost, and why. */
export interface Charge {
  charged: boolean
  reason: string
}

/** Somebody who asks for something, and what the credit is set aside for. */
export interface Asking extends Subject {
  accountId: string
  jobId: string
  /** The connected program that asks; its daily cap counts too. */
  connectionId?: string | undefined
  at: Date
}

/** Longer than any work can take; the sweep gives back what was never settled. */
const HOLD_SECONDS = 3_600

/** Answered because the account itself decided so: free, even without credits. */
export const OWN_DECISION_OUTCOME = 'own_decision'
export const OWN_CHARGE: Charge = { charged: false, reason: `${OWN_DECISION_OUTCOME}_free` }

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

/** The same for many domains that are not paid for, as far as the credits go. Answers the holds by job. */
export async function holdForMany(
  tx: Tx,
  ask: { accountId: string; jobIds: readonly string[]; at: Date },
): Promise<Map<string, string>> {
  const { accountId, jobIds: references, at } = ask
  return holdCredits(tx, { accountId, references, reason: 'domain_asked', lifeSeconds: HOLD_SECONDS, at })
}

/** Charges for an outcome that is known at once. Asking needs an available credit, or to have paid, even where it is free. */
export async function chargeAtOnce(
  tx: Tx,
  ask: Asking & { outcome: string; resolutionId: string | null },
): Promise<Charge> {
  if (!COSTS.has(ask.outcome)) {
    const isOwn = ask.outcome === OWN_DECISION_OUTCOME
    if (!isOwn && (await wasAnswered(tx, ask))) return { charged: false, reason: `${ask.outcome}_free` }
    if (!isOwn && (await getBalance(tx, ask.accountId)).available < 1 && !(await isPaid(tx, ask))) throw noCredits()
    await countAnswer(tx, { accountId: ask.accountId, outcome: `${ask.outcome}_free`, credits: 0, at: ask.at })
    return { charged: false, reason: `${ask.outcome}_free` }
  }
  if (!(await markPaid(tx, { ...ask, reference: ask.jobId }))) return { charged: false, reason: 'already_paid' }
  if (await hasDecidedMeanwhile(tx, ask)) return OWN_CHARGE
  await captureHold(tx, { holdId: await hold(tx, ask), outcome: ask.outcome, at: ask.at })
  return { charged: true, reason: ask.outcome }
}

/** Settles what was held when the work ends: spent for a match that this account has not paid for yet, else given back. */
export async function settleHold(
  tx: Tx,
  job: Subject & {
    id: string
    accountId: string
    holdId: string | null
    resolutionId: string | null
    outcome: string
    at: Date
  },
): Promise<Charge> {
  const { holdId, outcome, at } = job
  if (!COSTS.has(outcome)) {
    if (holdId) await releaseHold(tx, { holdId, outcome: `${outcome}_free`, at })
    return { charged: false, reason: `${outcome}_free` }
  }
  const isFirst = holdId !== null && (await markPaid(tx, { ...job, reference: job.id }))
  if (isFirst && (await hasDecidedMeanwhile(tx, job))) {
    await releaseHold(tx, { holdId, outcome: OWN_CHARGE.reason, at })
    return OWN_CHARGE
  }
  if (isFirst) {
    const { kind } = await captureHold(tx, { holdId, outcome, at })
    return { charged: kind === 'settled', reason: outcome }
  }
  if (holdId) await releaseHold(tx, { holdId, outcome: 'already_paid', at })
  return { charged: false, reason: 'already_paid' }
}

function noCredits(): DomainError {
  return new DomainError(
    'insufficient_credits',
    'Asking needs one available credit, which is spent only on a match. This account has none.',
  )
}
