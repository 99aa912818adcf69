import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { createRateLimitError } from '../limits.ts'
import { findFresh, findResolution, type KnownResolution, takePayment } from '../resolution/index.ts'
import { assertRegistered, wrongCompany } from './decide.ts'
import { type DecisionRow, logDecision, type ReviewDecision, refundStatusOf, toDecision } from './decision-log.ts'
import { checkDisputeJob } from './jobs.ts'
import { insertRequest, transferRequest, wasRefused } from './refund-requests.ts'
import { decideByRule, leaveToOperator, lockDisputes } from './refunds.ts'
import { nameReviewer } from './reviewer.ts'

/** A match that an account says is wrong. */
export interface Dispute {
  accountId: string
  resolutionId: string
  /** The right company, where the person knows it. */
  companyNumber: string | null
  reviewer: string | null
  reason: string | null
}

export interface Disputed {
  domain: string
  blockedCompanyNumber: string
  refunded: boolean
  available: number
  decision: ReviewDecision
}

/** In a day, so that disputing is no way to get answers for nothing. */
export const DISPUTES_MAX = 50
const DAY_SECONDS = 86_400

interface Wrong {
  accountId: string
  looked: KnownResolution
  /** The company that it is not. */
  number: string
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
  const wrong: Wrong = { accountId, looked, number: looked.companyNumber, at }
  if (companyNumber === null && dispute.reason === null) throw reasonMissing()
  if (companyNumber === wrong.number) throw wrongCompany('is the one that you dispute; leave it out, or name another')
  if (companyNumber !== null) await assertRegistered(app.db, companyNumber)
  return app.db.transaction(async (tx) => {
    await lockDisputes(tx, accountId)
    const earlier = await findDispute(tx, wrong)
    const isSame = earlier && (companyNumber === null || companyNumber === earlier.companyNumber)
    const decision = isSame ? earlier : await storeDispute(app, tx, dispute, wrong, earlier)
    const { available } = await getBalance(tx, accountId)
    const { domain } = looked
    return { domain, blockedCompanyNumber: wrong.number, refunded: decision.refunded, available, decision }
  })
}

async function storeDispute(
  app: App,
  tx: Tx,
  dispute: Dispute,
  wrong: Wrong,
  earlier: ReviewDecision | null,
): Promise<ReviewDecision> {
  const { accountId, looked, at } = wrong
  const { companyNumber, reason } = dispute
  if (earlier === null && !(await wasAnswered(tx, wrong))) throw nothingToDispute()
  await assertNotTooMany(tx, wrong)
  const fact = { domain: looked.domain, companyNumber: wrong.number }
  const payment = await takePayment(tx, { accountId, fact, at })
  const reviewer = await nameReviewer(tx, dispute)
  const details = { action: 'dispute', companyNumber, reviewer, reason, refunded: false } as const
  const decision = await logDecision(tx, { accountId, looked, ...details, at })
  if (earlier) await transferRequest(tx, { from: earlier.id, to: decision.id })
  // Before the item: a settlement locks the balance and then the item.
  if (payment) await askForRefund(app, tx, { accountId, decisionId: decision.id, fact, payment, at })
  const itemId = await lockItem(tx, wrong)
  await block(tx, wrong, decision)
  await tx.query(
    `update review_item as item set state = 'decided', decision_id = $2, updated_at = $3, resolution_id = $4,
       override_id = case when $5::text is not null then $2 else (
         select id from review_decision where id = item.override_id and company_number is distinct from $6) end
     where id = $1`,
    [itemId, decision.id, at, looked.id, companyNumber, wrong.number],
  )
  return (await findDispute(tx, wrong)) ?? decision
}

/** Decides at once by a site that was read in the last minutes; any other is read again first. */
async function askForRefund(app: App, tx: Tx, ask: Parameters<typeof insertRequest>[1]): Promise<void> {
  const wasRefusedBefore = await wasRefused(tx, ask)
  const request = await insertRequest(tx, ask)
  if (wasRefusedBefore) return leaveToOperator(tx, request, ask.at)
  const fresh = await findFresh({ db: tx, clock: app.clock }, ask.fact.domain)
  if (fresh) await decideByRule(tx, request, fresh, ask.at)
  else await app.jobs.enqueue(tx, checkDisputeJob, { requestId: request.id })
}

/** The dispute of this pair that is in force. */
async function findDispute(tx: Tx, { accountId, looked, number }: Wrong): Promise<ReviewDecision | null> {
  const [row] = await tx.query<DecisionRow>(
    `select d.*, ${refundStatusOf('d')} as refund_status from blocked_pair b join review_decision d on d.id = b.decision_id
     where b.account_id = $1 and b.domain = $2 and b.company_number = $3`,
    [accountId, looked.domain, number],
  )
  return row ? toDecision(row) : null
}

/** True when the account has a job with this answer or a payment for it, each of 30 days, or an earlier decision. */
async function wasAnswered(tx: Tx, { accountId, looked, number, at }: Wrong): Promise<boolean> {
  const rows = await tx.query(
    `select from resolution_job where resolution_id = $2 and account_id = $1 and kind = 'domain'
     union all
     select from review_decision where resolution_id = $2 and account_id = $1
     union all
     select from paid_subject where account_id = $1 and kind = 'domain' and subject = $3 and paid_until > $4
     union all
     select from paid_fact where account_id = $1 and domain = $3 and company_number = $5 and paid_until > $4`,
    [accountId, looked.id, looked.domain, at, number],
  )
  return rows.length > 0
}

async function assertNotTooMany(tx: Tx, { accountId, at }: Wrong): Promise<void> {
  const [oldest] = await tx.query<{ decided_at: Date }>(
    `select decided_at from review_decision where account_id = $1 and action = 'dispute' and decided_at > $2
     order by decided_at desc offset ${DISPUTES_MAX - 1} limit 1`,
    [accountId, addSeconds(at, -DAY_SECONDS)],
  )
  if (!oldest) return
  const waitMs = addSeconds(oldest.decided_at, DAY_SECONDS).getTime() - at.getTime()
  throw createRateLimitError(
    'disputes',
    `An account may dispute ${DISPUTES_MAX} answers in 24 hours. Contact us if more are wrong.`,
    Math.max(1, Math.ceil(waitMs / 1_000)),
  )
}

async function lockItem(tx: Tx, { accountId, looked, at }: Wrong): Promise<string> {
  const [item] = await tx.query<{ id: string }>(
    `insert into review_item as item
       (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
     values ($1, $2, $3, $4, 'closed', $5, $6, $6)
     on conflict (account_id, domain) do update set updated_at = excluded.updated_at
     returning id`,
    [newId('rev'), accountId, looked.domain, looked.id, looked.confidence ?? 0, at],
  )
  if (!item) throw new Error(`the review of ${looked.domain} was stored and is not there`)
  return item.id
}

/** The company that the person names is not blocked any longer. */
async function block(
  tx: Tx,
  { accountId, looked, number }: Wrong,
  { id, companyNumber }: ReviewDecision,
): Promise<void> {
  await tx.query('delete from blocked_pair where account_id = $1 and domain = $2 and company_number = $3', [
    accountId,
    looked.domain,
    companyNumber,
  ])
  await tx.query(
    `insert into blocked_pair (account_id, domain, company_number, decision_id) values ($1, $2, $3, $4)
     on conflict (account_id, domain, company_number) do update set decision_id = excluded.decision_id`,
    [accountId, looked.domain, number, id],
  )
}

function reasonMissing(): DomainError {
  const message = 'is needed: say why the match is wrong, or name the right company in company_number'
  return new DomainError('invalid_request', `reason ${message}.`, { errors: [{ field: 'reason', message }] })
}

function nothingToDispute(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such match among the answers that you were given in the last 30 days. Its id is `resolution_id` of a resolution.',
  )
}
