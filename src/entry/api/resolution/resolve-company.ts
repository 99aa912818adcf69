import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { DomainError } from '../../../errors.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import { type CompanyDetails, getCompanyDetails, parseCompanyNumber } from '../../../register/index.ts'
import {
  answerTestCompany,
  askForWebsite,
  findResolution,
  getCompanyNamed,
  type JobReading,
} from '../../../resolution/index.ts'
import { toTypedCompany } from '../../../resolver/index.ts'
import { listCompanySignals, presentSignal } from '../../../signals/index.ts'
import { callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce, type StoredResponse } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import { Profile, presentProfile } from '../register/company-profile.ts'
import { SignalBody } from '../register/company-signals.ts'
import { RETRY_SECONDS, readWhenEnded, setCreditHeaders, TEST_CHARGE, type WaitingContext } from './domain-exchange.ts'
import { readWait } from './preferences.ts'
import { presentNotSearched, presentSearching, presentWebsite, Website } from './website-bodies.ts'

/** A caller waits this long for the register at most; what has not come by then is said to be missing. */
const MAX_WAIT_MS = 8_000
const SIGNALS_MAX = 10

const CompanyAsk = z.object({
  company_number: z.string().min(1).max(20).optional().describe('As people write it: `SC 12345` will do.'),
  company_name: z.string().min(1).max(200).optional().describe('The exact registered name of one live company.'),
  refresh: z.boolean().optional().describe('Look again, whatever is known.'),
})

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

/** A repeat of a request that began a search gets what that search has come to. */
async function answerAgain(app: App, context: CompanyContext, kept: StoredResponse): Promise<StoredResponse> {
  const body = kept.body as z.input<typeof CompanyResolution>
  const { job_id: id, status } = body.website
  if (status !== 'searching' || id === null) return kept
  const reading = await readWhenEnded(app, context, id)
  if (!reading) return kept
  return { status: 200, body: { ...body, website: presentReading(reading) } }
}

function presentReading(reading: JobReading): z.input<typeof Website> {
  if (reading.kind !== 'website') return presentSearching(reading.job)
  return presentWebsite(reading.website, reading.resolution, reading.charge, reading.job.id)
}

function setRetryHeader(reply: FastifyReply, { website }: { website?: { status: string } }): void {
  if (website?.status === 'searching') void reply.header('retry-after', String(RETRY_SECONDS))
}

async function answerCompany(app: App, context: CompanyContext): Promise<StoredResponse> {
  const { request, reply, caller, waitMs } = context
  if (caller.mode === 'test') return answerInTestMode(app, context)
  const details = await getDetails(app, await readNumber(app, request.body), caller.accountId)
  const { number } = details.company
  const asked = await askForWebsite(app, {
    accountId: caller.accountId,
    companyNumber: number,
    input: toTypedCompany(request.body.company_number ?? request.body.company_name ?? number),
    refresh: request.body.refresh ?? false,
  })
  if (asked.kind === 'not_searched') {
    setCreditHeaders(reply, asked.charge, asked.available)
    return present(app, details, presentNotSearched(asked.charge))
  }
  if (asked.kind === 'known') {
    setCreditHeaders(reply, asked.charge, asked.available)
    const { website, charge } = asked
    const resolution = website.resolutionId ? await findResolution(app.db, website.resolutionId) : null
    return present(app, details, presentWebsite(website, resolution, charge, null))
  }
  const reading = await readWhenEnded(app, context, asked.jobId)
  if (!reading) throw new Error(`job ${asked.jobId} has vanished`)
  const { available } = waitMs > 0 ? await getBalance(app.db, caller.accountId) : asked
  setCreditHeaders(reply, reading.charge, available)
  return present(app, details, presentReading(reading))
}

async function answerInTestMode(app: App, context: CompanyContext): Promise<StoredResponse> {
  const { request, reply, caller } = context
  const { company_number: number, company_name: name } = request.body
  if (number === undefined && name === undefined) throw nothingAsked()
  // Test companies are found by their number alone.
  const companyNumber = parseCompanyNumber(number ?? '') ?? ''
  const { details, website, resolution, job } = await answerTestCompany(app, {
    accountId: caller.accountId,
    companyNumber,
  })
  setCreditHeaders(reply, TEST_CHARGE, (await getBalance(app.db, caller.accountId)).available)
  if (website) return present(app, details, presentWebsite(website, resolution, TEST_CHARGE, null), caller.accountId)
  if (!job) return present(app, details, presentNotSearched(TEST_CHARGE), caller.accountId)
  const reading = await readWhenEnded(app, context, job.id)
  if (!reading) throw new Error(`job ${job.id} has vanished`)
  return present(app, details, presentReading(reading), caller.accountId)
}

/** The number given, or that of the one company of the name given. */
async function readNumber(app: App, ask: z.output<typeof CompanyAsk>): Promise<string> {
  if (ask.company_number !== undefined) {
    const number = parseCompanyNumber(ask.company_number)
    if (number === null) throw invalidRequest([{ field: 'company_number', message: 'is not a company number' }])
    return number
  }
  if (ask.company_name === undefined) throw nothingAsked()
  return (await getCompanyNamed(app.db, ask.company_name)).number
}

const nothingAsked = () => invalidRequest([{ field: 'body', message: 'give `company_number` or `company_name`' }])

/** The company with its officers, charges and so on; what has not come in time is said to be missing. */
export async function getDetails(app: App, number: string, accountId: string): Promise<CompanyDetails> {
  try {
    return await getCompanyDetails(app, number, { priority: 'user', maxWaitMs: MAX_WAIT_MS, accountId })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
    throw new DomainError('company_not_found', error.message, { cause: error })
  }
}

async function present(
  app: App,
  details: CompanyDetails,
  website: z.input<typeof Website>,
  testAccountId: string | null = null,
): Promise<StoredResponse> {
  return { status: 200, body: await presentCompany(app, details, website, testAccountId) }
}

/** `testAccountId`: whose signals of test companies are shown, where it is one. */
export async function presentCompany(
  app: App,
  details: CompanyDetails,
  website: z.input<typeof Website>,
  testAccountId: string | null,
): Promise<z.input<typeof CompanyResolution>> {
  const { signals } = await listCompanySignals(app.db, {
    companyNumber: details.company.number,
    testAccountId,
    limit: SIGNALS_MAX,
    cursor: undefined,
  })
  return {
    company: presentProfile(details, toLondonDate(app.clock.now())),
    signals: signals.map(presentSignal),
    website,
  }
}

const RESOLVE = describeRoute({
  operationId: 'resolveCompany',
  summary: 'A company and its own web site, verified in both directions',
  description:
    'The site is verified when it prints the company’s own number and the resolver, asked for the domain, names the same ' +
    'company. A first search reads several sites, which takes up to a minute: ask at `website.status_url`, or send ' +
    '`Prefer: wait=50`. Costs one credit when a site is verified, and nothing otherwise. Without ' +
    'a credit the company is answered all the same, with `website.status` `not_searched`.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  idempotent: true,
  body: CompanyAsk,
  answers: { 200: { description: 'The company, and what is known of its web site.', schema: CompanyResolution } },
  errors: ['company_not_found', 'unavailable'],
})
