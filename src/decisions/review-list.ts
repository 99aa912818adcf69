/** The domains of an account that wait for a decision or have one. */
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { DECISION, type ReviewDecision } from './decision-log.ts'
import type { ListedReview } from './own-decision.ts'

/** A domain that an account has to decide on, or has decided on. */
export interface ReviewEntry {
  id: string
  domain: string
  /** `closed`: a newer answer left nothing to decide. */
  status: ListedReview['state']
  /** The shared answer. */
  resolutionId: string
  createdAt: Date
  updatedAt: Date
  /** The one in force. */
  decision: ReviewDecision | null
}

interface EntryRow extends Omit<ReviewEntry, 'decision'> {
  rank: number
  /** JSON has no dates. */
  decision: (Omit<ReviewDecision, 'decidedAt'> & { decidedAt: string }) | null
}

const SELECT = `select i.id, i.domain, i.state as status, i.resolution_id as "resolutionId", i.created_at as "createdAt",
    i.updated_at as "updatedAt", i.confidence as rank, (
      select to_jsonb(decision) from (select ${DECISION} from review_decision where id = i.decision_id) decision
    ) as decision
  from review_item i`

/** A position in the list: the confidence or the time in milliseconds that orders an item, and its id. */
export const REVIEW_CURSOR = /^(\d{13}|\d(?:\.\d{1,16})?(?:e-(?:\d|[12]\d|3[0-7]))?)_(rev_\w{27})$/

export interface ReviewQuery {
  accountId: string
  status: 'open' | 'decided'
  domain?: string | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

/** Returns open ones by the confidence of their best candidate, the surest first; decided ones newest first. */
export async function listReviewPage(
  db: Db,
  query: ReviewQuery,
): Promise<{ entries: ReviewEntry[]; nextCursor: string | null }> {
  const { accountId, status, limit, offset, domain = null } = query
  const [, after = null, afterId = null] = REVIEW_CURSOR.exec(query.cursor ?? '') ?? []
  // Two texts, so that each has a plan of its own.
  const ofDomain = domain === null ? '$6::text is null' : 'i.domain = $6'
  const rows =
    status === 'open'
      ? await db.query<EntryRow>(
          `${SELECT} where i.account_id = $1 and i.state = 'open' and ${ofDomain}
             and ($4::real is null or i.confidence < $4::real or (i.confidence = $4::real and i.id > $5))
           order by i.confidence desc, i.id limit $2 offset $3`,
          [accountId, limit + 1, offset, after, afterId, domain],
        )
      : await db.query<EntryRow>(
          `${SELECT} where i.account_id = $1 and i.state = 'decided' and ${ofDomain}
             and ($4::timestamptz is null or i.updated_at < $4 or (i.updated_at = $4 and i.id > $5))
           order by i.updated_at desc, i.id limit $2 offset $3`,
          [accountId, limit + 1, offset, after === null ? null : new Date(Number(after)), afterId, domain],
        )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const rank = last && (status === 'open' ? last.rank : last.updatedAt.getTime())
  return { entries: shown.map(toEntry), nextCursor: last ? `${rank}_${last.id}` : null }
}

interface OwnReview {
  accountId: string
  id: string
}

export async function findReview(db: Db, { accountId, id }: OwnReview): Promise<ReviewEntry | null> {
  const [row] = await db.query<EntryRow>(`${SELECT} where i.account_id = $1 and i.id = $2`, [accountId, id])
  return row ? toEntry(row) : null
}

/** Returns the decided entries of all accounts after this one, oldest first. */
export async function listDecidedAfter(
  db: Db,
  after: { updatedAt: Date; id: string },
  limit: number,
): Promise<Array<ReviewEntry & { decision: ReviewDecision }>> {
  const rows = await db.query<EntryRow>(
    `${SELECT} where i.state = 'decided' and i.decision_id is not null and (i.updated_at, i.id) > ($1, $2)
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
): Promise<{ domain: string; resolutionId: string; isDecided: boolean }> {
  const [row] = await tx.query<{ domain: string; resolution_id: string; decision_id: string | null }>(
    'select domain, resolution_id, decision_id from review_item where id = $1 and account_id = $2 for update',
    [id, accountId],
  )
  if (!row) throw reviewNotFound()
  return { domain: row.domain, resolutionId: row.resolution_id, isDecided: row.decision_id !== null }
}

/** Locks the entry for a domain, and adds a closed one where there is none. Returns its id. */
export async function addReview(
  tx: Tx,
  review: { accountId: string; domain: string; resolutionId: string; confidence: number | null; at: Date },
): Promise<string> {
  const [item] = await tx.query<{ id: string }>(
    `insert into review_item as item
       (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
     values ($1, $2, $3, $4, 'closed', $5, $6, $6)
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
       updated_at = $5
     where id = $1`,
    [id, answer.outcome === 'needs_review' ? 'open' : 'closed', answer.id, answer.confidence ?? 0, at],
  )
}

function toEntry({ rank: _rank, decision, ...entry }: EntryRow): ReviewEntry {
  return { ...entry, decision: decision && { ...decision, decidedAt: new Date(decision.decidedAt) } }
}
