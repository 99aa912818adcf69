import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Db } from '../lib/db/db.ts'
import { findCompanies } from '../register/index.ts'
import type { CandidateToday, Findings, KnownResolution } from '../resolution/index.ts'
import {
  type DecisionRow,
  getLooked,
  listDecisions,
  type ReviewDecision,
  refundStatusOf,
  toDecision,
} from './decision-log.ts'

/** A domain that an account has to decide on, or has decided on. */
export interface ReviewItem {
  id: string
  domain: string
  /** `closed`: a newer answer left nothing to look at. */
  status: 'open' | 'decided' | 'closed'
  /** The shared answer. */
  resolutionId: string
  outcome: KnownResolution['outcome']
  confidence: number | null
  reason: string
  /** Best first, as the register has them today. */
  candidates: CandidateToday[]
  createdAt: Date
  updatedAt: Date
  /** The one in force. */
  decision: ReviewDecision | null
}

export interface ReviewPage {
  items: ReviewItem[]
  nextCursor: string | null
}

const CANDIDATES_MAX = 5

interface ItemRow {
  id: string
  domain: string
  state: ReviewItem['status']
  resolution_id: string
  outcome: KnownResolution['outcome']
  confidence: number | null
  rank: number
  reason: string
  candidates: Findings['candidates']
  created_at: Date
  updated_at: Date
  decision: DecisionRow | null
}

const SELECT = `select i.id, i.domain, i.state, i.resolution_id, i.created_at, i.updated_at, i.confidence as rank,
    r.outcome, r.confidence, r.reason, r.findings->'candidates' as candidates,
    case when d.id is not null then to_jsonb(d) || jsonb_build_object('refund_status', ${refundStatusOf('d')}) end as decision
  from review_item i join resolution r on r.id = i.resolution_id left join review_decision d on d.id = i.decision_id`

/** A position in the list: the confidence or the time in milliseconds that orders an item, and its id. */
export const REVIEW_CURSOR = /^(\d{13}|\d(?:\.\d{1,16})?(?:e-(?:\d|[12]\d|3[0-7]))?)_(rev_\w{27})$/

/** Open ones by the confidence of their best candidate, what is nearly certain first; decided ones newest first. */
export async function listReviews(
  db: Db,
  ask: {
    accountId: string
    status: 'open' | 'decided'
    domain?: string | undefined
    limit: number
    offset: number
    cursor?: string | undefined
  },
): Promise<ReviewPage> {
  const { accountId, status, limit, offset, domain = null } = ask
  const [, after = null, afterId = null] = REVIEW_CURSOR.exec(ask.cursor ?? '') ?? []
  const rows =
    status === 'open'
      ? await db.query<ItemRow>(
          `${SELECT} where i.account_id = $1 and i.state = 'open' and ($6::text is null or i.domain = $6)
             and ($4::real is null or i.confidence < $4::real or (i.confidence = $4::real and i.id > $5))
           order by i.confidence desc, i.id limit $2 offset $3`,
          [accountId, limit + 1, offset, after, afterId, domain],
        )
      : await db.query<ItemRow>(
          `${SELECT} where i.account_id = $1 and i.state = 'decided' and ($6::text is null or i.domain = $6)
             and ($4::timestamptz is null or i.updated_at < $4 or (i.updated_at = $4 and i.id > $5))
           order by i.updated_at desc, i.id limit $2 offset $3`,
          [accountId, limit + 1, offset, after === null ? null : new Date(Number(after)), afterId, domain],
        )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const rank = last && (status === 'open' ? last.rank : last.updated_at.getTime())
  return { items: await toItems(db, shown), nextCursor: last ? `${rank}_${last.id}` : null }
}

/** An item with all that there is to look at. */
export async function getReview(
  app: App,
  ask: { accountId: string; id: string },
): Promise<{ item: ReviewItem; looked: KnownResolution; history: ReviewDecision[] }> {
  const [row] = await app.db.query<ItemRow>(`${SELECT} where i.account_id = $1 and i.id = $2`, [ask.accountId, ask.id])
  if (!row) throw reviewNotFound()
  const [item] = await toItems(app.db, [row])
  if (!item) throw new Error(`review ${ask.id} has vanished`)
  const [looked, history] = await Promise.all([
    getLooked(app.db, item.resolutionId),
    listDecisions(app.db, { accountId: ask.accountId, domain: item.domain }),
  ])
  return { item, looked, history }
}

export function reviewNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such review, or it is not yours. GET /v1/reviews lists yours.')
}

async function toItems(db: Db, rows: readonly ItemRow[]): Promise<ReviewItem[]> {
  const numbers = rows.flatMap(({ candidates }) => candidates.map(({ companyNumber }) => companyNumber))
  const companies = numbers.length === 0 ? [] : await findCompanies(db, [...new Set(numbers)])
  const byNumber = new Map(companies.map((company) => [company.number, company]))
  return rows.map((row) => ({
    id: row.id,
    domain: row.domain,
    status: row.state,
    resolutionId: row.resolution_id,
    outcome: row.outcome,
    confidence: row.confidence,
    reason: row.reason,
    candidates: row.candidates.slice(0, CANDIDATES_MAX).flatMap(({ companyNumber, confidence, reasons }) => {
      const company = byNumber.get(companyNumber)
      return company ? [{ company, confidence, reasons }] : []
    }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    decision: row.decision && toDecision(row.decision),
  }))
}
