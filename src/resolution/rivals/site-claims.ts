import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { type Claimed, relateToDomain, type SiteClaim } from '../../resolver/index.ts'
import type { StoredEvidence } from '../answers/record.ts'
import type { Claimant } from './rivals.ts'

/** A claim as it is stored, with the answer that made it. */
export interface StoredClaim extends Claimant {
  resolutionId: string
  /** The first quotation of that answer. */
  proof: StoredEvidence | null
}

interface ClaimRow {
  domain: string
  site: string
  state: 'held' | 'contested'
  facts: Partial<SiteClaim> | null
  resolution_id: string
  first_seen_at: Date
  proof: StoredEvidence | null
  is_verified: boolean
  is_imported: boolean
}

/** More rivals than these change no answer: those whose answer is the company come first. */
const CLAIMS_MAX = 20
/** A site that was not read for so long is no rival any more. */
const CLAIM_DAYS = 60

/** Locks the claims on a company until the transaction ends. */
export async function lockClaims(tx: Tx, companyNumber: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 18))', [companyNumber])
}

/**
 * Returns the sites that claim a company, believed ones first. A known answer without a stored claim counts too: it is
 * older than the table of claims.
 */
export async function listClaims(db: Db, company: Claimed & { number: string }, at: Date): Promise<StoredClaim[]> {
  const rows = await db.query<ClaimRow>(
    `with claim as (
       (select domain, site, state, facts, resolution_id, first_seen_at from site_claim
        where company_number = $1 and seen_at > $2
        order by state desc, first_seen_at limit $3)
       union all
       (select k.domain, coalesce(r.findings->'crawl'->>'redirectedTo', k.domain), 'held', r.findings->'claim', r.id,
          (select min(first.resolved_at) from resolution first
           where first.domain = k.domain and first.company_number = $1)
        from known_domain k join resolution r on r.id = k.resolution_id
        where k.company_number = $1 and k.resolved_at > $2 and not exists (
          select from site_claim c where c.company_number = $1 and c.domain = k.domain)
        order by k.resolved_at limit $3)
     )
     select claim.*, r.findings->'evidence'->0 as proof,
       coalesce(claim.domain = (
         select case when s.status = 'verified' then s.domain end from website_search s
         where s.company_number = $1 order by s.checked_at desc limit 1), false) as is_verified,
       exists (
         select from company_link l where l.company_number = $1 and l.domain in (claim.domain, claim.site)
       ) as is_imported
     from claim join resolution r on r.id = claim.resolution_id
     order by claim.state desc, claim.first_seen_at limit $3`,
    [company.number, addSeconds(at, -CLAIM_DAYS * 86_400), CLAIMS_MAX],
  )
  return rows.map((row) => toClaim(row, company))
}

function toClaim({ facts, ...row }: ClaimRow, company: Claimed): StoredClaim {
  return {
    domain: row.domain,
    site: row.site,
    state: row.state,
    named: facts?.named ?? relateToDomain(company, row.site),
    isCertified: facts?.isCertified ?? row.proof?.kind === 'certificate',
    isOfficePrinted: facts?.isOfficePrinted ?? true,
    isSiteNamed: facts?.isSiteNamed ?? false,
    pointsTo: facts?.pointsTo ?? null,
    linksTo: facts?.linksTo ?? [],
    mailsTo: facts?.mailsTo ?? [],
    firstSeenAt: row.first_seen_at,
    isVerified: row.is_verified,
    isImported: row.is_imported,
    resolutionId: row.resolution_id,
    proof: row.proof,
  }
}

/** Whether an imported list gives the company one of these domains. */
export async function isImportedLink(db: Db, companyNumber: string, domains: readonly string[]): Promise<boolean> {
  const rows = await db.query('select from company_link where company_number = $1 and domain = any ($2) limit 1', [
    companyNumber,
    domains,
  ])
  return rows.length > 0
}

export interface NewClaim {
  companyNumber: string
  claim: Claimant
  state: 'held' | 'contested'
  resolutionId: string
  /** When the site was read. */
  seenAt: Date
}

export async function putClaim(tx: Tx, { companyNumber, claim, state, resolutionId, seenAt }: NewClaim): Promise<void> {
  const { site, named, isCertified, isOfficePrinted, isSiteNamed, pointsTo, linksTo, mailsTo } = claim
  const facts: SiteClaim = { site, named, isCertified, isOfficePrinted, isSiteNamed, pointsTo, linksTo, mailsTo }
  await tx.query(
    `insert into site_claim (company_number, domain, site, state, facts, resolution_id, first_seen_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (company_number, domain) do update
       set site = excluded.site, state = excluded.state, facts = excluded.facts, resolution_id = excluded.resolution_id,
         seen_at = greatest(site_claim.seen_at, excluded.seen_at)`,
    [companyNumber, claim.domain, site, state, JSON.stringify(facts), resolutionId, claim.firstSeenAt, seenAt],
  )
}

/** The domain's newest answer claims no other company than this one. */
export async function removeClaims(tx: Tx, domain: string, exceptFor: string | null): Promise<void> {
  await tx.query('delete from site_claim where domain = $1 and company_number is distinct from $2', [domain, exceptFor])
}
