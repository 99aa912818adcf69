import type { Outcome, Resolution } from '../../src/resolver/resolution.ts'

/** The part of an answer that scoring needs, so that answers can be scored again without a new run. */
export interface Answer {
  domain: string
  /** `error` when the resolver threw instead of answering. */
  outcome: Outcome | 'error'
  confidence: number | null
  /** Only when matched. */
  companyNumber: string | null
  /** Company numbers, best first. */
  candidates: string[]
}

/** One domain of a run: the whole answer, or the error. */
export interface ResolvedSite {
  domain: string
  resolution: Resolution | null
  error: string | null
  milliseconds: number
}

export function toAnswer({ domain, resolution }: Pick<ResolvedSite, 'domain' | 'resolution'>): Answer {
  if (!resolution) return { domain, outcome: 'error', confidence: null, companyNumber: null, candidates: [] }
  return {
    domain,
    outcome: resolution.outcome,
    confidence: resolution.confidence,
    companyNumber: resolution.company?.number ?? null,
    candidates: resolution.candidates.map((candidate) => candidate.company.number),
  }
}
