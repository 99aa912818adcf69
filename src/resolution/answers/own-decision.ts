import type { Db } from '../../lib/db/db.ts'

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

/** Returns those of the accounts whose own decision replaces this answer. */
export async function listDecided(
  db: Db,
  answer: { resolutionId: string; accountIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db.query<{ account_id: string }>(
    `select asker.account_id from resolution r cross join unnest($2::text[]) asker (account_id)
     ${joinOwnDecision({ account: 'asker.account_id', domain: 'r.domain', company: 'r.company_number' })}
     where r.id = $1 and own.id is not null`,
    [answer.resolutionId, answer.accountIds],
  )
  return new Set(rows.map((row) => row.account_id))
}

/** Returns the account's own decision that replaces this answer. */
export async function findOwnDecision(
  db: Db,
  answer: { resolutionId: string; accountId: string },
): Promise<OwnDecision | null> {
  const [row] = await db.query<{ own: OwnDecisionRow | null }>(
    `select ${OWN_DECISION} as own from resolution r
     ${joinOwnDecision({ account: '$2', domain: 'r.domain', company: 'r.company_number' })}
     where r.id = $1`,
    [answer.resolutionId, answer.accountId],
  )
  return toOwnDecision(row?.own ?? null)
}
