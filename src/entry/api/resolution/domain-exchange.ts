/** What the endpoints that take a domain have in common: ask, wait as long as the caller likes, answer or name the job. */
import type { FastifyReply } from 'fastify'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { DomainError } from '../../../errors.ts'
import type { Company } from '../../../register/index.ts'
import {
  answerTestDomain,
  askForDomain,
  type Charge,
  type FullAnswer,
  type JobReading,
  type JobShape,
  type KnownResolution,
  readAnswer,
  readFullAnswer,
  readJob,
  waitForJob,
  waitForTestJob,
} from '../../../resolution/index.ts'
import { parseDomain, scrubAddress } from '../../../resolver/index.ts'
import type { RequestContext } from '../../http/caller.ts'
import { respondOnce, type StoredResponse } from '../../http/idempotency.ts'
import { presentPending } from './bodies.ts'
import { readWait } from './preferences.ts'

/** How one endpoint shows its answers. */
export interface Shape {
  /** The job remembers it, so that its status shows the same. */
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
export const TEST_CHARGE: Charge = { charged: false, reason: 'test_mode' }
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

/** A repeat of a request that was answered with a job gets what that job has come to. */
async function answerAgain(
  app: App,
  context: WaitingContext,
  kept: StoredResponse,
  shape: Shape,
): Promise<StoredResponse> {
  const { job_id: id } = kept.body as { job_id?: string }
  if (kept.status !== 202 || id === undefined) return kept
  const reading = await readWhenEnded(app, context, id)
  return reading ? showJob(app, context.reply, reading, shape) : kept
}

/** Reads a job of the caller's, after waiting for its end as long as the caller wants. Null when it is gone. */
export async function readWhenEnded(app: App, context: WaitingContext, id: string): Promise<JobReading | null> {
  const { accountId, mode } = context.caller
  if (context.waitMs > 0) {
    if (mode === 'test') await waitForTestJob(app, { id, accountId }, context.waitMs)
    else await waitForJob(app, id, context.waitMs)
  }
  return readJob(app, { id, accountId })
}

async function answerDomain(app: App, context: WaitingContext, ask: Ask, shape: Shape): Promise<StoredResponse> {
  const { reply, caller, waitMs } = context
  if (caller.mode === 'test') return answerInTestMode(app, context, ask.domain, shape)
  const input = scrubAddress(ask.domain)
  const asked = await askForDomain(app, {
    accountId: caller.accountId,
    input,
    domain: parseDomain(ask.domain),
    maxAgeDays: ask.max_age_days,
    shape: shape.name,
  })
  if (asked.kind === 'known') {
    setCreditHeaders(reply, asked.charge, asked.available)
    const answer = await read(app, { accountId: caller.accountId, known: asked.known }, shape, asked.companies)
    return { status: 200, body: await shape.present(input, answer, asked.charge) }
  }
  const reading = await readWhenEnded(app, context, asked.jobId)
  if (!reading) throw new Error(`job ${asked.jobId} has vanished`)
  const { available } = waitMs > 0 ? await getBalance(app.db, caller.accountId) : asked
  setCreditHeaders(reply, reading.charge, available)
  return showJob(app, reply, reading, shape)
}

async function answerInTestMode(
  app: App,
  context: WaitingContext,
  typed: string,
  shape: Shape,
): Promise<StoredResponse> {
  const { reply, caller } = context
  const input = scrubAddress(typed)
  const tested = await answerTestDomain(app, { accountId: caller.accountId, input, shape: shape.name })
  setCreditHeaders(reply, TEST_CHARGE, (await getBalance(app.db, caller.accountId)).available)
  if (tested.kind === 'answer') return { status: 200, body: await shape.present(input, tested.answer, TEST_CHARGE) }
  const reading = await readWhenEnded(app, context, tested.job.id)
  if (!reading) throw new Error(`job ${tested.job.id} has vanished`)
  return showJob(app, reply, reading, shape)
}

/** The job's answer, or that there is none yet and where to ask again. */
export async function showJob(
  app: App,
  reply: FastifyReply,
  reading: JobReading,
  shape: Shape,
): Promise<StoredResponse> {
  const { job, charge } = reading
  // A search for a company's site has its status elsewhere, while it runs and after.
  if (job.kind === 'company' || reading.kind === 'website') throw jobNotFound()
  if (reading.kind !== 'open') {
    const answer =
      reading.kind === 'test'
        ? reading.answer
        : await read(app, { accountId: job.accountId, known: reading.known }, shape)
    return { status: 200, body: await shape.present(job.input, answer, charge) }
  }
  const body = presentPending(job, shape.statusUrl(job.id), reading.progress)
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

async function read(
  app: App,
  { accountId, known }: { accountId: string; known: KnownResolution },
  { needsDetails }: Shape,
  companies?: Company[],
): Promise<FullAnswer> {
  if (needsDetails) return readFullAnswer(app, { accountId, known }, companies)
  return { ...(await readAnswer(app, known, companies)), today: null }
}

export function setCreditHeaders(reply: FastifyReply, { charged }: Pick<Charge, 'charged'>, available: number): void {
  void reply.header('credits-spent', charged ? '1' : '0').header('credits-remaining', String(available))
}
