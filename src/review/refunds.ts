/** Decides refunds of disputed matches: by the rule, or by the operator. */
import { recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { countSpent } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import { onlyRow, type Tx } from '../lib/db/db.ts'
import { findCompanyByRules, type KnownResolution, refundPayment, restorePayment } from '../resolution/index.ts'
import { getRequest, listRequestsFor, type Move, moveRequest, type RefundRequest } from './refund-requests.ts'

/** The share of an account's paid matches of 30 days that is refunded without a person, and the least number. */
const SHARE_MAX = 0.1
export const REFUNDS_MIN = 5
const WINDOW_SECONDS = 30 * 86_400

const RULE = 'rule'

/** One dispute or refund of an account at a time: the second of two sees the first, and the counts are right. */
export async function lockDisputes(tx: Tx, accountId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 11))', [accountId])
}

interface ReadAgain {
  /** Null where the site could not be read again. */
  fresh: KnownResolution | null
  /** The rules made the disputed match, so it is compared with what they say now, whatever the second reader says. */
  isByRules: boolean
  at: Date
}

/**
 * Decides by what the site says now. A site that no longer names the company gives the credit back at once; otherwise the
 * account's share of refunds decides, and what is above it waits for the operator. Hold `lockDisputes`.
 */
export async function decideByRule(
  tx: Tx,
  request: RefundRequest,
  { fresh, isByRules, at }: ReadAgain,
): Promise<RefundRequest> {
  const finding = compare(request, fresh, isByRules)
  const seen = { id: request.id, from: ['checking'], finding, freshId: fresh?.id ?? null, at } as const
  const isAllowed = finding === 'changed' || (await hasRefundLeft(tx, request.accountId, at))
  if (!isAllowed) return (await moveRequest(tx, { ...seen, status: 'waiting' })) ?? request
  return (await giveBack(tx, { ...seen, decidedBy: RULE, note: null }, request)) ?? request
}

/** A refund that the operator refused once is the operator's to decide again. */
export async function leaveToOperator(tx: Tx, { id }: RefundRequest, at: Date): Promise<void> {
  await moveRequest(tx, { id, from: ['checking'], status: 'waiting', at })
}

function compare({ fact }: RefundRequest, fresh: KnownResolution | null, isByRules: boolean): RefundRequest['finding'] {
  if (fresh === null || fresh.outcome === 'scrape_failed') return 'unreadable'
  const companyNumber = isByRules ? findCompanyByRules(fresh) : fresh.companyNumber
  return companyNumber === fact.companyNumber ? 'same' : 'changed'
}

async function hasRefundLeft(tx: Tx, accountId: string, at: Date): Promise<boolean> {
  const since = addSeconds(at, -WINDOW_SECONDS)
  const { count } = onlyRow(
    await tx.query<{ count: number }>(
      `select count(*) as count from refund_request
       where account_id = $1 and status = 'refunded' and requested_at > $2`,
      [accountId, since],
    ),
  )
  const spent = await countSpent(tx, { accountId, since })
  return count < Math.max(REFUNDS_MIN, Math.floor(spent * SHARE_MAX))
}

async function giveBack(
  tx: Tx,
  back: Omit<Move, 'id' | 'status'>,
  request: RefundRequest,
): Promise<RefundRequest | null> {
  const { accountId, payment, fact } = request
  const moved = await moveRequest(tx, { ...back, id: request.id, status: 'refunded' })
  if (!moved) return null
  const refund = { accountId, reference: payment.reference, fact, reason: 'disputed', at: back.at }
  if (await refundPayment(tx, refund)) return moved
  throw new Error(`nothing was spent under ${payment.reference}, or it came back before`)
}

export interface OperatorDecision {
  id: string
  operator: string
  note: string | null
}

const OPEN = ['checking', 'waiting'] as const

export async function approveRefund(app: App, { id, operator, note }: OperatorDecision): Promise<RefundRequest> {
  const at = app.clock.now()
  return decide(app, id, (tx, request) => giveBack(tx, { from: OPEN, decidedBy: operator, note, at }, request))
}

/** The dispute stays: the company is not answered for the domain, and the credit stays spent. */
export async function refuseRefund(app: App, { id, operator, note }: OperatorDecision): Promise<RefundRequest> {
  const at = app.clock.now()
  const refusal = { id, from: OPEN, status: 'refused', decidedBy: operator, note, at } as const
  return decide(app, id, (tx) => moveRequest(tx, refusal))
}

async function decide(
  app: App,
  id: string,
  move: (tx: Tx, request: RefundRequest) => Promise<RefundRequest | null>,
): Promise<RefundRequest> {
  const request = await getRequest(app.db, id)
  return app.db.transaction(async (tx) => {
    await lockDisputes(tx, request.accountId)
    const moved = await move(tx, request)
    if (moved) {
      await recordRefund(tx, moved, app.clock.now())
      return moved
    }
    const { status } = await getRequest(tx, id)
    throw new DomainError('invalid_request', `Refund ${id} is ${status}: there is nothing left to decide.`)
  })
}

async function recordRefund(tx: Tx, { id, accountId, status, fact }: RefundRequest, at: Date): Promise<void> {
  const details = { refund: id, domain: fact.domain, company_number: fact.companyNumber }
  const action = status === 'refunded' ? 'refund_approved' : 'refund_refused'
  await recordAudit(tx, { at, accountId, action, origin: null, details })
}

/** Restores the payments of a dispute that is withdrawn before its refund. */
export async function withdrawRefunds(tx: Tx, of: { accountId: string; domain: string; at: Date }): Promise<void> {
  const { accountId, at } = of
  for (const { id, status, fact, payment } of await listRequestsFor(tx, of)) {
    if (status === 'refunded') continue
    const moved = await moveRequest(tx, { id, from: [status], status: 'withdrawn', at })
    if (moved && payment.paidUntil > at) await restorePayment(tx, { accountId, fact, payment })
  }
}
