/** Exports decisions as cases for the labelled set, without the account and the person. */
import type { Db } from '../lib/db/db.ts'
import type { Findings } from '../resolution/index.ts'

export interface ReviewCase {
  domain: string
  action: 'accept' | 'reject' | 'reassign' | 'dispute'
  expected: {
    /** Null after a dispute that names no other company: only what it is not is known. */
    outcome: 'matched' | 'no_match' | null
    company_number: string | null
    not_company_number: string | null
  }
  answered: {
    outcome: string
    company_number: string | null
    confidence: number | null
    reason: string
    model_version: string
    resolved_at: string
  }
  reason: string | null
  candidates: Array<{ company_number: string; company_name: string; confidence: number }>
  evidence: Array<{ kind: string; supports: string | null; strength: string; quote: string; url: string }>
  decided_at: string
}

interface CaseRow {
  item_id: string
  updated_at: Date
  domain: string
  action: ReviewCase['action']
  company_number: string | null
  reason: string | null
  decided_at: Date
  outcome: string
  answered_number: string | null
  confidence: number | null
  answered_reason: string
  findings: Findings
  model_version: string
  resolved_at: Date
}

const BATCH = 200

/** The decisions in force, oldest first; with `since`, those made from then on. */
export async function* listCases(db: Db, { since }: { since: Date | null }): AsyncGenerator<ReviewCase> {
  let after = { at: since ?? new Date(0), id: '' }
  let hasMore = true
  while (hasMore) {
    const rows = await db.query<CaseRow>(
      `select i.id as item_id, i.updated_at, d.domain, d.action, d.company_number, d.reason, d.decided_at, r.outcome,
         r.company_number as answered_number, r.confidence, r.reason as answered_reason, r.findings, r.model_version,
         r.resolved_at
       from review_item i join review_decision d on d.id = i.decision_id join resolution r on r.id = d.resolution_id
       where i.state = 'decided' and (i.updated_at, i.id) > ($1, $2)
       order by i.updated_at, i.id limit ${BATCH}`,
      [after.at, after.id],
    )
    for (const row of rows) yield toCase(row)
    const last = rows.at(-1)
    if (last) after = { at: last.updated_at, id: last.item_id }
    hasMore = rows.length === BATCH
  }
}

function toCase(row: CaseRow): ReviewCase {
  const isOpen = row.action === 'dispute' && row.company_number === null
  return {
    domain: row.domain,
    action: row.action,
    expected: {
      outcome: isOpen ? null : row.company_number === null ? 'no_match' : 'matched',
      company_number: row.company_number,
      not_company_number: row.action === 'dispute' ? row.answered_number : null,
    },
    answered: {
      outcome: row.outcome,
      company_number: row.answered_number,
      confidence: row.confidence,
      reason: row.answered_reason,
      model_version: row.model_version,
      resolved_at: row.resolved_at.toISOString(),
    },
    reason: row.reason && hideAddresses(row.reason),
    candidates: row.findings.candidates.map(({ companyNumber, companyName, confidence }) => ({
      company_number: companyNumber,
      company_name: companyName,
      confidence,
    })),
    evidence: row.findings.evidence.map(({ kind, supports, strength, quote, url }) => ({
      kind,
      supports,
      strength,
      quote,
      url,
    })),
    decided_at: row.decided_at.toISOString(),
  }
}

/** People sign with their e-mail address, also in a reason. */
function hideAddresses(text: string): string {
  return text.replaceAll(/\S+@\S+/g, '[e-mail address]')
}
