import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { Outcome, Resolution, SiteClaim } from '../../resolver/index.ts'

/** Days until an answer expires and the next request has the site read again. */
const DAYS_KNOWN: Record<Outcome, number> = {
  matched: 30,
  needs_review: 7,
  no_match: 7,
  non_uk_entity: 7,
  scrape_failed: 1,
}

/** The part of an answer that is stored as JSON, so its dates are texts. */
export interface Findings {
  evidence: StoredEvidence[]
  explanation: Resolution['explanation']
  candidates: StoredCandidate[]
  considered: Resolution['considered']
  /** Missing in answers that were stored before claims were compared. */
  claim?: SiteClaim | null
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

export interface StoredCandidate {
  companyNumber: string
  companyName: string
  confidence: number
  reasons: string[]
}

export function expiryOf(outcome: Outcome, resolvedAt: Date): Date {
  return addSeconds(resolvedAt, DAYS_KNOWN[outcome] * 86_400)
}

/** Stores the answer and makes it the domain's known answer unless a newer one is. Returns its id. */
export async function storeResolution(tx: Tx, resolution: Resolution): Promise<string> {
  const record = toRecord(resolution)
  const id = await insertResolution(tx, record)
  await makeKnown(tx, id, record)
  return id
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
}

export function toRecord(resolution: Resolution): ResolutionRecord {
  const { domain, outcome, situation, confidence, company, reason, resolvedAt, explanation } = resolution
  return {
    domain,
    outcome,
    situation,
    confidence,
    companyNumber: company?.number ?? null,
    reason,
    findings: toFindings(resolution),
    modelVersion: explanation.version,
    resolvedAt,
  }
}

/** Returns its id. The domain's known answer stays as it is. */
export async function insertResolution(tx: Tx, record: ResolutionRecord): Promise<string> {
  const id = newId('res')
  await tx.query(
    `insert into resolution
       (id, domain, outcome, situation, confidence, company_number, reason, findings, model_version, resolved_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      record.domain,
      record.outcome,
      record.situation,
      record.confidence,
      record.companyNumber,
      record.reason,
      JSON.stringify(record.findings),
      record.modelVersion,
      record.resolvedAt,
    ],
  )
  return id
}

/** Makes a stored answer its domain's known answer, unless a newer one is. */
export async function makeKnown(
  tx: Tx,
  id: string,
  { domain, outcome, companyNumber, resolvedAt }: ResolutionRecord,
): Promise<void> {
  await tx.query(
    `insert into known_domain as known (domain, resolution_id, outcome, company_number, resolved_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (domain) do update
       set resolution_id = excluded.resolution_id, outcome = excluded.outcome,
         company_number = excluded.company_number, resolved_at = excluded.resolved_at, expires_at = excluded.expires_at
       where known.resolved_at <= excluded.resolved_at`,
    [domain, id, outcome, companyNumber, resolvedAt, expiryOf(outcome, resolvedAt)],
  )
}

function toFindings({ evidence, explanation, candidates, considered, claim, crawl, company }: Resolution): Findings {
  return {
    evidence: evidence.map((item) => ({ ...item, fetchedAt: item.fetchedAt.toISOString() })),
    explanation,
    candidates: candidates.map(({ company: { number, name }, confidence, reasons }) => ({
      companyNumber: number,
      companyName: name,
      confidence,
      reasons,
    })),
    considered,
    claim,
    crawl: { ...crawl, pages: crawl.pages.map((page) => ({ ...page, fetchedAt: page.fetchedAt.toISOString() })) },
    registered: company && {
      name: company.name,
      number: company.number,
      status: company.status,
      postcode: company.address.postcode,
      changedAt: company.changedAt.toISOString(),
    },
  }
}
