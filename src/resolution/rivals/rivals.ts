import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { Company } from '../../register/index.ts'
import { type Claimed, relateToDomain, type SiteClaim } from '../../resolver/index.ts'
import type { StoredEvidence } from '../answers/known.ts'

/** A site that claims to be a company's, with all that is known of the claim. */
export interface Claimant extends SiteClaim {
  domain: string
  /** `new`: its claim has not been compared before. */
  state: 'held' | 'contested' | 'new'
  firstSeenAt: Date
  /** The newest search for the company's site ended with this domain. */
  isVerified: boolean
  /** An imported list gives the domain for the company. */
  isImported: boolean
}

/** Another site that claims the company, and whether it is clear which of the two fits better. */
export interface Contest {
  rival: Claimant
  isClear: boolean
}

interface RivalComparison {
  /** The site that the subject does not prevail against. */
  lostTo: Contest | null
  /** Sites whose answer is the company until now and cannot stay so. */
  lost: Contest[]
  /** A rival that fits worse, to be shown with the answer. */
  outdone: Claimant | null
}

/** A match, and what its site claims. */
interface Match {
  domain: string
  company: Company
  claim: SiteClaim
}

/** Compares a match with the other sites that claim its company. */
export async function findRivals(tx: Tx, { domain, company, claim }: Match, at: Date) {
  const claims = await listClaims(tx, company, at)
  const before = claims.find((one) => one.domain === domain)
  const others = claims.filter((other) => other !== before)
  const subject: Claimant = {
    ...claim,
    domain,
    state: before?.state ?? 'new',
    firstSeenAt: before?.firstSeenAt ?? at,
    isVerified: before?.isVerified ?? false,
    isImported: before?.isImported ?? (await isImportedLink(tx, company.number, [domain, claim.site])),
  }
  return { ...compareRivals(subject, others, at), subject, others, at }
}

/**
 * Compares a site with others that claim the same company. A footer is easily copied, so words decide nothing here. Nor
 * does the time of the last crawl: a copy is always the newest.
 */
export function compareRivals(subject: Claimant, others: readonly Claimant[], at: Date): RivalComparison {
  const result: RivalComparison = { lostTo: null, lost: [], outdone: null }
  for (const other of others) {
    if (areSisters(subject, other)) continue
    const lead = weightOf(subject, other, at) - weightOf(other, subject, at)
    if (lead >= CLEAR_LEAD) {
      if (other.state === 'held') result.lost.push({ rival: other, isClear: true })
      result.outdone ??= other
    } else if (lead <= -CLEAR_LEAD) {
      result.lostTo ??= { rival: other, isClear: true }
    } else addUnclear(result, subject, other, at)
  }
  // A clear loser contests no other site.
  if (result.lostTo?.isClear) return { ...result, lost: [], outdone: null }
  return result
}

/** Both go to a person, but a copied footer must not unseat a site that has been known for long. */
function addUnclear(result: RivalComparison, subject: Claimant, other: Claimant, at: Date): void {
  if (subject.state === 'held') {
    if (other.state !== 'held') return
    // Both were believed before they were first compared.
    if (subject.firstSeenAt <= other.firstSeenAt) result.lost.push({ rival: other, isClear: false })
    else result.lostTo ??= { rival: other, isClear: false }
    return
  }
  result.lostTo ??= { rival: other, isClear: false }
  if (other.state === 'held' && !isProtected(other, at)) result.lost.push({ rival: other, isClear: false })
}

/** Sites of one owner: the same site, one name, or links that a stranger could not have set. */
function areSisters(one: Claimant, other: Claimant): boolean {
  if (one.site === other.site) return true
  if (isNamed(one) && isNamed(other)) return true
  if (one.isCertified && other.isCertified) return true
  if (one.isImported && other.isImported) return true
  const [there, back] = [tieOf(one, other) !== null, tieOf(other, one) !== null]
  return (there && back) || (there && isAnchored(one)) || (back && isAnchored(other))
}

/** True when more than printed words connects the site with the company. */
const isAnchored = (claim: Claimant): boolean => claim.isCertified || claim.isImported || isNamed(claim)

export const isNamed = ({ named }: SiteClaim): boolean => named === 'same' || named === 'contains'

/** How the pages of a site lead to another one. `address`: they give it as their own address. */
export function tieOf(from: SiteClaim, to: SiteClaim): 'address' | 'link' | 'mail' | null {
  if (from.pointsTo === to.site) return 'address'
  if (from.linksTo.includes(to.site)) return 'link'
  return from.mailsTo.includes(to.site) ? 'mail' : null
}

const CLEAR_LEAD = 2
const DAY_MS = 86_400_000
const LONG_DAYS = 30
const PROTECTED_DAYS = 7

const WEIGHT = {
  certified: 8,
  imported: 4,
  named: { same: 4, contains: 3, shares: 1, none: 0 },
  /** The other site leads to this one, which is what a copy does. */
  tie: { address: 6, link: 3, mail: 3 },
  verified: 2,
  knownForLong: 3,
} as const

/** How well a claim fits, against one rival. */
function weightOf(claim: Claimant, rival: Claimant, at: Date): number {
  const tie = tieOf(rival, claim)
  return fitOf(claim, at) + (tie === null ? 0 : WEIGHT.tie[tie])
}

/** How well a claim fits by itself: what a stranger cannot copy, and how long it has been believed. */
export function fitOf({ isCertified, isImported, named, state, isVerified, firstSeenAt }: Claimant, at: Date): number {
  const own = (isCertified ? WEIGHT.certified : 0) + (isImported ? WEIGHT.imported : 0) + WEIGHT.named[named]
  if (state !== 'held') return own
  return own + (isVerified ? WEIGHT.verified : 0) + (isKnownFor(LONG_DAYS, firstSeenAt, at) ? WEIGHT.knownForLong : 0)
}

const isProtected = ({ isVerified, firstSeenAt }: Claimant, at: Date) =>
  isVerified || isKnownFor(PROTECTED_DAYS, firstSeenAt, at)

export const isKnownFor = (days: number, since: Date, at: Date): boolean =>
  at.getTime() - since.getTime() >= days * DAY_MS

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
 * Returns the sites that claim a company, believed ones first. The proof is in the words of the rules, which made the claim:
 * those of a second reader may be an objection to it.
 */
export async function listClaims(db: Db, company: Claimed & { number: string }, at: Date): Promise<StoredClaim[]> {
  const rows = await db.query<ClaimRow>(
    `with claim as (
       select domain, site, state, facts, resolution_id, first_seen_at from site_claim
       where company_number = $1 and seen_at > $2
       order by state desc, first_seen_at limit $3
     )
     select claim.*, jsonb_path_query_first(r.findings, '$.evidence[*] ? (@.kind != "second_reader")') as proof,
       coalesce(claim.domain = (
         select case when s.status = 'verified' then s.domain end from website_search s
         where s.company_number = $1 order by s.checked_at desc limit 1), false) as is_verified,
       exists (
         select from company_link l where l.company_number = $1 and l.domain in (claim.domain, claim.site)
       ) as is_imported
     from claim join resolution r on r.id = claim.resolution_id
     order by claim.state desc, claim.first_seen_at`,
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

interface NewClaim {
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
