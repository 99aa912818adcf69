/** The job of a search for a company's web site. */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import { type CompanyDetails, deriveCompanyFacts } from '../../../register/index.ts'
import {
  findTestDetails,
  getDetailsFor,
  JOB_STATUSES,
  type JobReading,
  type ResolutionJob,
} from '../../../resolution/index.ts'
import { Charged, ChargeReason, CompanyResult, presentCharge } from './bodies.ts'
import { RETRY_SECONDS } from './domain-exchange.ts'
import { CompanyResolution, presentCompany } from './resolve-company.ts'
import { presentSearching, presentWebsite, Website } from './website-bodies.ts'

type WebsiteBody = z.input<typeof Website>

export const CompanyJob = z
  .object({
    status: z.enum(JOB_STATUSES),
    input_domain: z.null().describe('A company was asked for, not a domain.'),
    domain: z.string().nullable().describe('The site that was found.'),
    company_number: z.string(),
    job_id: z.string(),
    charged: Charged,
    charge_reason: ChargeReason,
    status_url: z.string(),
    error_message: z.string().nullable(),
    website: Website,
    result: CompanyResult.extend(CompanyResolution.shape)
      .nullable()
      .describe(
        'The flat result and the answer of `POST /v1/resolve/company` in one; null until the job is completed.',
      ),
  })
  .meta({ id: 'WebsiteJob' })

export async function showCompanyJob(
  app: App,
  reply: FastifyReply,
  reading: JobReading,
): Promise<z.input<typeof CompanyJob>> {
  const { job, charge } = reading
  if (reading.kind !== 'website') {
    if (job.status !== 'failed') void reply.header('retry-after', String(RETRY_SECONDS))
    return presentJob(job, presentSearching(job), null)
  }
  const website = presentWebsite(reading.website, reading.resolution, charge, job.id)
  return presentJob(job, website, await presentResult(app, job, website, reading.resolution?.confidence ?? null))
}

function presentJob(
  job: ResolutionJob,
  website: WebsiteBody,
  result: z.input<typeof CompanyJob>['result'],
): z.input<typeof CompanyJob> {
  return {
    status: job.status,
    input_domain: null,
    domain: website.domain,
    company_number: job.subject,
    job_id: job.id,
    ...presentCharge({ charged: job.charged, reason: job.chargeReason }),
    status_url: `/v1/enrich/status/${job.id}`,
    error_message: job.errorMessage,
    website,
    result,
  }
}

const MATCH_STATUS: Partial<Record<WebsiteBody['status'], 'matched' | 'needs_review'>> = {
  verified: 'matched',
  needs_review: 'needs_review',
}

async function presentResult(app: App, job: ResolutionJob, website: WebsiteBody, confidence: number | null) {
  const details = await findDetails(app, job.subject, job.accountId)
  if (details === null) return null
  return {
    ...deriveCompanyFacts(details.company, details, toLondonDate(app.clock.now())),
    match_status: MATCH_STATUS[website.status] ?? ('no_match' as const),
    match_confidence: confidence,
    review_candidates: [],
    // Signals of test companies are an account's own, and this address is public.
    ...(await presentCompany(app, details, website, null)),
  }
}

/** Null for a company that has left the register since. */
async function findDetails(app: App, number: string, accountId: string): Promise<CompanyDetails | null> {
  const test = findTestDetails(number, app.clock.now())
  if (test) return test
  try {
    return await getDetailsFor(app, { accountId, mode: 'live' }, number)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'company_not_found') return null
    throw error
  }
}
