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
  of: { accountId: string; companyNumber: string; at: Date },
): Promise<ProvenWebsite[]> {
  const rows = await db.query<{ domain: string; resolution_id: string; resolved_at: Date; paid_until: Date }>(
    `select known.domain, known.resolution_id, known.resolved_at, fact.paid_until
     from paid_fact fact join known_domain known on known.domain = fact.domain
     where fact.account_id = $1 and fact.company_number = $2 and fact.paid_until > $3
       and known.company_number = fact.company_number
       and not exists (${BLOCKED_PAIR})
     order by known.resolved_at desc, known.domain limit ${LISTED_MAX}`,
    [of.accountId, of.companyNumber, of.at],
  )
  return rows.map((row) => ({
    domain: row.domain,
    resolutionId: row.resolution_id,
    provenAt: row.resolved_at,
    paidUntil: row.paid_until,
  }))
}
