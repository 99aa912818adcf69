/** Refund requests for disputed matches: one for each payment. */
import type { ReviewDecision } from '../decisions/index.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import type { Fact, Payment } from '../resolution/index.ts'

export interface RefundRequest {
  id: string
  accountId: string
  decisionId: string
  fact: Fact
  payment: Payment
  /** `checking`: the site is read again. `waiting`: for the operator. */
  status: 'checking' | 'waiting' | 'refunded' | 'refused' | 'withdrawn'
  /** The comparison with the site when it was read again. */
  finding: 'same' | 'changed' | 'unreadable' | null
  requestedAt: Date
  decidedAt: Date | null
  decidedBy: string | null
  note: string | null
}

interface RequestRow extends Omit<RefundRequest, 'fact' | 'payment'>, Fact, Payment {}

const COLUMNS = `id, account_id as "accountId", decision_id as "decisionId", domain, company_number as "companyNumber",
  reference, paid_until as "paidUntil", status, finding, requested_at as "requestedAt", decided_at as "decidedAt",
  decided_by as "decidedBy", note`

function toRequest({ domain, companyNumber, reference, paidUntil, ...request }: RequestRow): RefundRequest {
  return { ...request, fact: { domain, companyNumber }, payment: { reference, paidUntil } }
}

export async function insertRequest(
  tx: Tx,
  request: { accountId: string; decisionId: string; fact: Fact; payment: Payment; at: Date },
): Promise<RefundRequest> {
  const { accountId, decisionId, fact, payment, at } = request
  const [row] = await tx.query<RequestRow>(
    `insert into refund_request
       (id, account_id, decision_id, domain, company_number, reference, paid_until, status, requested_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'checking', $8) returning ${COLUMNS}`,
    [newId('rfd'), accountId, decisionId, fact.domain, fact.companyNumber, payment.reference, payment.paidUntil, at],
  )
  if (!row) throw new Error(`the refund for ${fact.domain} was asked for and is not there`)
  return toRequest(row)
}

export async function findRequest(db: Db, id: string): Promise<RefundRequest | null> {
  const [row] = await db.query<RequestRow>(`select ${COLUMNS} from refund_request where id = $1`, [id])
  return row ? toRequest(row) : null
}

export async function getRequest(db: Db, id: string): Promise<RefundRequest> {
  const request = await findRequest(db, id)
  if (!request) throw new DomainError('not_found', `There is no refund ${id}. \`refunds list\` shows those that wait.`)
  return request
}

/** Returns the requests about a domain that were not withdrawn, newest first. */
export async function listRequestsFor(tx: Tx, of: { accountId: string; domain: string }): Promise<RefundRequest[]> {
  const rows = await tx.query<RequestRow>(
    `select ${COLUMNS} from refund_request where account_id = $1 and domain = $2 and status <> 'withdrawn'
     order by requested_at desc limit 100`,
    [of.accountId, of.domain],
  )
  return rows.map(toRequest)
}

const LISTED_MAX = 200

/** Oldest first: what waits for the operator, or everything of late. */
export async function listRequests(db: Db, { all }: { all: boolean }): Promise<RefundRequest[]> {
  const rows = all
    ? await db.query<RequestRow>(`select ${COLUMNS} from refund_request order by requested_at desc limit ${LISTED_MAX}`)
    : await db.query<RequestRow>(
        `select ${COLUMNS} from refund_request where status in ('checking', 'waiting') order by requested_at, id limit ${LISTED_MAX}`,
      )
  return rows.map(toRequest)
}

export interface Move extends Partial<Pick<RefundRequest, 'finding' | 'decidedBy' | 'note'>> {
  id: string
  from: ReadonlyArray<RefundRequest['status']>
  status: RefundRequest['status']
  freshId?: string | null
  at: Date
}

/** Moves a request on; null when it is in none of these states any more. */
export async function moveRequest(tx: Tx, move: Move): Promise<RefundRequest | null> {
  const { id, from, status, finding = null, freshId = null, decidedBy = null, note = null } = move
  const isDecided = status === 'refunded' || status === 'refused'
  const [row] = await tx.query<RequestRow>(
    `update refund_request set status = $3, finding = coalesce($4, finding),
       fresh_resolution_id = coalesce($5, fresh_resolution_id), decided_by = coalesce($6, decided_by),
       note = coalesce($7, note), decided_at = coalesce($8, decided_at)
     where id = $1 and status = any ($2) returning ${COLUMNS}`,
    [id, from, status, finding, freshId, decidedBy, note, isDecided ? move.at : null],
  )
  return row ? toRequest(row) : null
}

/** Attaches the request to the newer dispute of the same pair. */
export async function transferRequest(tx: Tx, pass: { from: string; to: string }): Promise<void> {
  await tx.query('update refund_request set decision_id = $2 where decision_id = $1', [pass.from, pass.to])
}

/** A decision with the state of its refund request, where it is a dispute that has one. */
export interface DecisionWithRefund extends ReviewDecision {
  refundStatus: RefundRequest['status'] | null
}

export async function withRefund(db: Db, decision: ReviewDecision): Promise<DecisionWithRefund> {
  return (await withRefunds(db, [decision]))(decision)
}

/** Returns a function that adds the state of its refund request to each of the decisions. */
export async function withRefunds(
  db: Db,
  decisions: readonly ReviewDecision[],
): Promise<(decision: ReviewDecision) => DecisionWithRefund> {
  const rows = await db.query<Pick<RequestRow, 'decisionId' | 'status'>>(
    `select distinct on (decision_id) decision_id as "decisionId", status from refund_request where decision_id = any ($1)
     order by decision_id, requested_at desc`,
    [decisions.map(({ id }) => id)],
  )
  const statuses = new Map(rows.map((row) => [row.decisionId, row.status]))
  return (decision) => {
    const refundStatus = statuses.get(decision.id) ?? (decision.refunded ? 'refunded' : null)
    return { ...decision, refunded: refundStatus === 'refunded' || decision.refunded, refundStatus }
  }
}

/** True when the operator refused to refund this payment before, and the dispute was withdrawn since. */
export async function wasRefused(
  tx: Tx,
  { accountId, payment }: { accountId: string; payment: Payment },
): Promise<boolean> {
  const rows = await tx.query(
    `select from refund_request where account_id = $1 and reference = $2 and status = 'withdrawn' and decided_at is not null`,
    [accountId, payment.reference],
  )
  return rows.length > 0
}
