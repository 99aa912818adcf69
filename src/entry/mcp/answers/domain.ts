/** The answer about the company behind a domain. */
import { z } from 'zod'
import type { OwnDecision } from '../../../decisions/index.ts'
import { formatPercent, toMidSentence } from '../../../lib/text/wording.ts'
import { type Company, presentStatusDetail } from '../../../register/index.ts'
import {
  type Answer,
  type CandidateToday,
  type Charge,
  type KnownResolution,
  METHODS,
  methodOf,
  presentChecklist,
  type ResolutionJob,
} from '../../../resolution/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import type { ToolAnswer } from '../tool.ts'
import { Cost, formatCost, presentCost } from './cost.ts'
import {
  DocumentUrl,
  evidenceUri,
  formatDocumentUrl,
  formatQuotes,
  linkToEvidence,
  presentQuotes,
  Quote,
} from './evidence.ts'

const CANDIDATES_MAX = 5
const REASONS_MAX = 3

const text = z.string().nullable()

export const CompanyBrief = z.object({
  company_number: z.string(),
  company_name: z.string(),
  company_status: z.string().describe("The register's word: `active`, `dissolved`, `liquidation`, …"),
  company_status_detail: text.describe('What the register adds to it: `active-proposal-to-strike-off`.'),
  company_status_text: text.describe('Both in words. Say this to people.'),
  registered_postcode: text,
  incorporated_on: text,
})

const DecidedBy = z.object({
  action: z.enum(['accept', 'reject', 'reassign', 'dispute']),
  reviewer: z.string(),
  reason: text,
  decided_at: z.string(),
})

export const DomainAnswer = z.object({
  status: z.enum(['completed', 'pending']).describe('`pending`: call check_job with job_id.'),
  input: z.string(),
  domain: text.describe('The registrable domain that was read.'),
  outcome: z.enum(OUTCOMES).nullable().describe('Only `matched` is proven. Null while pending.'),
  confidence: z.number().nullable().describe('Calibrated probability, of the best candidate.'),
  reason: text.describe('What decided it.'),
  method: z
    .enum(METHODS)
    .nullable()
    .describe('`second_reader`: a language model decided, and its words were verified. Null while pending.'),
  company: CompanyBrief.nullable().describe('Only when matched.'),
  checklist: z
    .array(z.object({ name: z.string(), met: z.boolean(), says: z.string() }))
    .describe('What a person would check for the best candidate.'),
  decided_by: DecidedBy.nullable().describe('A decision of this account, in place of what the site proves.'),
  candidates: z
    .array(CompanyBrief.extend({ confidence: z.number(), reasons: z.array(z.string()) }))
    .describe('When it needs review: best first, for a person to choose from.'),
  group_notes: z.array(z.string()).describe('Which of the candidates belong to one group. Say these to people.'),
  evidence: z.array(Quote).describe('The strongest quotations; all of them are at evidence_uri.'),
  resolution_id: text,
  evidence_uri: text,
  document_url: DocumentUrl,
  resolved_at: text,
  ...Cost.shape,
  job_id: text,
  next_step: z.string(),
})

type Presented = z.input<typeof DomainAnswer>

interface DomainOutcome {
  input: string
  answer: Answer
  charge: Charge
  available: number
  documentUrl: string | null
}

export function presentDomain({ input, answer, charge, available, documentUrl }: DomainOutcome): ToolAnswer<Presented> {
  const { known, company, candidates, groupNotes } = answer
  const structured: Presented = {
    status: 'completed',
    input,
    domain: known.domain,
    outcome: known.outcome,
    confidence: known.confidence,
    reason: known.reason,
    method: methodOf(known),
    company: company && presentBrief(company),
    checklist: presentChecklist(known),
    decided_by: presentDecidedBy(known.decision),
    candidates: known.outcome === 'matched' ? [] : candidates.slice(0, CANDIDATES_MAX).map(presentCandidate),
    group_notes: groupNotes,
    evidence: presentQuotes(known),
    resolution_id: known.id,
    evidence_uri: evidenceUri(known.id),
    document_url: documentUrl,
    resolved_at: known.resolvedAt.toISOString(),
    ...presentCost(charge, available),
    job_id: null,
    next_step: nextStepOf(known),
  }
  return { structured, text: formatDomain(structured), links: [linkToEvidence(known)] }
}

export function presentPendingDomain(job: ResolutionJob, available: number): ToolAnswer<Presented> {
  const structured: Presented = {
    status: 'pending',
    input: job.input,
    domain: job.subject,
    outcome: null,
    confidence: null,
    reason: null,
    method: null,
    company: null,
    checklist: [],
    decided_by: null,
    candidates: [],
    group_notes: [],
    evidence: [],
    resolution_id: null,
    evidence_uri: null,
    document_url: null,
    resolved_at: null,
    ...presentCost({ charged: job.charged, reason: job.chargeReason }, available),
    job_id: job.id,
    next_step: `Call check_job with job_id ${job.id} in some seconds. Do not ask for the domain again meanwhile.`,
  }
  const lines = [`The site of ${job.subject} is still being read.`, structured.next_step]
  return { structured, text: lines.join('\n') }
}

export function presentBrief(company: Company): z.input<typeof CompanyBrief> {
  return {
    company_number: company.number,
    company_name: company.name,
    company_status: company.status,
    ...presentStatusDetail(company),
    registered_postcode: company.address.postcode,
    incorporated_on: company.incorporatedOn,
  }
}

/** Returns the status in a sentence: `active — proposal to strike off`. */
export function formatStatus({ company_status_text: words }: z.input<typeof CompanyBrief>): string {
  return words === null ? 'status not known' : toMidSentence(words)
}

function presentDecidedBy(decision: OwnDecision | null): z.input<typeof DecidedBy> | null {
  if (decision === null) return null
  const { action, reviewer, reason, decidedAt } = decision
  return { action, reviewer, reason, decided_at: decidedAt.toISOString() }
}

function nextStepOf({ outcome, companyNumber, decision }: KnownResolution): string {
  if (decision && companyNumber === null) return 'A person of this account decided so. Do not name a company.'
  return NEXT_STEPS[outcome](companyNumber ?? '')
}

function presentCandidate({ company, confidence, reasons }: CandidateToday) {
  return { ...presentBrief(company), confidence, reasons: reasons.slice(0, REASONS_MAX) }
}

const NEXT_STEPS: Record<(typeof OUTCOMES)[number], (number: string) => string> = {
  matched: (number) =>
    `get_company with ${number} shows status, directors and deadlines; watch_company reports changes from now on.`,
  needs_review: () => 'Show the candidates with the quotations to a person. Do not present one of them as the answer.',
  no_match: () => 'The site names no UK company. If the user knows a name, call search_companies with it.',
  non_uk_entity: () => 'Tell the user that the owner is not on the UK register; no tool here knows other registers.',
  scrape_failed: () =>
    'Nothing is known for or against a company. Ask again tomorrow, or call search_companies if the user knows a name.',
}

function formatDomain(answer: Presented): string {
  const { domain, company, candidates, reason, confidence } = answer
  const sure = confidence === null ? '' : ` (${formatPercent(confidence)} certain)`
  const who = company && `${company.company_name}, company number ${company.company_number}, ${formatStatus(company)}`
  const lines = [
    who ? `${domain} is run by ${who}${sure}.` : `${domain}: ${headlineOf(answer)}`,
    // Of a site that was not read, the reason is the headline.
    answer.outcome === 'scrape_failed' ? null : reason,
    ...answer.checklist.map(({ met, says }) => `${met ? '✓' : '✗'} ${says}`),
    ...candidates.map(
      (one) => `- ${one.company_name} (${one.company_number}), ${formatStatus(one)}, ${formatPercent(one.confidence)}`,
    ),
    ...answer.group_notes,
    ...formatQuotes(answer.evidence),
    formatDocumentUrl(answer.document_url),
    formatCost(answer),
    `Next: ${answer.next_step}`,
  ]
  return lines.filter(Boolean).join('\n')
}

function headlineOf({ outcome, reason, decided_by: decided }: Presented): string {
  if (outcome === 'scrape_failed' && reason) return reason
  if (decided && outcome === 'no_match') return 'no company, as this account decided.'
  return HEADLINES[outcome ?? 'no_match']
}

const HEADLINES: Record<(typeof OUTCOMES)[number], string> = {
  matched: 'a company that has left the register.',
  needs_review: 'not decided, a person must look.',
  no_match: 'no UK company is behind the site as far as it says.',
  non_uk_entity: 'a company outside the UK register.',
  scrape_failed: 'the site could not be read.',
}
