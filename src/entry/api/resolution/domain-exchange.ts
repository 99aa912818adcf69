/** The endpoints that take a domain: request it, then show the answer or the job. */
import type { FastifyReply } from 'fastify'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { DomainError } from '../../../errors.ts'
import {
  type Charge,
  type DomainResult,
  type FullAnswer,
  type JobReading,
  type JobShape,
  readWhenEnded,
  requestDomain,
  toDomainResult,
} from '../../../resolution/index.ts'
import type { RequestContext } from '../../http/caller.ts'
import { respondOnce, type StoredResponse } from '../../http/idempotency.ts'
import { presentPending } from './bodies.ts'
import { readWait } from './preferences.ts'

/** How one endpoint shows its answers. */
export interface Shape {
  /** Stored with the job, so that its status shows the same. */
  name: JobShape
  statusUrl(jobId: string): string
  /** Officers, charges and the like are read too. */
  needsDetails: boolean
  present(input: string, answer: FullAnswer, charge: Charge): object | Promise<object>
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

export async function answerDomainOnce(
  app: App,
  context: RequestContext,
  ask: Ask,
  shape: Shape,
): Promise<FastifyReply> {
  const { request, reply, caller } = context
  const waitMs = readWait(request, reply) * 1_000
  const work = () => answerDomain(app, { ...context, waitMs }, ask, shape)
  return respondOnce(app, context, work, async (kept) => {
    setCreditHeaders(reply, NO_CHARGE, (await getBalance(app.db, caller.accountId)).available)
    return answerAgain(app, { ...context, waitMs }, kept, shape)
  })
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
  const request = { typed: ask.domain, maxAgeDays: ask.max_age_days, shape: name, needsDetails }
  const result = await requestDomain(app, caller, request, { forMs: waitMs })
  setCreditHeaders(reply, result.charge, result.available)
  return showResult(reply, result, shape)
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
  return showResult(reply, await toDomainResult(app, reading, shape.needsDetails), shape)
}

async function showResult(reply: FastifyReply, result: DomainResult, shape: Shape): Promise<StoredResponse> {
  if (result.kind === 'answered') {
    return { status: 200, body: await shape.present(result.input, result.answer, result.charge) }
  }
  const body = presentPending(result.job, shape.statusUrl(result.job.id), result.progress)
  setStatusHeaders(reply, body)
  return { status: 202, body }
}

function setStatusHeaders(reply: FastifyReply, body: { status?: string; status_url?: string }): void {
  if (body.status_url === undefined || body.status === 'failed') return
  void reply.header('retry-after', String(RETRY_SECONDS)).header('location', body.status_url)
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
