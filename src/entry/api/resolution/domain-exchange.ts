/** What the endpoints that take a domain have in common: ask, wait as long as the caller likes, answer or name the job. */
import type { FastifyReply, FastifyRequest } from 'fastify'
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
import type { Caller } from '../../http/caller.ts'
import { answerOnce, type KeptAnswer } from '../../http/idempotency.ts'
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

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  caller: Caller
}

export interface WaitingExchange extends Exchange {
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

export async function answerDomainOnce(app: App, exchange: Exchange, ask: Ask, shape: Shape): Promise<FastifyReply> {
  const { request, reply, caller } = exchange
  const waitMs = readWait(request, reply) * 1_000
  const work = () => answerDomain(app, { ...exchange, waitMs }, ask, shape)
  return answerOnce(app, exchange, work, async (kept) => {
    sayCredits(reply, NO_CHARGE, (await getBalance(app.db, caller.accountId)).available)
    return answerAgain(app, { ...exchange, waitMs }, kept, shape)
  })
}

/** A repeat of a request that was answered with a job gets what that job has come to. */
async function answerAgain(app: App, exchange: WaitingExchange, kept: KeptAnswer, shape: Shape): Promise<KeptAnswer> {
  const { job_id: id } = kept.body as { job_id?: string }
  if (kept.status !== 202 || id === undefined) return kept
  const reading = await readWhenEnded(app, exchange, id)
  return reading ? showJob(app, exchange.reply, reading, shape) : kept
}

/** Reads a job of the caller's, after waiting for its end as long as the caller wants. Null when it is gone. */
export async function readWhenEnded(app: App, exchange: WaitingExchange, id: string): Promise<JobReading | null> {
  const { accountId, mode } = exchange.caller
  if (exchange.waitMs > 0) {
    if (mode === 'test') await waitForTestJob(app, { id, accountId }, exchange.waitMs)
    else await waitForJob(app, id, exchange.waitMs)
  }
  return readJob(app, { id, accountId })
}

async function answerDomain(app: App, exchange: WaitingExchange, ask: Ask, shape: Shape): Promise<KeptAnswer> {
  const { reply, caller, waitMs } = exchange
  if (caller.mode === 'test') return answerInTestMode(app, exchange, ask.domain, shape)
  const input = scrubAddress(ask.domain)
  const asked = await askForDomain(app, {
    accountId: caller.accountId,
    input,
    domain: parseDomain(ask.domain),
    maxAgeDays: ask.max_age_days,
    shape: shape.name,
  })
  if (asked.kind === 'known') {
    sayCredits(reply, asked.charge, asked.available)
    const answer = await read(app, { accountId: caller.accountId, known: asked.known }, shape, asked.companies)
    return { status: 200, body: await shape.present(input, answer, asked.charge) }
  }
  const reading = await readWhenEnded(app, exchange, asked.jobId)
  if (!reading) throw new Error(`job ${asked.jobId} has vanished`)
  const { available } = waitMs > 0 ? await getBalance(app.db, caller.accountId) : asked
  sayCredits(reply, reading.charge, available)
  return showJob(app, reply, reading, shape)
}

async function answerInTestMode(app: App, exchange: WaitingExchange, typed: string, shape: Shape): Promise<KeptAnswer> {
  const { reply, caller } = exchange
  const input = scrubAddress(typed)
  const tested = await answerTestDomain(app, { accountId: caller.accountId, input, shape: shape.name })
  sayCredits(reply, TEST_CHARGE, (await getBalance(app.db, caller.accountId)).available)
  if (tested.kind === 'answer') return { status: 200, body: await shape.present(input, tested.answer, TEST_CHARGE) }
  const reading = await readWhenEnded(app, exchange, tested.job.id)
  if (!reading) throw new Error(`job ${tested.job.id} has vanished`)
  return showJob(app, reply, reading, shape)
}

/** The job's answer, or that there is none yet and where to ask again. */
export async function showJob(app: App, reply: FastifyReply, reading: JobReading, shape: Shape): Promise<KeptAnswer> {
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
  sayWhereToAsk(reply, body)
  return { status: 202, body }
}

function sayWhereToAsk(reply: FastifyReply, body: { status?: string; status_url?: string }): void {
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

export function sayCredits(reply: FastifyReply, { charged }: Pick<Charge, 'charged'>, available: number): void {
  void reply.header('credits-spent', charged ? '1' : '0').header('credits-remaining', String(available))
}
