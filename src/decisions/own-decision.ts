/**
 * An answer on its way to an account: the account's own decision replaces it wherever the account reads it, and one that
 * needs review goes to the account's list.
 */
import type { Db, Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { joinListed, LISTED_COLUMNS, LISTED_EXCLUDED } from './listed-answer.ts'

/** An account's decision on the company behind a domain. It applies to that account alone. */
export interface OwnDecision {
  action: 'accept' | 'reject' | 'reassign' | 'dispute'
  /** Null for none of them. */
  companyNumber: string | null
  /** The company of the shared answer, where the account disputed it. */
  disputedNumber: string | null
  reviewer: string
  reason: string | null
  decidedAt: Date
}

/** As `OWN_DECISION` selects it: JSON has no dates. */
export type OwnDecisionRow = Omit<OwnDecision, 'decidedAt'> & { decidedAt: string }

/**
 * SQL joins that add the account's own decision on a domain: one row each, by key. A decision that replaces the answer
 * wins over a pair that is only blocked.
 */
export function joinOwnDecision(on: { account: string; domain: string; company: string }): string {
  return `left join review_item own_item on own_item.account_id = ${on.account} and own_item.domain = ${on.domain}
    left join blocked_pair own_block on own_block.account_id = ${on.account} and own_block.domain = ${on.domain}
      and own_block.company_number = ${on.company}
    left join review_decision own on own.id = coalesce(own_item.override_id, own_block.decision_id)`
}

/** The company named in place of the shared answer. */
export const OWN_COMPANY = 'case when own_item.override_id is not null then own.company_number end'

export const OWN_DECISION = `case when own.id is not null then jsonb_build_object('action', own.action,
  'companyNumber', ${OWN_COMPANY}, 'disputedNumber', own_block.company_number, 'reviewer', own.reviewer,
  'reason', own.reason, 'decidedAt', own.decided_at) end`

export function toOwnDecision(row: OwnDecisionRow | null): OwnDecision | null {
  return row && { ...row, decidedAt: new Date(row.decidedAt) }
}

/** The shared answer for a domain; the company is null unless it is matched. */
interface SharedAnswer {
  domain: string
  companyNumber: string | null
}

const ASKERS = `from unnest($1::text[]) asker (account_id)
  ${joinOwnDecision({ account: 'asker.account_id', domain: '$2::text', company: '$3::text' })}`

/** Returns those of the accounts whose own decision replaces this answer. */
export async function listDecided(
  db: Db,
  { accountIds, domain, companyNumber }: SharedAnswer & { accountIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db.query<{ account_id: string }>(`select asker.account_id ${ASKERS} where own.id is not null`, [
    accountIds,
    domain,
    companyNumber,
  ])
  return new Set(rows.map((row) => row.account_id))
}

/** Returns the account's own decision that replaces this answer. */
export async function findOwnDecision(
  db: Db,
  { accountId, domain, companyNumber }: SharedAnswer & { accountId: string },
): Promise<OwnDecision | null> {
  const [row] = await db.query<{ own: OwnDecisionRow | null }>(`select ${OWN_DECISION} as own ${ASKERS}`, [
    [accountId],
    domain,
    companyNumber,
  ])
  return toOwnDecision(row?.own ?? null)
}

interface Pair {
  domain: string
  companyNumber: string
}

/** SQL for rows of a pair `fact` that its account has blocked. */
export const BLOCKED_PAIR = `select from blocked_pair blocked where blocked.account_id = fact.account_id
  and blocked.domain = fact.domain and blocked.company_number = fact.company_number`

/** Returns those of the accounts that disputed that this company is behind this domain. */
export async function listBlocking(
  db: Db,
  { accountIds, fact }: { accountIds: readonly string[]; fact: Pair },
): Promise<Set<string>> {
  const rows = await db.query<{ account_id: string }>(
    'select account_id from blocked_pair where account_id = any ($1) and domain = $2 and company_number = $3',
    [accountIds, fact.domain, fact.companyNumber],
  )
  return new Set(rows.map((row) => row.account_id))
}

/** True when the account disputed that this company is behind this domain. */
export async function isBlocked(db: Db, accountId: string, fact: Pair): Promise<boolean> {
  return (await listBlocking(db, { accountIds: [accountId], fact })).size > 0
}

/** Returns one sentence: what, who, when and why. */
export function describeDecision(decision: OwnDecision): string {
  const { reviewer, decidedAt, reason } = decision
  const why = reason === null ? '' : ` “${reason}”`
  return `${describeAction(decision)}: ${reviewer}, ${decidedAt.toISOString().slice(0, 10)}.${why}`
}

function describeAction({ action, companyNumber, disputedNumber }: OwnDecision): string {
  if (companyNumber === null && disputedNumber !== null) return `This account disputed that it is ${disputedNumber}`
  switch (action) {
    case 'accept':
      return `This account accepted ${companyNumber}`
    case 'reject':
      return 'This account decided that it is none of the candidates'
    case 'reassign':
    case 'dispute':
      return `This account decided that it is ${companyNumber}`
  }
}

/** An answer for accounts without a decision on it. */
interface GivenAnswer {
  accountIds: readonly string[]
  domain: string
  resolutionId: string
  outcome: string
  confidence: number | null
  at: Date
}

/**
 * Puts an answer that needs review on the lists of these accounts, in the transaction that returns it. Any other answer
 * takes the domain off, except one that only could not be read.
 */
export async function updateReviewList(tx: Tx, answer: GivenAnswer): Promise<void> {
  const { domain, resolutionId, outcome, confidence, at } = answer
  const accountIds = [...new Set(answer.accountIds)]
  if (accountIds.length === 0 || outcome === 'scrape_failed') return
  if (outcome !== 'needs_review') return closeReviews(tx, { accountIds, domain, at })
  await tx.query(
    `insert into review_item as item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at,
       ${LISTED_COLUMNS})
     select asker.id, asker.account_id, $3::text, $4::text, 'open', $5::real, $6::timestamptz, $6::timestamptz, listed.*
     from unnest($1::text[], $2::text[]) asker (id, account_id) ${joinListed('$4::text')}
     on conflict (account_id, domain) do update
       set resolution_id = excluded.resolution_id, confidence = excluded.confidence, state = 'open',
         updated_at = excluded.updated_at, ${LISTED_EXCLUDED}
       where item.state <> 'decided' and (item.state, item.resolution_id) <> ('open', excluded.resolution_id)`,
    [accountIds.map(() => newId('rev')), accountIds, domain, resolutionId, confidence ?? 0, at],
  )
}

/** The entry for a domain on an account's list. */
export interface ListedReview {
  state: 'open' | 'decided' | 'closed'
  resolutionId: string
}

/** True when `updateReviewList` would change nothing. */
export function isListed(answer: { id: string; outcome: string }, listed: ListedReview | null): boolean {
  if (answer.outcome === 'scrape_failed') return true
  if (answer.outcome !== 'needs_review') return listed?.state !== 'open'
  return listed?.state === 'decided' || (listed?.state === 'open' && listed.resolutionId === answer.id)
}

async function closeReviews(tx: Tx, closed: { accountIds: string[]; domain: string; at: Date }): Promise<void> {
  await tx.query(
    `update review_item set state = 'closed', updated_at = $3
     where account_id = any ($1) and domain = $2 and state = 'open'`,
    [closed.accountIds, closed.domain, closed.at],
  )
}
