import { availableSql } from '../../credits/index.ts'
import {
  describeDecision,
  joinOwnDecision,
  type ListedReview,
  OWN_COMPANY,
  OWN_DECISION,
  type OwnDecision,
  type OwnDecisionRow,
  toOwnDecision,
} from '../../decisions/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { type Company, type CompanyRow, parseCompanies, selectCompanies } from '../../register/index.ts'
import type { Check, Outcome, Resolution, SecondReading, SiteClaim } from '../../resolver/index.ts'
import { isEnteredSql, isPaidSql } from '../money/payments.ts'
import { type AnswerVersion, answerVersionSql } from './response-cache.ts'

/** However fresh an answer must be, no site is read again sooner than this, for all accounts together. */
const REREAD_SECONDS = 15 * 60

/** Returns the time from which an answer is new enough for a caller who accepts so many days. */
function oldestAnswerFor(at: Date, maxAgeDays: number): Date {
  return addSeconds(at, -Math.max(maxAgeDays * 86_400, REREAD_SECONDS))
}

/** The same for a caller who may have named no age. */
export const oldestFor = ({ maxAgeDays }: { maxAgeDays?: number | undefined }, at: Date): Date | null =>
  maxAgeDays === undefined ? null : oldestAnswerFor(at, maxAgeDays)

/** Days until an answer expires and the next request has the site read again. */
const DAYS_KNOWN: Record<Outcome, number> = {
  matched: 30,
  needs_review: 7,
  no_match: 7,
  non_uk_entity: 7,
  scrape_failed: 1,
}
const DUE_DAYS_KNOWN = 1

/** The part of an answer that is stored as JSON, so its dates are texts. */
export interface Findings {
  evidence: StoredEvidence[]
  explanation: Resolution['explanation']
  candidates: StoredCandidate[]
  considered: Array<Omit<Resolution['considered'][number], 'features'>>
  claim: SiteClaim | null
  secondReading: SecondReading | null
  crawl: {
    finding: string
    reason: string
    redirectedTo: string | null
    pages: Array<{ url: string; status: number; fetchedAt: string; sha256: string }>
    attempts: Resolution['crawl']['attempts']
  }
  /** The matched company's record at that time, which the proof was compared with. */
  registered: { name: string; number: string; status: string; postcode: string | null; changedAt: string } | null
}

export interface StoredEvidence {
  kind: string
  supports: string | null
  strength: string
  says: string
  quote: string
  url: string
  fetchedAt: string
  contentSha256: string
}

interface StoredCandidate {
  companyNumber: string
  companyName: string
  confidence: number
  reasons: string[]
  against: string[]
}

/** Returns what a person would check for the best candidate. */
export function presentChecklist({ findings }: Pick<KnownResolution, 'findings'>): PresentedCheck[] {
  return findings.explanation.checklist.map(({ name, isMet, says }) => ({ name, met: isMet, says }))
}

type PresentedCheck = Omit<Check, 'isMet'> & { met: boolean }

export const METHODS = ['rules', 'second_reader'] as const

/** Returns who decided the outcome: a match that the second reader only confirmed is the rules'. */
export function methodOf({ findings: { secondReading } }: Pick<KnownResolution, 'findings'>): (typeof METHODS)[number] {
  return secondReading && secondReading.decision !== 'confirm' ? 'second_reader' : 'rules'
}

/** Returns the company that the rules alone matched: the second reader may have found another, or objected to theirs. */
export function findCompanyByRules({ companyNumber, findings }: KnownResolution): string | null {
  const decision = findings.secondReading?.decision
  if (decision === 'match') return null
  return decision === 'object' ? (findings.candidates[0]?.companyNumber ?? null) : companyNumber
}

/**
 * Returns when an answer expires. One that still waits for the second reader, because everyone who asked refuses it, is
 * known for a day: soon enough for those who accept it, and those who refuse it have no site read more often than that.
 */
export function expiryOf({
  outcome,
  resolvedAt,
  isSecondReaderDue,
}: Pick<ResolutionRecord, 'outcome' | 'resolvedAt' | 'isSecondReaderDue'>): Date {
  const days = isSecondReaderDue ? Math.min(DAYS_KNOWN[outcome], DUE_DAYS_KNOWN) : DAYS_KNOWN[outcome]
  return addSeconds(resolvedAt, days * 86_400)
}

/** An answer in the form it is stored in. */
export interface ResolutionRecord {
  domain: string
  outcome: Outcome
  situation: string
  confidence: number | null
  companyNumber: string | null
  reason: string
  findings: Findings
  modelVersion: string
  resolvedAt: Date
  isSecondReaderDue: boolean
}

/** A stored answer. */
export interface KnownResolution {
  id: string
  domain: string
  outcome: Outcome
  situation: string
  confidence: number | null
  companyNumber: string | null
  reason: string
  findings: Findings
  modelVersion: string
  resolvedAt: Date
  expiresAt: Date
  /** The reading account's own decision, where it replaces the shared answer. */
  decision: OwnDecision | null
}

const COLUMNS = `r.id, r.domain, r.outcome, r.situation, r.confidence, r.company_number as "companyNumber", r.reason,
  r.findings, r.model_version as "modelVersion", r.resolved_at as "resolvedAt", null as decision`

interface Freshness {
  at: Date
  /** The oldest answer that the caller accepts. */
  maxAgeDays?: number | undefined
}

export interface FoundKnown {
  /** The shared answer. */
  known: KnownResolution
  /** This account's own decision, which replaces it. */
  own: OwnDecision | null
  /** The domain on this account's review list. */
  listed: ListedReview | null
  /** The candidates, and the company of its own decision, as the register has them today. */
  companies: Company[]
  version: AnswerVersion
  isPaid: boolean
  /** The answer is in the history of the account. */
  isEntered: boolean
  available: number
}

/** The candidates, and the company that the account names itself. */
const COMPANY_NUMBERS = `array_append(
  array(select one->>'companyNumber' from jsonb_array_elements(r.findings->'candidates') one), ${OWN_COMPANY})`

/**
 * Returns the domain's newest answer if it is still fresh, and whether the account has paid for it. An account's own
 * decision never expires.
 */
export async function findKnown(
  db: Db,
  ask: { domain: string; accountId: string } & Freshness,
): Promise<FoundKnown | null> {
  const [row] = await db.query<KnownRow>(
    `select ${COLUMNS}, k.expires_at as "expiresAt", ${selectCompanies(COMPANY_NUMBERS)} as companies,
       ${answerVersionSql(COMPANY_NUMBERS)} as version,
       ${OWN_DECISION} as own, own_item.state as "listedState", own_item.resolution_id as "listedId",
       ${isPaidSql({ account: '$2', domain: 'k.domain', company: 'r.company_number', at: '$3' })} as "isPaid",
       ${isEnteredSql({ account: '$2', resolution: 'r.id' })} as "isEntered",
       ${availableSql('$2')} as available
     from known_domain k join resolution r on r.id = k.resolution_id
     ${joinOwnDecision({ account: '$2', domain: 'k.domain', company: 'r.company_number' })}
     where k.domain = $1 and (k.expires_at > $3 or own_item.override_id is not null)
       and ($4::timestamptz is null or k.resolved_at >= $4)`,
    [ask.domain, ask.accountId, ask.at, oldestFor(ask, ask.at)],
  )
  if (!row) return null
  const {
    companies,
    own,
    listedState: state,
    listedId: resolutionId,
    version,
    isPaid,
    isEntered,
    available,
    ...known
  } = row
  const listed = state && resolutionId ? { state, resolutionId } : null
  const shared = { known, version, isPaid, isEntered, available }
  return { ...shared, own: toOwnDecision(own), listed, companies: parseCompanies(companies) }
}

interface KnownRow extends KnownResolution, Pick<FoundKnown, 'version' | 'isPaid' | 'isEntered' | 'available'> {
  companies: CompanyRow[] | null
  own: OwnDecisionRow | null
  listedState: ListedReview['state'] | null
  listedId: string | null
}

/** Returns the domain's newest answer if it is still fresh. */
export async function findNewest(
  db: Db,
  domain: string,
  { at, maxAgeDays }: Freshness,
): Promise<KnownResolution | null> {
  const [row] = await db.query<KnownResolution>(
    `select ${COLUMNS}, k.expires_at as "expiresAt" from known_domain k join resolution r on r.id = k.resolution_id
     where k.domain = $1 and k.expires_at > $2 and ($3::timestamptz is null or k.resolved_at >= $3)`,
    [domain, at, oldestFor({ maxAgeDays }, at)],
  )
  return row ?? null
}

export async function findResolution(db: Db, id: string): Promise<KnownResolution | null> {
  const [row] = await db.query<KnownResolution>(
    `select ${COLUMNS}, coalesce(k.expires_at, r.resolved_at) as "expiresAt"
     from resolution r left join known_domain k on k.domain = r.domain and k.resolution_id = r.id
     where r.id = $1`,
    [id],
  )
  return row ?? null
}

/** Returns the domain's newest answer, expired or not. */
export async function findLatest(db: Db, domain: string): Promise<KnownResolution | null> {
  const [row] = await db.query<KnownResolution>(
    `select ${COLUMNS}, k.expires_at as "expiresAt" from known_domain k join resolution r on r.id = k.resolution_id
     where k.domain = $1`,
    [domain],
  )
  return row ?? null
}

/** An answer in short. */
export interface AnswerOutline {
  outcome: Outcome
  confidence: number | null
  reason: string
  candidates: Findings['candidates']
}

/** Returns the outlines of answers by id. */
export async function listOutlines(db: Db, ids: readonly string[]): Promise<Map<string, AnswerOutline>> {
  const rows = await db.query<AnswerOutline & { id: string }>(
    `select id, outcome, confidence, reason, findings->'candidates' as candidates from resolution where id = any ($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function listResolutions(db: Db, ids: readonly string[]): Promise<KnownResolution[]> {
  return db.query<KnownResolution>(
    `select ${COLUMNS}, r.resolved_at as "expiresAt" from resolution r where r.id = any ($1)`,
    [ids],
  )
}

/** Returns the answer as this account sees it: its decision, and the evidence without what it disputed. */
export function applyDecision(known: KnownResolution, decision: OwnDecision | null): KnownResolution {
  if (decision === null) return known
  const { companyNumber } = decision
  const candidates = companyNumber === null ? [] : known.findings.candidates
  const evidence = known.findings.evidence.filter(({ supports }) => !isDisputed(decision, supports))
  return {
    ...known,
    outcome: companyNumber === null ? 'no_match' : 'matched',
    companyNumber,
    confidence: null,
    reason: describeDecision(decision),
    findings: { ...known.findings, candidates, evidence, secondReading: null },
    decision,
  }
}

function isDisputed({ disputedNumber }: OwnDecision, supports: string | null): boolean {
  return disputedNumber !== null && supports === disputedNumber
}

/** Counts the domains with a known answer, those paid for, and those that are free because they are no match. */
export async function countKnown(
  db: Db,
  ask: { accountId: string; domains: string[]; at: Date },
): Promise<{ known: number; paid: number; free: number }> {
  const rows = await db.query<{ known: number; paid: number; free: number }>(
    `select count(*) filter (where outcome is not null) as known, count(*) filter (where is_paid) as paid,
       count(*) filter (where outcome <> 'matched' and not is_paid) as free
     from (
       select k.outcome,
         ${isPaidSql({ account: '$1', domain: 'wanted.domain', company: 'k.company_number', at: '$3' })} as is_paid
       from unnest($2::text[]) wanted (domain)
       left join known_domain k on k.domain = wanted.domain and k.expires_at > $3
     ) one`,
    [ask.accountId, ask.domains, ask.at],
  )
  return onlyRow(rows)
}

/** SQL that joins the known answer of a domain where it costs the account nothing. */
export function joinFreeAnswer({ account, domain, at }: { account: string; domain: string; at: string }): string {
  return `join known_domain k on k.domain = ${domain} and k.expires_at > ${at}
    and (k.outcome <> 'matched' or ${isPaidSql({ account, domain, company: 'k.company_number', at })})`
}

const EXPIRED_AT_ONCE = 5_000

/**
 * Expires the known answers without a match, which a second reader may be asked about: the next request has the site read
 * again. Returns how many.
 */
export async function expireOpenAnswers(db: Db, at: Date): Promise<number> {
  let total = 0
  let next: string | null = ''
  while (next !== null) {
    const { last, expired } = await expireAfter(db, next, at)
    total += expired
    next = last
  }
  return total
}

/** A few thousand at a time, so that no answer that is stored meanwhile waits long. */
async function expireAfter(db: Db, after: string, at: Date): Promise<{ last: string | null; expired: number }> {
  const rows = await db.query<{ last: string | null; expired: number }>(
    `with next as (
       select domain from known_domain where domain > $1 order by domain limit ${EXPIRED_AT_ONCE}
     ), expired as (
       update known_domain k set expires_at = $2 from next
       where k.domain = next.domain and k.expires_at > $2 and k.outcome in ('needs_review', 'no_match')
       returning k.domain
     )
     select (select max(domain) from next) as last, (select count(*) from expired)::int as expired`,
    [after, at],
  )
  return onlyRow(rows)
}
