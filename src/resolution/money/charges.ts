import {
  captureHold,
  countAnswer,
  getBalance,
  getHoldReference,
  holdCredit,
  holdCredits,
  releaseHold,
  tryHoldAgain,
} from '../../credits/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { findSharedHold } from '../ask/job-store.ts'
import {
  clearRefund,
  type Fact,
  forgetPayment,
  hasDecidedMeanwhile,
  hasPaidFact,
  isPaid,
  markPaid,
  renameReference,
  type Subject,
  wasAnswered,
} from './payments.ts'

export type { Fact, Subject } from './payments.ts'

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

/** A day longer than a job is kept: a hold lives as long as its job, and the sweep releases what no job is left for. */
const HOLD_SECONDS = 31 * 86_400

/** Answered because the account itself decided so: free, even without credits. */
export const OWN_DECISION_OUTCOME = 'own_decision'
export const OWN_CHARGE: Charge = { charged: false, reason: `${OWN_DECISION_OUTCOME}_free` }
const PAID_CHARGE: Charge = { charged: false, reason: 'already_paid' }
/** There is no credit for what would cost one: it is not looked for, or not shown. */
export const NO_CREDITS_CHARGE: Charge = { charged: false, reason: 'no_credits_free' }

/** Outcomes that cost a credit. */
const COSTS: ReadonlySet<string> = new Set(['matched', 'verified'])

/**
 * Sets the credit aside that an answer may cost. The account's questions for one subject share one hold. Null when the
 * account has paid: for the subject, or, without credits left, for a fact about it that may turn out to be the answer.
 */
export async function holdFor(tx: Tx, ask: Asking): Promise<string | null> {
  if (await isPaid(tx, ask)) return null
  const shared = await findSharedHold(tx, ask)
  if (shared !== null) return shared
  const { available } = await getBalance(tx, ask.accountId)
  return available < 1 && (await hasPaidFact(tx, ask)) ? null : hold(tx, ask)
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

/** An answer, and the fact in it where it names a company and a domain. */
interface Answered {
  outcome: string
  resolutionId: string | null
  fact: Fact | null
}

/** Charges for an outcome that is known at once. Only a match needs an available credit, or to have paid. */
export async function chargeAtOnce(tx: Tx, ask: Asking & Answered): Promise<Charge> {
  const { accountId, outcome, at } = ask
  if (!COSTS.has(outcome)) {
    const reason = `${outcome}_free`
    const isRepeat = outcome !== OWN_DECISION_OUTCOME && (await wasAnswered(tx, ask))
    if (!isRepeat) await countAnswer(tx, { accountId, outcome: reason, credits: 0, at })
    return { charged: false, reason }
  }
  const payment = { ...ask, fact: getFact(ask), reference: ask.jobId }
  if (!(await markPaid(tx, payment))) return PAID_CHARGE
  if (await hasDecidedMeanwhile(tx, payment)) return OWN_CHARGE
  await captureHold(tx, { holdId: await hold(tx, ask), outcome, at })
  await clearRefund(tx, payment)
  return { charged: true, reason: outcome }
}

/** A job as it is settled. */
export interface Settling extends Subject, Answered {
  id: string
  accountId: string
  holdId: string | null
  createdAt: Date
  at: Date
}

export interface Settled {
  charge: Charge
  holdId: string | null
  /** There was no credit left to pay for the match: it is not shown. */
  isWithheld: boolean
}

/** Settles what was held when the work ends: spent for a match that this account has not paid for yet, else given back. */
export async function settleHold(tx: Tx, job: Settling): Promise<Settled> {
  const { holdId, outcome, at } = job
  const end = async (charge: Charge): Promise<Settled> => {
    if (holdId) await releaseHold(tx, { holdId, outcome: charge.reason, at })
    return { charge, holdId, isWithheld: false }
  }
  if (!COSTS.has(outcome)) return end({ charged: false, reason: `${outcome}_free` })
  const fact = getFact(job)
  const reference = holdId === null ? job.id : await getHoldReference(tx, holdId)
  // Without a hold it was paid for when it was asked, and stays so however long the work took.
  const asOf = holdId === null ? job.createdAt : at
  if (!(await markPaid(tx, { ...job, fact, reference, asOf }))) return end(PAID_CHARGE)
  if (await hasDecidedMeanwhile(tx, { ...job, fact })) return end(OWN_CHARGE)
  const paidWith = await spend(tx, job, reference)
  if (paidWith !== null) await clearRefund(tx, { ...job, fact })
  if (paidWith !== null) return { charge: { charged: true, reason: outcome }, holdId: paidWith, isWithheld: false }
  await forgetPayment(tx, { ...job, fact })
  return { charge: NO_CREDITS_CHARGE, holdId, isWithheld: true }
}

/** Answers the hold that paid; null when the one set aside is gone and there is no credit for another. */
async function spend(tx: Tx, job: Settling, reference: string): Promise<string | null> {
  const { accountId, holdId, outcome, at } = job
  if (holdId === null) return null
  if ((await captureHold(tx, { holdId, outcome, at })).kind === 'settled') return holdId
  const again = await tryHoldAgain(tx, { holdId, lifeSeconds: HOLD_SECONDS, at })
  if (again === null) return null
  await renameReference(tx, { accountId, from: reference, to: again.reference })
  await captureHold(tx, { holdId: again.id, outcome, at })
  return again.id
}

function getFact({ fact, outcome }: Answered): Fact {
  if (fact === null) throw new Error(`an answer ${outcome} without a domain or a company cannot be charged`)
  return fact
}
