/** The cost of an answer: its reasons, the hold before the work, and the charge after it. */
import {
  captureHold,
  chargeCredit,
  countAnswer,
  getBalance,
  getHoldReference,
  holdCredit,
  holdCredits,
  isHeldSql,
  releaseHold,
  tryHoldAgain,
} from '../../credits/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { Outcome } from '../../resolver/index.ts'
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

/** The outcome of a request: of a domain, of a search (`verified`), by the account's own decision, or a failure of ours. */
export type RequestOutcome = Outcome | 'verified' | 'own_decision' | 'failed'
type CostingOutcome = 'matched' | 'verified'

export const CHARGE_REASONS = [
  'matched',
  'verified',
  'already_paid',
  'needs_review_free',
  'no_match_free',
  'non_uk_entity_free',
  'scrape_failed_free',
  'own_decision_free',
  'register_free',
  'refunded',
  'failed_free',
  'no_credits_free',
  'pending',
  'test_mode',
] as const
export type ChargeReason = (typeof CHARGE_REASONS)[number]

export interface Charge {
  charged: boolean
  reason: ChargeReason
}

export function isCosting(outcome: RequestOutcome): outcome is CostingOutcome {
  return outcome === 'matched' || outcome === 'verified'
}

export function freeCharge(outcome: Exclude<RequestOutcome, CostingOutcome>): Charge {
  return { charged: false, reason: `${outcome}_free` }
}

/** Returns the charge of an answer that the account has paid for, or that is free. */
export function repeatCharge(outcome: RequestOutcome): Charge {
  return isCosting(outcome) ? PAID_CHARGE : freeCharge(outcome)
}

const PAID_CHARGE: Charge = { charged: false, reason: 'already_paid' }
/** The account's own decision is the answer: free, even without credits. */
export const OWN_CHARGE: Charge = freeCharge('own_decision')
/** The account has no credit for an answer that costs one: it is not searched for, or not shown. */
export const NO_CREDITS_CHARGE: Charge = { charged: false, reason: 'no_credits_free' }
/** Matched with the register, which is open data: no site was read. */
export const REGISTER_CHARGE: Charge = { charged: false, reason: 'register_free' }
export const TEST_CHARGE: Charge = { charged: false, reason: 'test_mode' }

/** A request that a credit is held for. */
interface Asking extends Subject {
  accountId: string
  jobId: string
  /** The connected program that sends the request; its daily cap counts too. */
  connectionId?: string | undefined
  at: Date
}

/** A day longer than a job is stored: a hold lives as long as its job, and the sweep releases holds without one. */
const HOLD_SECONDS = 31 * 86_400

/**
 * Holds the credit that an answer may cost. An account's open jobs for one subject share one hold. Null when the account
 * has paid for the subject or, without credits left, for a fact about it that may turn out to be the answer.
 */
export async function holdFor(tx: Tx, ask: Asking): Promise<string | null> {
  if (await isPaid(tx, ask)) return null
  const shared = await findSharedHold(tx, ask)
  if (shared !== null) return shared
  const { available } = await getBalance(tx, ask.accountId)
  return available < 1 && (await hasPaidFact(tx, ask)) ? null : (await holdCredit(tx, toHold(ask))).id
}

/** Returns the hold that the account's open jobs for a subject share. Call it while the work's row is locked. */
async function findSharedHold(tx: Tx, ask: Subject & { accountId: string }): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select hold_id as id from resolution_job
     where kind = $2 and subject = $3 and finished_at is null and account_id = $1 and ${isHeldSql('resolution_job.account_id', 'hold_id')} limit 1`,
    [ask.accountId, ask.kind, ask.subject],
  )
  return row?.id ?? null
}

function toHold({ accountId, jobId: reference, kind, subject, at, connectionId: capId }: Asking) {
  return { accountId, reference, reason: `${kind}_asked`, subject, lifeSeconds: HOLD_SECONDS, at, capId }
}

/** Holds a credit for each of many unpaid domains, as far as the credits go. Returns the holds by job. */
export async function holdForMany(
  tx: Tx,
  ask: { accountId: string; jobs: ReadonlyArray<{ id: string; domain: string }>; at: Date },
): Promise<Map<string, string>> {
  const { accountId, jobs, at } = ask
  const wanted = jobs.map(({ id, domain }) => ({ reference: id, subject: domain }))
  return holdCredits(tx, { accountId, wanted, reason: 'domain_asked', lifeSeconds: HOLD_SECONDS, at })
}

/** An answer, and the fact in it where it names a company and a domain. */
interface Answered {
  outcome: RequestOutcome
  resolutionId: string | null
  fact: Fact | null
}

/**
 * Charges for a known answer, and returns the credits available afterwards. Only a match needs an available credit, or an
 * earlier payment.
 */
export async function chargeAtOnce(tx: Tx, ask: Asking & Answered): Promise<{ charge: Charge; available: number }> {
  const { accountId, outcome, at } = ask
  const free = async (charge: Charge) => ({ charge, available: (await getBalance(tx, accountId)).available })
  if (!isCosting(outcome)) {
    const charge = freeCharge(outcome)
    const isRepeat = outcome !== 'own_decision' && (await wasAnswered(tx, ask))
    if (!isRepeat) await countAnswer(tx, { accountId, outcome: charge.reason, credits: 0, at })
    return free(charge)
  }
  const payment = { ...ask, fact: getFact(ask), reference: ask.jobId }
  const marked = await markPaid(tx, payment)
  if (marked === null) return free(PAID_CHARGE)
  if (await hasDecidedMeanwhile(tx, payment)) return free(OWN_CHARGE)
  const { available } = await chargeCredit(tx, { ...toHold(ask), outcome })
  if (marked.wasRefunded) await clearRefund(tx, payment)
  return { charge: { charged: true, reason: outcome }, available }
}

/** A job as it is settled. */
interface Settling extends Subject, Answered {
  id: string
  accountId: string
  holdId: string | null
  createdAt: Date
  at: Date
}

interface Settled {
  charge: Charge
  holdId: string | null
  /** There was no credit left to pay for the match: it is not shown. */
  isWithheld: boolean
}

/** Settles a job's hold when the work ends: captured for a match that the account has not paid for, else released. */
export async function settleHold(tx: Tx, job: Settling): Promise<Settled> {
  const { accountId, holdId, outcome, at } = job
  const end = async (charge: Charge): Promise<Settled> => {
    if (holdId) await releaseHold(tx, { accountId, holdId, outcome: charge.reason, at })
    return { charge, holdId, isWithheld: false }
  }
  if (!isCosting(outcome)) return end(freeCharge(outcome))
  const fact = getFact(job)
  const reference = holdId === null ? job.id : await getHoldReference(tx, { accountId, holdId })
  // Without a hold the subject was paid for at the request, and stays so however long the work took.
  const asOf = holdId === null ? job.createdAt : at
  const marked = await markPaid(tx, { ...job, fact, reference, asOf })
  if (marked === null) return end(PAID_CHARGE)
  if (await hasDecidedMeanwhile(tx, { ...job, fact })) return end(OWN_CHARGE)
  const paidWith = await spend(tx, job, reference)
  if (paidWith !== null && marked.wasRefunded) await clearRefund(tx, { ...job, fact })
  if (paidWith !== null) return { charge: { charged: true, reason: outcome }, holdId: paidWith, isWithheld: false }
  await forgetPayment(tx, { ...job, fact })
  return { charge: NO_CREDITS_CHARGE, holdId, isWithheld: true }
}

/** Returns the hold that paid; null when the job's hold is gone and there is no credit for another. */
async function spend(tx: Tx, job: Settling, reference: string): Promise<string | null> {
  const { accountId, holdId, outcome, at } = job
  if (holdId === null) return null
  if ((await captureHold(tx, { accountId, holdId, outcome, at })).kind === 'settled') return holdId
  const again = await tryHoldAgain(tx, { accountId, holdId, lifeSeconds: HOLD_SECONDS, at })
  if (again === null) return null
  await renameReference(tx, { accountId, from: reference, to: again.reference })
  await captureHold(tx, { accountId, holdId: again.id, outcome, at })
  return again.id
}

function getFact({ fact, outcome }: Answered): Fact {
  if (fact === null) throw new Error(`an answer ${outcome} without a domain or a company cannot be charged`)
  return fact
}
