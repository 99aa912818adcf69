import type { KeyMode } from '../../accounts/index.ts'
import { BLOCKED_PAIR, isBlocked } from '../../decisions/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'

/** How a search for a company's web site ended. */
export interface Website {
  status: 'verified' | 'needs_review' | 'not_found'
  domain: string | null
  /** The answer for that domain, with the evidence. */
  resolutionId: string | null
  tried: TriedDomain[]
}

export interface TriedDomain {
  domain: string
  /** Where the idea came from: an earlier answer, an imported list, or the company's name. */
  source: string
  /** The outcome for the domain; `other_company` when it belongs to another company. */
  outcome: string
}

export interface KnownWebsite extends Website {
  id: string
  companyNumber: string
  checkedAt: Date
  expiresAt: Date
}

/** Days until a result expires and the next request searches again. */
const DAYS_KNOWN: Record<Website['status'], number> = { verified: 30, needs_review: 7, not_found: 7 }

/** Returns the outcome by which a search is charged. */
export function outcomeOf(status: Website['status']): 'verified' | 'needs_review' | 'no_match' {
  return status === 'not_found' ? 'no_match' : status
}

/** Stores the search. Returns its id. */
export async function storeWebsite(
  tx: Tx,
  website: Website & { companyNumber: string; checkedAt: Date },
): Promise<string> {
  const { companyNumber, status, domain, resolutionId, tried, checkedAt } = website
  const id = newId('web')
  const expiresAt = addSeconds(checkedAt, DAYS_KNOWN[status] * 86_400)
  await tx.query(
    `insert into website_search (id, company_number, status, domain, resolution_id, tried, checked_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, companyNumber, status, domain, resolutionId, JSON.stringify(tried), checkedAt, expiresAt],
  )
  return id
}

/** The kinds of evidence that prove that a number is the site's own. */
export const NUMBER_EVIDENCE: ReadonlySet<string> = new Set(['company_number', 'certificate', 'structured_data'])

const COLUMNS = `id, company_number as "companyNumber", status, domain, resolution_id as "resolutionId", tried,
  checked_at as "checkedAt", expires_at as "expiresAt"`

/** The newest search for the company's site, if it may still be served. */
export async function findKnownWebsite(db: Db, companyNumber: string, at: Date): Promise<KnownWebsite | null> {
  const [row] = await db.query<KnownWebsite>(
    `select ${COLUMNS} from website_search where company_number = $1 order by checked_at desc limit 1`,
    [companyNumber],
  )
  return row && row.expiresAt > at ? row : null
}

export async function findWebsiteSearch(db: Db, id: string): Promise<KnownWebsite | null> {
  const [row] = await db.query<KnownWebsite>(`select ${COLUMNS} from website_search where id = $1`, [id])
  return row ?? null
}

/** Expires a search whose result is not true any more: the next request searches again. */
export async function expireWebsite(
  tx: Tx,
  { companyNumber, domain }: { companyNumber: string; domain: string },
  at: Date,
): Promise<void> {
  await tx.query(
    'update website_search set expires_at = $3 where company_number = $1 and domain = $2 and expires_at > $3',
    [companyNumber, domain, at],
  )
}

/** Returns the company's site as the account sees it: one that it disputed is not found. */
export async function hideDisputed(db: Db, accountId: string, website: KnownWebsite): Promise<KnownWebsite> {
  const { domain, companyNumber } = website
  if (domain === null || !(await isBlocked(db, accountId, { domain, companyNumber }))) return website
  return { ...website, status: 'not_found', domain: null, resolutionId: null }
}

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
       and fact.company_number = known.company_number
       and not exists (${BLOCKED_PAIR})
     order by known.resolved_at desc, known.domain limit ${LISTED_MAX}`,
    [of.accountId, of.companyNumber, of.at],
  )
}
