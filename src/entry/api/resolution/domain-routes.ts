/** The endpoints that take a domain: each requests it, then shows the answer in its own shape, or the job. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { DomainError } from '../../../errors.ts'
import {
  type AnswerVersion,
  type Charge,
  type DomainResult,
  type FullAnswer,
  type JobReading,
  type JobShape,
  ResponseCache,
  readJob,
  readWhenEnded,
  requestDomain,
  toDomainResult,
} from '../../../resolution/index.ts'
import { parseDomain, scrubAddress } from '../../../resolver/index.ts'
import { callerOf, type RequestContext } from '../../http/caller.ts'
import { respondOnce, type StoredResponse } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import {
  Enrichment,
  FlatAnswer,
  presentEnrichment,
  presentFlat,
  presentResolution,
  ResolutionBody,
} from './answer-bodies.ts'
import { DomainBody, PendingJob, presentPending, statusUrl } from './bodies.ts'

/** How one endpoint shows its answers. */
export interface Shape {
  /** Stored with the job, so that its status shows the same. */
  name: JobShape
  statusUrl(jobId: string): string
  /** Officers, charges and the like are read too. */
  needsDetails: boolean
  /** Where the response depends on stored rows alone, not on the day. */
  cache?: ResponseCache
  present(app: App, input: string, answer: FullAnswer, charge: Charge): object | Promise<object>
}

export const ENRICHMENT: Shape = { name: 'enrich', statusUrl, needsDetails: true, present: presentEnrichment }
const RESOLUTION: Shape = {
  name: 'resolution',
  statusUrl,
  needsDetails: false,
  present: (_app, ...answer) => presentResolution(...answer),
}
export const PARTNER: Shape = {
  name: 'partner',
  statusUrl: (jobId) => `/v1/partner/enrich-company/${jobId}`,
  needsDetails: true,
  present: (_app, ...answer) => presentFlat(...answer),
}

export function resolveDomainRoutes(app: App, server: Server): void {
  const shape = { ...RESOLUTION, cache: new ResponseCache(app) }
  server.post('/v1/resolve/domain', RESOLVE, async (request, reply) =>
    answerDomainOnce(app, { request, reply, caller: callerOf(request) }, request.body, shape),
  )
}

export function enrichRoutes(app: App, server: Server): void {
  server.post('/v1/enrich', ENRICH, async (request, reply) =>
    answerDomainOnce(app, { request, reply, caller: callerOf(request) }, request.body, ENRICHMENT),
  )
}

export function partnerEnrichRoutes(app: App, server: Server): void {
  server.post('/v1/partner/enrich-company', PARTNER_ENRICH, async (request, reply) =>
    answerDomainOnce(app, { request, reply, caller: callerOf(request) }, request.body, PARTNER),
  )

  server.get('/v1/partner/enrich-company/:job_id', PARTNER_STATUS, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const reading = await readJob(app, { id: request.params.job_id, accountId, mode })
    if (!reading) throw jobNotFound()
    const { body } = await showJob(app, reply, reading, PARTNER)
    return reply.code(200).send(body)
  })
}

export interface WaitingContext extends RequestContext {
  /** How long the caller wants to wait for the answer. */
  waitMs: number
}

const NO_CHARGE = { charged: false }
export const RETRY_SECONDS = 2

interface Ask {
  domain: string
  max_age_days?: number | undefined
}

async function answerDomainOnce(app: App, context: RequestContext, ask: Ask, shape: Shape): Promise<FastifyReply> {
  const { request, reply, caller } = context
  const waitMs = readWait(request, reply) * 1_000
  const repeated = shape.cache ? await repeatResponse(shape.cache, context, ask) : null
  if (repeated !== null) return reply.type('application/json; charset=utf-8').send(repeated)
  // Asked again, it finds the job or the answer of the first request, which is paid for.
  const work = () => answerDomain(app, { ...context, waitMs }, ask, shape)
  return respondOnce(app, context, work, async (kept) => {
    setCreditHeaders(reply, NO_CHARGE, (await getBalance(app.db, caller.accountId)).available)
    return answerAgain(app, { ...context, waitMs }, kept, shape)
  })
}

/** Returns the response to a request that was answered before; null when it must be answered in full. */
async function repeatResponse(
  cache: ResponseCache,
  { request, reply, caller }: RequestContext,
  ask: Ask,
): Promise<string | null> {
  const isPlain = ask.max_age_days === undefined && request.headers['idempotency-key'] === undefined
  if (!isPlain || caller.mode === 'test') return null
  const typed = scrubAddress(ask.domain)
  const repeated = await cache.find({ domain: parseDomain(ask.domain), typed, accountId: caller.accountId })
  if (repeated === null) return null
  setCreditHeaders(reply, NO_CHARGE, repeated.available)
  return repeated.text
}

function keepResponse(
  cache: ResponseCache,
  reply: FastifyReply,
  { answer, version }: { answer: FullAnswer; version: AnswerVersion },
  body: object,
): void {
  cache.keep(answer.known.domain, version, (input_domain) =>
    String(reply.serializeInput({ ...body, input_domain }, '200', 'application/json')),
  )
}

/** A repeat of a request that was answered with a job gets that job's present state. */
async function answerAgain(
  app: App,
  { caller, reply, waitMs }: WaitingContext,
  kept: StoredResponse,
  shape: Shape,
): Promise<StoredResponse> {
  const { job_id: id } = kept.body as { job_id?: string }
  if (kept.status !== 202 || id === undefined) return kept
  const reading = await readWhenEnded(app, { ...caller, id }, { forMs: waitMs })
  return reading ? showJob(app, reply, reading, shape) : kept
}

async function answerDomain(app: App, context: WaitingContext, ask: Ask, shape: Shape): Promise<StoredResponse> {
  const { reply, caller, waitMs } = context
  const { name, needsDetails } = shape
  const { domain: typed, max_age_days: maxAgeDays } = ask
  const request = { typed, maxAgeDays, shape: name, needsDetails }
  const result = await requestDomain(app, caller, request, { forMs: waitMs })
  setCreditHeaders(reply, result.charge, result.available)
  return showResult(app, reply, result, shape)
}

/** Returns the job's answer, or that there is none yet and where to ask again. */
export async function showJob(
  app: App,
  reply: FastifyReply,
  reading: JobReading,
  shape: Shape,
): Promise<StoredResponse> {
  // A search for a company's site has its status elsewhere, while it runs and after.
  if (reading.job.kind === 'company') throw jobNotFound()
  return showResult(app, reply, await toDomainResult(app, reading, shape.needsDetails), shape)
}

async function showResult(app: App, reply: FastifyReply, result: DomainResult, shape: Shape): Promise<StoredResponse> {
  if (result.kind === 'answered') {
    const body = await shape.present(app, result.input, result.answer, result.charge)
    const { answer, version } = result
    if (shape.cache && version) keepResponse(shape.cache, reply, { answer, version }, body)
    return { status: 200, body }
  }
  const body = presentPending(result.job, shape.statusUrl(result.job.id), result.progress)
  if (body.status !== 'failed') {
    void reply.header('retry-after', String(RETRY_SECONDS)).header('location', body.status_url)
  }
  return { status: 202, body }
}

export function jobNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such job, or it is not yours. Jobs are kept for 30 days after they end.',
  )
}

export function setCreditHeaders(reply: FastifyReply, { charged }: Pick<Charge, 'charged'>, available: number): void {
  void reply.header('credits-spent', charged ? '1' : '0').header('credits-remaining', String(available))
}

const WAIT_SECONDS_MAX = 55

/**
 * `Prefer: wait=20` (RFC 7240): how long the caller wants to wait, in seconds. A longer wait than we keep a request is
 * shortened, one that cannot be read is ignored, and `Preference-Applied` says what was done.
 */
export function readWait(request: FastifyRequest, reply: FastifyReply): number {
  const wait = /(?:^|[,;\s])wait\s*=\s*"?([^",;\s]*)"?/i.exec(String(request.headers['prefer'] ?? ''))?.[1]
  if (wait === undefined || !/^\d+$/.test(wait)) return 0
  const seconds = Math.min(Number(wait), WAIT_SECONDS_MAX)
  void reply.header('preference-applied', `wait=${seconds}`)
  return seconds
}

/** Describes an endpoint that takes a domain: its own words, and the schema of its answer. */
function describeDomainRoute(
  own: Pick<Parameters<typeof describeRoute>[0], 'operationId' | 'stable' | 'summary' | 'description' | 'limit'>,
  answer: z.ZodType,
) {
  return describeRoute({
    ...own,
    tag: 'Resolution',
    accepts: ['session', 'key'],
    idempotent: true,
    body: DomainBody,
    answers: {
      200: { description: 'The answer.', schema: answer },
      202: { description: 'The site is being read.', schema: PendingJob },
    },
    errors: ['invalid_domain', 'insufficient_credits'],
  })
}

const RESOLVE = describeDomainRoute(
  {
    operationId: 'resolveDomain',
    stable: true,
    summary: 'The company behind a domain, with the proof',
    description:
      'The outcome with the words on the pages that prove it, the weights of the argument and the candidates not chosen. ' +
      'Known answers come at once; otherwise ask at `status_url`, or send `Prefer: wait=30`.',
  },
  ResolutionBody,
)

const ENRICH = describeDomainRoute(
  {
    operationId: 'enrich',
    stable: true,
    summary: 'The company behind a domain, with everything the register says of it',
    description:
      'Known answers come at once. Otherwise the site is read, which takes up to 20 seconds: ask at `status_url`, or send ' +
      '`Prefer: wait=30` to wait. Costs one credit when a company is matched, and nothing otherwise; the same domain is free ' +
      'for 30 days after that.',
  },
  Enrichment,
)

const PARTNER_ENRICH = describeDomainRoute(
  {
    operationId: 'partnerEnrichCompany',
    stable: true,
    summary: 'One row of a table: the company behind a domain, flat',
    description: 'For table tools: one request a row with `Prefer: wait=50`, all facts in one flat object.',
    limit: 'partner',
  },
  FlatAnswer,
)

const PARTNER_STATUS = describeRoute({
  operationId: 'getPartnerJob',
  stable: true,
  summary: 'A job of your own',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  limit: 'partner',
  params: z.object({ job_id: z.string().max(64) }),
  answers: { 200: { description: 'The job, or its answer.', schema: z.union([FlatAnswer, PendingJob]) } },
  errors: ['not_found'],
})
