/** The bodies about a company's web site. */
import { z } from 'zod'
import type { Charge, KnownResolution, KnownWebsite, ResolutionJob } from '../../../resolution/index.ts'
import { presentTime, Time } from '../../http/page.ts'
import { Charged, ChargeReason, Evidence, presentCharge, presentEvidence, statusUrl, text } from './bodies.ts'

export const Website = z
  .object({
    status: z
      .enum(['verified', 'searching', 'needs_review', 'not_found', 'failed', 'not_searched'])
      .describe(
        '`needs_review`: a site that may be the company’s and does not prove it. `not_searched`: the account has no ' +
          'credit for what a site would cost.',
      ),
    message: text.optional().describe('Why there is no site to show, and what to do about it.'),
    domain: text,
    evidence: z.array(Evidence).describe('The words on the site about this company.'),
    tried: z
      .array(z.object({ domain: z.string(), source: z.string(), outcome: z.string() }))
      .describe('Each domain that was looked at, where the idea came from, and what its site said.'),
    resolution_id: text.describe('Of the evidence pack.'),
    checked_at: Time.nullable(),
    job_id: text,
    status_url: text.describe('While searching: ask here, as often as `Retry-After` says.'),
    charged: Charged,
    charge_reason: ChargeReason,
  })
  .meta({ id: 'Website' })

/** The account has no credit for what a site would cost. */
export function presentNotSearched(charge: Charge): z.input<typeof Website> {
  return {
    status: 'not_searched',
    message:
      'The web site was not searched for: a site that is verified costs one credit, and this account has none. Get credits and ask again.',
    domain: null,
    evidence: [],
    tried: [],
    resolution_id: null,
    checked_at: null,
    job_id: null,
    status_url: null,
    ...presentCharge(charge),
  }
}

export function presentWebsite(
  website: KnownWebsite,
  resolution: KnownResolution | null,
  charge: Charge,
  jobId: string | null,
): z.input<typeof Website> {
  return {
    status: website.status,
    domain: website.domain,
    evidence: resolution
      ? presentEvidence(resolution).filter(({ supports }) => supports === website.companyNumber)
      : [],
    tried: website.tried,
    resolution_id: website.resolutionId,
    checked_at: presentTime(website.checkedAt),
    job_id: jobId,
    status_url: jobId && statusUrl(jobId),
    ...presentCharge(charge),
  }
}

/** A search that has not ended, or has failed. */
export function presentSearching(job: ResolutionJob): z.input<typeof Website> {
  return {
    status: job.status === 'failed' ? 'failed' : 'searching',
    domain: null,
    evidence: [],
    tried: [],
    resolution_id: null,
    checked_at: null,
    job_id: job.id,
    status_url: statusUrl(job.id),
    ...presentCharge({ charged: job.charged, reason: job.chargeReason }),
  }
}
