/** The domains of an account that wait for a decision or have one. */
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { DECISION, type ReplacedDecision, type ReviewDecision } from './decision-log.ts'
import { joinListed, LISTED_COLUMNS } from './listed-answer.ts'
import type { ListedReview } from './own-decision.ts'

/** A domain that an account has to decide on, or has decided on. */
export interface ReviewEntry {
  id: string
  domain: string
  /** `closed`: a newer answer left nothing to decide. */
  status: ListedReview['state']
  /** The shared answer. */
  resolutionId: string
  /** The kind of doubt, as the resolver names it; null where it is not known. */
  situation: string | null
  createdAt: Date
  updatedAt: Date
  /** The one in force. */
  decision: ReviewDecision | null
}

export interface EntryRow extends Omit<ReviewEntry, 'decision'> {
  confidence: number
  /** JSON has no dates. */
  decision: (Omit<ReviewDecision, 'decidedAt'> & { decidedAt: string }) | null
}

/** SQL for entries; conditions on `i` follow. */
export const SELECT_ENTRY = `select i.id, i.domain, i.state as status, i.resolution_id as "resolutionId", i.created_at as "createdAt",
    i.updated_at as "updatedAt", i.situation, i.confidence, (
      select to_jsonb(decision) from (select ${DECISION} from review_decision where id = i.decision_id) decision
    ) as decision
  from review_item i`

interface OwnReview {
  accountId: string
  id: string
}

export async function findReview(db: Db, { accountId, id }: OwnReview): Promise<ReviewEntry | null> {
  const [row] = await db.query<EntryRow>(`${SELECT_ENTRY} where i.account_id = $1 and i.id = $2`, [accountId, id])
  return row ? toEntry(row) : null
}

/** Returns the entry for a domain, whatever its state. */
export async function findReviewOf(
  db: Db,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<ReviewEntry | null> {
  const [row] = await db.query<EntryRow>(`${SELECT_ENTRY} where i.account_id = $1 and i.domain = $2`, [
    accountId,
    domain,
  ])
  return row ? toEntry(row) : null
}

/** Returns the decided entries of all accounts after this one, oldest first. */
export async function listDecidedAfter(
  db: Db,
  after: { updatedAt: Date; id: string },
  limit: number,
): Promise<Array<ReviewEntry & { decision: ReviewDecision }>> {
  const rows = await db.query<EntryRow>(
    `${SELECT_ENTRY} where i.state = 'decided' and i.decision_id is not null and (i.updated_at, i.id) > ($1, $2)
     order by i.updated_at, i.id limit $3`,
    [after.updatedAt, after.id, limit],
  )
  return rows.map(toEntry).flatMap((entry) => (entry.decision ? [{ ...entry, decision: entry.decision }] : []))
}

export function reviewNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such review, or it is not yours. GET /v1/reviews lists yours.')
}

/** Locks an entry until the transaction ends. */
export async function lockReview(
  tx: Tx,
  { accountId, id }: OwnReview,
): Promise<{
  domain: string
  resolutionId: string
  inForce: ReplacedDecision | null
  /** The one that replaces the answer: an earlier one where a dispute is in force, or none. */
  override: ReplacedDecision | null
}> {
  const [row] = await tx.query<{
    domain: string
    resolution_id: string
    decision_id: string | null
    override_id: string | null
  }>(
    'select domain, resolution_id, decision_id, override_id from review_item where id = $1 and account_id = $2 for update',
    [id, accountId],
  )
  if (!row) throw reviewNotFound()
  const decisions = await tx.query<ReplacedDecision & { id: string }>(
    'select id, action, company_number as "companyNumber", reviewer, reason from review_decision where id in ($1, $2)',
    [row.decision_id, row.override_id],
  )
  const find = (wanted: string | null): ReplacedDecision | null => {
    const found = decisions.find((decision) => decision.id === wanted)
    if (!found) return null
    const { id: _id, ...decision } = found
    return decision
  }
  const [inForce, override] = [find(row.decision_id), find(row.override_id)]
  return { domain: row.domain, resolutionId: row.resolution_id, inForce, override }
}

/** Locks the entry for a domain, and adds a closed one where there is none. Returns its id. */
export async function addReview(
  tx: Tx,
  review: { accountId: string; domain: string; resolutionId: string; confidence: number | null; at: Date },
): Promise<string> {
  const [item] = await tx.query<{ id: string }>(
    `insert into review_item as item
       (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at, ${LISTED_COLUMNS})
     select $1::text, $2::text, $3::text, $4::text, 'closed', $5::real, $6::timestamptz, $6::timestamptz, listed.*
     from (values (1)) one ${joinListed('$4::text')}
     on conflict (account_id, domain) do update set updated_at = excluded.updated_at
     returning id`,
    [newId('rev'), review.accountId, review.domain, review.resolutionId, review.confidence ?? 0, review.at],
  )
  if (!item) throw new Error(`the review of ${review.domain} was stored and is not there`)
  return item.id
}

export async function setDecided(tx: Tx, decided: { id: string; decisionId: string; at: Date }): Promise<void> {
  await tx.query(
    `update review_item set state = 'decided', decision_id = $2, override_id = $2, updated_at = $3 where id = $1`,
    [decided.id, decided.decisionId, decided.at],
  )
}

/** An earlier decision stays the answer, unless the dispute names a company or that decision named the disputed one. */
export async function setDisputed(
  tx: Tx,
  disputed: { id: string; decision: ReviewDecision; disputedNumber: string; at: Date },
): Promise<void> {
  const { id, decision, disputedNumber, at } = disputed
  await tx.query(
    `update review_item as item set state = 'decided', decision_id = $2, updated_at = $3, resolution_id = $4,
       override_id = case when $5::text is not null then $2 else (
         select id from review_decision where id = item.override_id and company_number is distinct from $6) end
     where id = $1`,
    [id, decision.id, at, decision.resolutionId, decision.companyNumber, disputedNumber],
  )
}

/** Removes the decision in force. The domain is open again where its answer needs review. */
export async function reopenReview(
  tx: Tx,
  reopened: { id: string; answer: { id: string; outcome: string; confidence: number | null }; at: Date },
): Promise<void> {
  const { id, answer, at } = reopened
  await tx.query(
    `update review_item set state = $2, decision_id = null, override_id = null, resolution_id = $3, confidence = $4,
       updated_at = $5, situation = listed.situation, candidate_numbers = listed.candidate_numbers,
       candidate_names = listed.candidate_names
     from (values (1)) one ${joinListed('$3::text')}
     where id = $1`,
    [id, answer.outcome === 'needs_review' ? 'open' : 'closed', answer.id, answer.confidence ?? 0, at],
  )
}

export function toEntry({ confidence: _confidence, decision, ...entry }: EntryRow): ReviewEntry {
  return { ...entry, decision: decision && { ...decision, decidedAt: new Date(decision.decidedAt) } }
}
