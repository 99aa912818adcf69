import type { Origin } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import {
  addReview,
  blockPair,
  findDispute,
  findDisputeTime,
  hasDecidedOn,
  type ReviewDecision,
  setDisputed,
} from '../decisions/index.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'
import {
  type Fact,
  findFresh,
  findResolution,
  hasReceived,
  type KnownResolution,
  methodOf,
  takePayment,
} from '../resolution/index.ts'
import { assertRegistered, logDecision, nameReviewer, wrongCompany } from './decide.ts'
import { checkDisputeJob } from './jobs.ts'
import { type DecisionWithRefund, insertRequest, transferRequest, wasRefused, withRefund } from './refund-requests.ts'
import { decideByRule, leaveToOperator, lockDisputes } from './refunds.ts'

/** A match that an account says is wrong. */
export interface Dispute {
  accountId: string
  resolutionId: string
  /** The right company, where the person knows it. */
  companyNumber: string | null
  reviewer: string | null
  reason: string | null
  origin?: Origin | undefined
}

export interface Disputed {
  domain: string
  blockedCompanyNumber: string
  refunded: boolean
  available: number
  decision: DecisionWithRefund
}

/** In a day, so that disputing is no way to get answers for nothing. */
export const DISPUTES_MAX = 50
const DAY_SECONDS = 86_400

interface Wrong {
  accountId: string
  looked: KnownResolution
  /** The domain, and the company that it is not. */
  fact: Fact
  at: Date
}

/**
 * Blocks the pair for this account, requests a refund if the account paid for it in the last 30 days, and returns the right
 * company from now on where one is given. Disputing the same again changes nothing.
 */
export async function disputeResolution(app: App, dispute: Dispute): Promise<Disputed> {
  const { accountId, companyNumber } = dispute
  const at = app.clock.now()
  const looked = await findResolution(app.db, dispute.resolutionId)
  if (!looked || looked.companyNumber === null) throw nothingToDispute()
  const fact = { domain: looked.domain, companyNumber: looked.companyNumber }
  if (companyNumber === null && dispute.reason === null) throw reasonMissing()
  if (companyNumber === fact.companyNumber) {
    throw wrongCompany('is the one that you dispute; leave it out, or name another')
  }
  if (companyNumber !== null) await assertRegistered(app.db, companyNumber)
  return app.db.transaction(async (tx) => {
    await lockDisputes(tx, accountId)
    const earlier = await findDispute(tx, { accountId, ...fact })
    const isSame = earlier && (companyNumber === null || companyNumber === earlier.companyNumber)
    const stored = isSame ? earlier : await storeDispute(app, tx, dispute, { accountId, looked, fact, at }, earlier)
    const decision = await withRefund(tx, stored)
    const { available } = await getBalance(tx, accountId)
    const { domain, companyNumber: blockedCompanyNumber } = fact
    return { domain, blockedCompanyNumber, refunded: decision.refunded, available, decision }
  })
}

async function storeDispute(
  app: App,
  tx: Tx,
  dispute: Dispute,
  wrong: Wrong,
  earlier: ReviewDecision | null,
): Promise<ReviewDecision> {
  const { accountId, looked, fact, at } = wrong
  const { companyNumber, reason } = dispute
  if (earlier === null && !(await wasAnswered(tx, wrong))) throw nothingToDispute()
  await assertNotTooMany(tx, wrong)
  const payment = await takePayment(tx, { accountId, fact, at })
  const reviewer = await nameReviewer(tx, dispute)
  const details = { action: 'dispute', companyNumber, reviewer, reason } as const
  const decision = await logDecision(tx, { accountId, looked, ...details, origin: dispute.origin, at })
  if (earlier) await transferRequest(tx, { from: earlier.id, to: decision.id })
  // Before the item: a settlement locks the balance and then the item.
  const isByRules = methodOf(looked) === 'rules'
  if (payment) await askForRefund(app, tx, { accountId, decisionId: decision.id, fact, payment, at }, isByRules)
  const { domain, id: resolutionId, confidence } = looked
  const itemId = await addReview(tx, { accountId, domain, resolutionId, confidence, at })
  await blockPair(tx, { accountId, ...fact }, decision)
  await setDisputed(tx, { id: itemId, decision, disputedNumber: fact.companyNumber, at })
  return decision
}

/** Decides at once by a site that was read in the last minutes; any other is read again first. */
async function askForRefund(
  app: App,
  tx: Tx,
  ask: Parameters<typeof insertRequest>[1],
  isByRules: boolean,
): Promise<void> {
  const wasRefusedBefore = await wasRefused(tx, ask)
  const request = await insertRequest(tx, ask)
  if (wasRefusedBefore) return leaveToOperator(tx, request, ask.at)
  const fresh = await findFresh({ db: tx, clock: app.clock }, ask.fact.domain)
  if (fresh) await decideByRule(tx, request, { fresh, isByRules, at: ask.at })
  else await app.jobs.enqueue(tx, checkDisputeJob, { requestId: request.id, isByRules })
}

/** True when the account has a job with this answer or a payment for it, each of 30 days, or an earlier decision. */
async function wasAnswered(tx: Tx, { accountId, looked: { id: resolutionId }, fact, at }: Wrong): Promise<boolean> {
  return (await hasReceived(tx, { accountId, resolutionId, fact, at })) || hasDecidedOn(tx, { accountId, resolutionId })
}

async function assertNotTooMany(tx: Tx, { accountId, at }: Wrong): Promise<void> {
  const since = addSeconds(at, -DAY_SECONDS)
  const oldestAt = await findDisputeTime(tx, { accountId, since, rank: DISPUTES_MAX })
  if (!oldestAt) return
  const waitMs = addSeconds(oldestAt, DAY_SECONDS).getTime() - at.getTime()
  throw new DomainError(
    'rate_limited',
    `An account may dispute ${DISPUTES_MAX} answers in 24 hours. Wait, or write to us if so many are wrong.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
}

function reasonMissing(): DomainError {
  const message = 'is needed: say why the match is wrong, or name the right company in company_number'
  return new DomainError('invalid_request', `reason ${message}.`, { errors: [{ field: 'reason', message }] })
}

function nothingToDispute(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such match among your answers of the last 30 days. Its id is `resolution_id` of a resolution.',
  )
}
