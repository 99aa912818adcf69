/** The answer about a company's own web site. */
import { z } from 'zod'
import type { Charge, KnownResolution, KnownWebsite, ResolutionJob } from '../../../resolution/index.ts'
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

const text = z.string().nullable()

export const WebsiteAnswer = z.object({
  status: z.enum(['completed', 'pending']).describe('`pending`: call check_job with job_id.'),
  company_number: z.string(),
  outcome: z
    .enum(['verified', 'needs_review', 'not_found'])
    .nullable()
    .describe('Only `verified` is proven; `needs_review` is a site that may be the company’s. Null while pending.'),
  domain: text,
  evidence: z.array(Quote).describe('The words on the site about this company.'),
  resolution_id: text,
  evidence_uri: text,
  document_url: DocumentUrl,
  checked_at: text,
  ...Cost.shape,
  job_id: text,
  next_step: z.string(),
})

type Presented = z.input<typeof WebsiteAnswer>

interface WebsiteOutcome {
  website: KnownWebsite
  resolution: KnownResolution | null
  charge: Charge
  available: number
  documentUrl: string | null
}

export function presentWebsite({
  website,
  resolution,
  charge,
  available,
  documentUrl,
}: WebsiteOutcome): ToolAnswer<Presented> {
  const { companyNumber, status: outcome, domain } = website
  const structured: Presented = {
    status: 'completed',
    company_number: companyNumber,
    outcome,
    domain,
    evidence: resolution ? presentQuotes(resolution, companyNumber) : [],
    resolution_id: website.resolutionId,
    evidence_uri: website.resolutionId && evidenceUri(website.resolutionId),
    document_url: documentUrl,
    checked_at: website.checkedAt.toISOString(),
    ...presentCost(charge, available),
    job_id: null,
    next_step: NEXT_STEPS[outcome],
  }
  const lines = [
    HEADLINES[outcome](companyNumber, domain ?? ''),
    ...formatQuotes(structured.evidence),
    formatDocumentUrl(structured.document_url),
    formatCost(structured),
    `Next: ${structured.next_step}`,
  ]
  return { structured, text: lines.filter(Boolean).join('\n'), links: resolution ? [linkToEvidence(resolution)] : [] }
}

export function presentPendingWebsite(job: ResolutionJob, available: number): ToolAnswer<Presented> {
  const structured: Presented = {
    status: 'pending',
    company_number: job.subject,
    outcome: null,
    domain: null,
    evidence: [],
    resolution_id: null,
    evidence_uri: null,
    document_url: null,
    checked_at: null,
    ...presentCost({ charged: job.charged, reason: job.chargeReason }, available),
    job_id: job.id,
    next_step: `Call check_job with job_id ${job.id} in some seconds. Do not ask for the company again meanwhile.`,
  }
  const lines = [`The web site of company ${job.subject} is still being looked for.`, structured.next_step]
  return { structured, text: lines.join('\n') }
}

const HEADLINES: Record<KnownWebsite['status'], (number: string, domain: string) => string> = {
  verified: (number, domain) => `The web site of company ${number} is ${domain}, verified in both directions.`,
  needs_review: (number, domain) => `${domain} may be the web site of company ${number}, but does not prove it.`,
  not_found: (number) => `No web site of company ${number} was found.`,
}

const NEXT_STEPS: Record<KnownWebsite['status'], string> = {
  verified: 'Use the domain. watch_company reports when the site moves or names another company.',
  needs_review: 'Show the domain to a person as a guess. Do not present it as the company’s own.',
  not_found: 'If the user names a domain, check it with find_company_behind_domain.',
}
