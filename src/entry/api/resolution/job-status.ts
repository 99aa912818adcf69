/** The public address of a job: its progress, and then the same body as the answer to the request. */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import { type CompanyDetails, deriveCompanyFacts } from '../../../register/index.ts'
import {
  type Charge,
  type FullAnswer,
  findTestDetails,
  getDetailsFor,
  JOB_STATUSES,
  type JobReading,
  type JobShape,
  type ResolutionJob,
  readSharedJob,
} from '../../../resolution/index.ts'
import { admitAddress, findViewer } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import {
  CompanyResult,
  Enrichment,
  FlatAnswer,
  presentFlat,
  presentResolution,
  ResolutionBody,
} from './answer-bodies.ts'
import { Charged, ChargeReason, PendingJob, presentCharge, statusUrl } from './bodies.ts'
import { ENRICHMENT, jobNotFound, PARTNER, RETRY_SECONDS, type Shape, showJob } from './domain-routes.ts'
import { CompanyResolution, presentCompany, presentSearching, presentWebsite, Website } from './resolve-company.ts'

/** Anyone may ask about a job whose id they have; not without end. */
const STATUS_LIMIT = { name: 'status', burst: 120, perSecond: 20 }

/**
 * A resolution as the job of `POST /v1/resolve/domain` has it: the members of that answer, and `result` with the members
 * that every completed job has. A program that knows the flat answer alone reads `result`, one that knows the resolution
 * reads either.
 */
const ResolutionJobAnswer = ResolutionBody.extend({
  result: CompanyResult.extend(ResolutionBody.shape).describe('The flat result and the resolution in one.'),
}).meta({ id: 'ResolutionJobAnswer' })

const SHAPES: Record<JobShape, Shape> = {
  enrich: ENRICHMENT,
  resolution: {
    name: 'resolution',
    statusUrl,
    needsDetails: true,
    present: (_app, ...answer) => presentResolutionJob(...answer),
  },
  partner: { ...PARTNER, statusUrl },
}

export function jobStatusRoutes(app: App, server: Server): void {
  server.get('/v1/enrich/status/:job_id', STATUS, async (request, reply) => {
    await admitAddress(app, request, reply, STATUS_LIMIT)
    const viewer = await findViewer(app, request)
    const reading = await readSharedJob(app, { id: request.params.job_id, viewer })
    if (!reading) throw jobNotFound()
    if (reading.job.kind === 'company') return sendOk(reply, await showCompanyJob(app, reply, reading))
    const { body } = await showJob(app, reply, reading, SHAPES[reading.job.shape])
    return sendOk(reply, body)
  })
}

// The schema of the route checks the body; which of its forms it has is known by the job alone.
const sendOk = (reply: FastifyReply, body: object) => reply.code(200).send(body)

function presentResolutionJob(input: string, answer: FullAnswer, charge: Charge): z.input<typeof ResolutionJobAnswer> {
  const resolution = presentResolution(input, answer, charge)
  return { ...resolution, result: { ...presentFlat(input, answer, charge).result, ...resolution } }
}

type WebsiteBody = z.input<typeof Website>

const CompanyJob = z
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

async function showCompanyJob(app: App, reply: FastifyReply, reading: JobReading): Promise<z.input<typeof CompanyJob>> {
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
    status_url: statusUrl(job.id),
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

const STATUS = describeRoute({
  operationId: 'getJobStatus',
  stable: true,
  summary: 'How far a job is, then its answer',
  description:
    'The job id is the permission: nobody can guess it. Gone 30 days after it ended. A completed job has the same body as the 200 of ' +
    'the endpoint that began it, and always `result`. Without a credential it shows the shared answer. With a credential of ' +
    'the account that asked, it also shows what that account decided itself.',
  tag: 'Resolution',
  reads: ['session', 'key'],
  params: z.object({ job_id: z.string().max(64) }),
  answers: {
    200: {
      description: 'The job, or its answer.',
      // The first that fits is taken, so those with more members come first.
      schema: z.union([ResolutionJobAnswer, Enrichment, FlatAnswer, PendingJob, CompanyJob]),
    },
  },
  errors: ['not_found', 'rate_limited'],
})
