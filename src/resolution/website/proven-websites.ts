import type { KeyMode } from '../../accounts/index.ts'
import { BLOCKED_PAIR } from '../../decisions/index.ts'
import type { Db } from '../../lib/db/db.ts'

/** A domain that was proven to be a company's, for an account that paid for it. */
export interface ProvenWebsite {
  domain: string
  resolutionId: string
  provenAt: Date
  paidUntil: Date
}

const LISTED_MAX = 10

/** Newest first; what is known of the domain today still names the company. */
export async function listProvenWebsites(
  db: Db,
  of: { accountId: string; mode: KeyMode; companyNumber: string; at: Date },
): Promise<ProvenWebsite[]> {
  if (of.mode === 'test') return []
  return db.query<ProvenWebsite>(
    `select known.domain, known.resolution_id as "resolutionId", known.resolved_at as "provenAt",
       fact.paid_until as "paidUntil"
     from paid_fact fact join known_domain known on known.domain = fact.domain
     where fact.account_id = $1 and fact.company_number = $2 and fact.paid_until > $3
       and known.company_number = fact.company_number
       and not exists (${BLOCKED_PAIR})
     order by known.resolved_at desc, known.domain limit ${LISTED_MAX}`,
    [of.accountId, of.companyNumber, of.at],
  )
}
