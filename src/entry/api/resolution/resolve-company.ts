import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import { type CompanyDetails, parseCompanyNumber } from '../../../register/index.ts'
import {
  type Charge,
  getCompanyNamed,
  getDetailsFor,
  type KnownResolution,
  type KnownWebsite,
  type ResolutionJob,
  readWhenEnded,
  requestWebsite,
  toWebsiteResult,
  type WebsiteResult,
} from '../../../resolution/index.ts'
import { toTypedCompany } from '../../../resolver/index.ts'
import { listCompanySignals, presentSignal } from '../../../signals/index.ts'
import { type Caller, callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce, type StoredResponse } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { presentTime, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { Profile, presentProfile } from '../register/company-profile.ts'
import { SignalBody } from '../register/company-signals.ts'
import { Charged, ChargeReason, Evidence, presentCharge, presentEvidence, statusUrl, text } from './bodies.ts'
import { RETRY_SECONDS, readWait, setCreditHeaders, type WaitingContext } from './domain-routes.ts'

const SIGNALS_MAX = 10

const CompanyAsk = z.object({
  company_number: z.string().min(1).max(20).optional().describe('As people write it: `SC 12345` will do.'),
  company_name: z.string().min(1).max(200).optional().describe('The exact registered name of one live company.'),
  refresh: z.boolean().optional().describe('Look again, whatever is known.'),
})

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

export const CompanyResolution = z
  .object({
    company: Profile,
    signals: z.array(SignalBody).describe('The newest.'),
    website: Website,
  })
  .meta({ id: 'CompanyResolution' })

interface CompanyContext extends WaitingContext {
  request: FastifyRequest<{ Body: z.output<typeof CompanyAsk> }>
}

export function resolveCompanyRoutes(app: App, server: Server): void {
  server.post('/v1/resolve/company', RESOLVE, async (request, reply) => {
    const caller = callerOf(request)
    const context = { request, reply, caller, waitMs: readWait(request, reply) * 1_000 }
    // Asked again, it finds the search or the site of the first request, which is paid for.
    const work = async () => {
      const answer = await answerCompany(app, context)
      setRetryHeader(reply, answer.body)
      return answer
    }
    return respondOnce(app, context, work, async (kept) => {
      const answer = await answerAgain(app, context, kept)
      setRetryHeader(reply, answer.body)
      setCreditHeaders(reply, { charged: false }, (await getBalance(app.db, caller.accountId)).available)
      return answer
    })
  })
}

/** A repeat of a request that began a search gets that search's present state. */
async function answerAgain(app: App, context: CompanyContext, kept: StoredResponse): Promise<StoredResponse> {
  const body = kept.body as z.input<typeof CompanyResolution>
  const { job_id: id, status } = body.website
  if (status !== 'searching' || id === null) return kept
  const reading = await readWhenEnded(app, { ...context.caller, id }, { forMs: context.waitMs })
  if (!reading) return kept
  return { status: 200, body: { ...body, website: presentResult(toWebsiteResult(reading)) } }
}

function presentResult(result: WebsiteResult): z.input<typeof Website> {
  switch (result.kind) {
    case 'answered':
      return presentWebsite(result.website, result.resolution, result.charge, result.jobId)
    case 'open':
      return presentSearching(result.job)
    case 'not_searched':
      return presentNotSearched(result.charge)
  }
}

function setRetryHeader(reply: FastifyReply, { website }: { website?: { status: string } }): void {
  if (website?.status === 'searching') void reply.header('retry-after', String(RETRY_SECONDS))
}

async function answerCompany(app: App, { request, reply, caller, waitMs }: CompanyContext): Promise<StoredResponse> {
  const details = await getDetailsFor(app, caller, await readNumber(app, caller, request.body))
  const { number } = details.company
  const website = {
    companyNumber: number,
    input: toTypedCompany(request.body.company_number ?? request.body.company_name ?? number),
    refresh: request.body.refresh ?? false,
  }
  const result = await requestWebsite(app, caller, website, { forMs: waitMs })
  setCreditHeaders(reply, result.charge, result.available)
  return { status: 200, body: await presentCompany(app, details, presentResult(result), caller) }
}

/** Returns the given number, or that of the one company with the given name. */
async function readNumber(app: App, { mode }: Caller, ask: z.output<typeof CompanyAsk>): Promise<string> {
  if (ask.company_number === undefined && ask.company_name === undefined) throw nothingAsked()
  // Test companies are found by their number alone.
  if (mode === 'test') return parseCompanyNumber(ask.company_number ?? '') ?? ''
  if (ask.company_number !== undefined) {
    const number = parseCompanyNumber(ask.company_number)
    if (number === null) throw invalidRequest([{ field: 'company_number', message: 'is not a company number' }])
    return number
  }
  return (await getCompanyNamed(app.db, ask.company_name ?? '')).number
}

const nothingAsked = () => invalidRequest([{ field: 'body', message: 'give `company_number` or `company_name`' }])

/** `viewer`: a test key is shown the signals that its account made. */
export async function presentCompany(
  app: App,
  details: CompanyDetails,
  website: z.input<typeof Website>,
  viewer: Caller | null,
): Promise<z.input<typeof CompanyResolution>> {
  const { signals } = await listCompanySignals(app.db, {
    companyNumber: details.company.number,
    viewer,
    limit: SIGNALS_MAX,
    cursor: undefined,
  })
  return {
    company: presentProfile(details, toLondonDate(app.clock.now()), { ...app.config, isInAnswer: true }),
    signals: signals.map(presentSignal),
    website,
  }
}

const NO_SITE = {
  domain: null,
  evidence: [],
  tried: [],
  resolution_id: null,
  checked_at: null,
  job_id: null,
  status_url: null,
}

/** The account has no credit for what a site would cost. */
function presentNotSearched(charge: Charge): z.input<typeof Website> {
  const message =
    'The web site was not searched for: a site that is verified costs one credit, and this account has none. Get credits and ask again.'
  return { ...NO_SITE, status: 'not_searched', message, ...presentCharge(charge) }
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
    ...NO_SITE,
    status: job.status === 'failed' ? 'failed' : 'searching',
    job_id: job.id,
    status_url: statusUrl(job.id),
    ...presentCharge({ charged: job.charged, reason: job.chargeReason }),
  }
}

const RESOLVE = describeRoute({
  operationId: 'resolveCompany',
  stable: true,
  summary: 'A company and its own web site, verified in both directions',
  description:
    'The site is verified when it prints the company’s own number and the resolver, asked for the domain, names the same ' +
    'company. A first search reads several sites, which takes up to a minute: ask at `website.status_url`, or send ' +
    '`Prefer: wait=50`. Costs one credit when a site is verified, and nothing otherwise. Without ' +
    'a credit you still get the company, with `website.status` `not_searched`.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  idempotent: true,
  body: CompanyAsk,
  answers: { 200: { description: 'The company, and what is known of its web site.', schema: CompanyResolution } },
  errors: ['company_not_found', 'unavailable'],
})
