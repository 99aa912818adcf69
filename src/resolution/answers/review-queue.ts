import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'

/** An answer for accounts without a decision on it. */
export interface GivenAnswer {
  accountIds: readonly string[]
  domain: string
  resolutionId: string
  outcome: string
  at: Date
}

/**
 * Puts an answer that needs review on the lists of these accounts, in the transaction that returns it. Any other answer
 * takes the domain off, except one that only could not be read.
 */
export async function updateReviewList(tx: Tx, answer: GivenAnswer): Promise<void> {
  const { domain, resolutionId, outcome, at } = answer
  const accountIds = [...new Set(answer.accountIds)]
  if (accountIds.length === 0 || outcome === 'scrape_failed') return
  if (outcome !== 'needs_review') return closeReviews(tx, { accountIds, domain, at })
  await tx.query(
    `insert into review_item as item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
     select asker.id, asker.account_id, r.domain, r.id, 'open', coalesce(r.confidence, 0), $4, $4
     from resolution r cross join unnest($1::text[], $2::text[]) asker (id, account_id) where r.id = $3
     on conflict (account_id, domain) do update
       set resolution_id = excluded.resolution_id, confidence = excluded.confidence, state = 'open',
         updated_at = excluded.updated_at
       where item.state <> 'decided' and (item.state, item.resolution_id) <> ('open', excluded.resolution_id)`,
    [accountIds.map(() => newId('rev')), accountIds, resolutionId, at],
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
