/** The log of decisions, and the pairs that disputes block. */
import { DomainError } from '../errors.ts'
import { type Db, onlyRow, type Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import type { Outcome } from '../resolver/index.ts'

/** A person's decision, which is never changed or deleted. */
export interface ReviewDecision {
  id: string
  domain: string
  /** The shared answer that the person saw. */
  resolutionId: string
  action: 'accept' | 'reject' | 'reassign' | 'dispute' | 'withdraw'
  /** Null for none of them. */
  companyNumber: string | null
  /** The account's answer until then. */
  previousOutcome: Outcome
  previousCompanyNumber: string | null
  reviewer: string
  reason: string | null
  refunded: boolean
  decidedAt: Date
}

/** A decision that another one replaced, with all that makes it again. */
export interface ReplacedDecision extends Pick<ReviewDecision, 'companyNumber' | 'reviewer' | 'reason'> {
  action: Exclude<ReviewDecision['action'], 'withdraw'>
}

/** A decision as a person saw it before deciding. */
export type SeenDecision = Pick<ReplacedDecision, 'action' | 'companyNumber'>

/** Refuses what a person decided who saw another decision than the one in force. */
export class DecidedSince extends DomainError {}

/**
 * Throws where none of the decisions in force is the one that the person saw; null for none. Does nothing where it is not known
 * what the person saw.
 */
export function assertAsSeen(
  seen: SeenDecision | null | undefined,
  inForce: ReadonlyArray<(Omit<SeenDecision, 'action'> & { action: string }) | null>,
): void {
  if (seen === undefined) return
  const isSame = inForce.some((now) => now?.action === seen?.action && now?.companyNumber === seen?.companyNumber)
  if (isSame) return
  throw new DecidedSince(
    'invalid_request',
    'Another decision was made after you looked. Look at it again, then decide.',
  )
}

/** The columns of a decision, from `review_decision`. */
export const DECISION = `id, domain, resolution_id as "resolutionId", action, company_number as "companyNumber",
  previous_outcome as "previousOutcome", previous_company_number as "previousCompanyNumber", reviewer, reason, refunded,
  decided_at as "decidedAt"`

/** Adds a decision to the log. The caller applies it. */
export async function addDecision(
  tx: Tx,
  decision: Omit<ReviewDecision, 'id' | 'refunded' | 'decidedAt'> & { accountId: string; at: Date },
): Promise<ReviewDecision> {
  const { accountId, domain, resolutionId, action, companyNumber, reviewer, reason, at } = decision
  const previous = [decision.previousOutcome, decision.previousCompanyNumber]
  const added = await tx.query<ReviewDecision>(
    `insert into review_decision (id, account_id, domain, resolution_id, action, company_number, previous_outcome,
       previous_company_number, reviewer, reason, refunded, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, $11)
     returning ${DECISION}`,
    [newId('dec'), accountId, domain, resolutionId, action, companyNumber, ...previous, reviewer, reason, at],
  )
  return onlyRow(added)
}

const HISTORY_MAX = 20

/** Returns the decisions on a domain, newest first. */
export async function listDecisions(db: Db, of: { accountId: string; domain: string }): Promise<ReviewDecision[]> {
  return db.query<ReviewDecision>(
    `select ${DECISION} from review_decision where account_id = $1 and domain = $2
     order by decided_at desc, id limit ${HISTORY_MAX}`,
    [of.accountId, of.domain],
  )
}

/** True when the account has decided on this very answer. */
export async function hasDecidedOn(db: Db, of: { accountId: string; resolutionId: string }): Promise<boolean> {
  const rows = await db.query('select from review_decision where resolution_id = $2 and account_id = $1 limit 1', [
    of.accountId,
    of.resolutionId,
  ])
  return rows.length > 0
}

/** Returns the time of the account's dispute number `rank` since then, counted from the newest; null when there are fewer. */
export async function findDisputeTime(
  db: Db,
  { accountId, since, rank }: { accountId: string; since: Date; rank: number },
): Promise<Date | null> {
  const [row] = await db.query<{ decided_at: Date }>(
    `select decided_at from review_decision where account_id = $1 and action = 'dispute' and decided_at > $2
     order by decided_at desc offset $3 limit 1`,
    [accountId, since, rank - 1],
  )
  return row?.decided_at ?? null
}

interface BlockedPair {
  accountId: string
  domain: string
  companyNumber: string
}

/** Returns the dispute of this pair that is in force. */
export async function findDispute(tx: Tx, pair: BlockedPair): Promise<ReviewDecision | null> {
  const [dispute] = await tx.query<ReviewDecision>(
    `select ${DECISION} from review_decision where id = (
       select decision_id from blocked_pair where account_id = $1 and domain = $2 and company_number = $3)`,
    [pair.accountId, pair.domain, pair.companyNumber],
  )
  return dispute ?? null
}

/** Blocks the pair. The company that the person names instead is not blocked any longer. */
export async function blockPair(tx: Tx, pair: BlockedPair, { id, companyNumber }: ReviewDecision): Promise<void> {
  await tx.query('delete from blocked_pair where account_id = $1 and domain = $2 and company_number = $3', [
    pair.accountId,
    pair.domain,
    companyNumber,
  ])
  await tx.query(
    `insert into blocked_pair (account_id, domain, company_number, decision_id) values ($1, $2, $3, $4)
     on conflict (account_id, domain, company_number) do update set decision_id = excluded.decision_id`,
    [pair.accountId, pair.domain, pair.companyNumber, id],
  )
}

export async function unblockPairs(tx: Tx, of: { accountId: string; domain: string }): Promise<void> {
  await tx.query('delete from blocked_pair where account_id = $1 and domain = $2', [of.accountId, of.domain])
}
