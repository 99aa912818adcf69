/** Exports decisions as cases for the labelled set, without the account and the person. */
import { listDecidedAfter, type ReviewDecision } from '../decisions/index.ts'
import type { Db } from '../lib/db/db.ts'
import { type KnownResolution, listResolutions } from '../resolution/index.ts'

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

const BATCH = 200

/** Yields the decisions in force, oldest first; with `since`, those made from then on. */
export async function* listCases(db: Db, { since }: { since: Date | null }): AsyncGenerator<ReviewCase> {
  let after = { updatedAt: since ?? new Date(0), id: '' }
  let hasMore = true
  while (hasMore) {
    const entries = await listDecidedAfter(db, after, BATCH)
    const ids = entries.map(({ decision }) => decision.resolutionId)
    const answers = new Map((await listResolutions(db, ids)).map((answer) => [answer.id, answer]))
    for (const { decision } of entries) {
      const answer = answers.get(decision.resolutionId)
      if (answer && decision.action !== 'withdraw') yield toCase(decision, decision.action, answer)
    }
    after = entries.at(-1) ?? after
    hasMore = entries.length === BATCH
  }
}

function toCase(decision: ReviewDecision, action: ReviewCase['action'], answer: KnownResolution): ReviewCase {
  const { companyNumber, reason } = decision
  const isOpen = action === 'dispute' && companyNumber === null
  return {
    domain: decision.domain,
    action,
    expected: {
      outcome: isOpen ? null : companyNumber === null ? 'no_match' : 'matched',
      company_number: companyNumber,
      not_company_number: action === 'dispute' ? answer.companyNumber : null,
    },
    answered: {
      outcome: answer.outcome,
      company_number: answer.companyNumber,
      confidence: answer.confidence,
      reason: answer.reason,
      model_version: answer.modelVersion,
      resolved_at: answer.resolvedAt.toISOString(),
    },
    reason: reason && hideAddresses(reason),
    candidates: answer.findings.candidates.map(({ companyNumber: number, companyName, confidence }) => ({
      company_number: number,
      company_name: companyName,
      confidence,
    })),
    evidence: answer.findings.evidence.map(({ kind, supports, strength, quote, url }) => ({
      kind,
      supports,
      strength,
      quote,
      url,
    })),
    decided_at: decision.decidedAt.toISOString(),
  }
}

/** People sign with their e-mail address, also in a reason. */
function hideAddresses(text: string): string {
  return text.replaceAll(/\S+@\S+/g, '[e-mail address]')
}
