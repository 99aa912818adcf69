import type { Db, Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { applyDecision, findOwnDecision, findResolution, type KnownResolution } from '../resolution/index.ts'
import type { RefundRequest } from './refund-requests.ts'

/** A person's decision, which is never changed or deleted. */
export interface ReviewDecision {
  id: string
  action: 'accept' | 'reject' | 'reassign' | 'dispute' | 'withdraw'
  /** Null for none of them. */
  companyNumber: string | null
  /** The account's answer until then. */
  previousOutcome: string
  previousCompanyNumber: string | null
  reviewer: string
  reason: string | null
  refunded: boolean
  /** For a dispute that requests a refund. */
  refundStatus: RefundRequest['status'] | null
  decidedAt: Date
}

export interface DecisionRow {
  id: string
  action: ReviewDecision['action']
  company_number: string | null
  previous_outcome: string
  previous_company_number: string | null
  reviewer: string
  reason: string | null
  refunded: boolean
  refund_status?: RefundRequest['status'] | null
  decided_at: Date | string
}

const COLUMNS = `id, action, company_number, previous_outcome, previous_company_number, reviewer, reason, refunded,
  decided_at`

/** For a select of decisions under this name. */
export const refundStatusOf = (decision: string) =>
  `(select status from refund_request where decision_id = ${decision}.id order by requested_at desc limit 1)`

export type NewDecision = Pick<ReviewDecision, 'action' | 'companyNumber' | 'reviewer' | 'reason' | 'refunded'> & {
  accountId: string
  /** The shared answer that was looked at. */
  looked: KnownResolution
  at: Date
}

/** Adds a decision to the log with the account's answer until now. The caller applies it. */
export async function logDecision(tx: Tx, decision: NewDecision): Promise<ReviewDecision> {
  const { accountId, looked } = decision
  const before = await readAnswered(tx, accountId, looked)
  const [row] = await tx.query<DecisionRow>(
    `insert into review_decision (id, account_id, domain, resolution_id, action, company_number, previous_outcome,
       previous_company_number, reviewer, reason, refunded, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     returning ${COLUMNS}`,
    [
      newId('dec'),
      accountId,
      looked.domain,
      looked.id,
      decision.action,
      decision.companyNumber,
      before.outcome,
      before.companyNumber,
      decision.reviewer,
      decision.reason,
      decision.refunded,
      decision.at,
    ],
  )
  if (!row) throw new Error(`the decision on ${looked.domain} was stored and is not there`)
  return toDecision(row)
}

async function readAnswered(tx: Tx, accountId: string, looked: KnownResolution): Promise<KnownResolution> {
  return applyDecision(looked, await findOwnDecision(tx, { resolutionId: looked.id, accountId }))
}

const HISTORY_MAX = 20

/** Returns all decisions on a domain, newest first. */
export async function listDecisions(db: Db, of: { accountId: string; domain: string }): Promise<ReviewDecision[]> {
  const rows = await db.query<DecisionRow>(
    `select ${COLUMNS}, ${refundStatusOf('review_decision')} as refund_status
     from review_decision where account_id = $1 and domain = $2
     order by decided_at desc, id limit ${HISTORY_MAX}`,
    [of.accountId, of.domain],
  )
  return rows.map(toDecision)
}

export async function getLooked(db: Db, resolutionId: string): Promise<KnownResolution> {
  const looked = await findResolution(db, resolutionId)
  if (!looked) throw new Error(`answer ${resolutionId} has vanished`)
  return looked
}

export function toDecision(row: DecisionRow): ReviewDecision {
  return {
    id: row.id,
    action: row.action,
    companyNumber: row.company_number,
    previousOutcome: row.previous_outcome,
    previousCompanyNumber: row.previous_company_number,
    reviewer: row.reviewer,
    reason: row.reason,
    refunded: row.refunded || row.refund_status === 'refunded',
    refundStatus: row.refund_status ?? (row.refunded ? 'refunded' : null),
    decidedAt: new Date(row.decided_at),
  }
}
