import type { Db } from '../../lib/db/db.ts'
import type { KnownWebsite } from './website-record.ts'

/** Returns the company's site as the account sees it: one that it disputed is not found. */
export async function hideDisputed(db: Db, accountId: string, website: KnownWebsite): Promise<KnownWebsite> {
  const { domain, companyNumber } = website
  if (domain === null || !(await isBlocked(db, accountId, { domain, companyNumber }))) return website
  return { ...website, status: 'not_found', domain: null, resolutionId: null }
}

/** True when the account disputed that this company is behind this domain. */
export async function isBlocked(
  db: Db,
  accountId: string,
  { domain, companyNumber }: { domain: string; companyNumber: string },
): Promise<boolean> {
  const rows = await db.query(
    'select from blocked_pair where account_id = $1 and domain = $2 and company_number = $3',
    [accountId, domain, companyNumber],
  )
  return rows.length > 0
}

/** Returns those of the accounts that disputed the result of this search. */
export async function listDisputers(
  db: Db,
  search: { id: string; accountIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db.query<{ account_id: string }>(
    `select blocked.account_id from website_search as search
     join blocked_pair as blocked on blocked.account_id = any ($2) and blocked.domain = search.domain
       and blocked.company_number = search.company_number
     where search.id = $1`,
    [search.id, search.accountIds],
  )
  return new Set(rows.map((row) => row.account_id))
}
