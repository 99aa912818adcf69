/** What the endpoints that take a domain have in common: ask, wait as long as the caller likes, answer or name the job. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { invalidRequest } from '../http/errors.ts'
import { answerOnce, type KeptAnswer } from '../http/idempotency.ts'
import type { Company } from '../register/index.ts'
import {
  answerTestDomain,
  askForDomain,
  type Charge,
  type FullAnswer,
  type JobReading,
  type KnownResolution,
  readAnswer,
  readFullAnswer,
  readJob,
  waitForJob,
} from '../resolution/index.ts'
import { parseDomain, scrubAddress } from '../resolver/index.ts'
import { presentPending } from './resolution-bodies.ts'

/** How one endpoint shows its answers. */
export interface Shape {
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

const NO_CHARGE = { charged: false }
export const TEST_CHARGE: Charge = { charged: false, reason: 'test_mode' }
const WAIT_SECONDS_MAX = 55
export const RETRY_SECONDS = 2

interface Ask {
  domain: string
  max_age_days?: number | undefined
}

export async function answerDomainOnce(app: App, exchange: Exchange, ask: Ask, shape: Shape): Promise<FastifyReply> {
  const { reply, caller } = exchange
  const work = () => answerDomain(app, exchange, ask, shape)
  return answerOnce(app, exchange, work, async ({ body }) => {
    sayWhereToAsk(reply, body)
    sayCredits(reply, NO_CHARGE, (await getBalance(app.db, caller.accountId)).available)
  })
}

async function answerDomain(app: App, exchange: Exchange, ask: Ask, shape: Shape): Promise<KeptAnswer> {
  const { request, reply, caller } = exchange
  const waitSeconds = readWait(request)
  if (caller.mode === 'test') return answerInTestMode(app, exchange, ask.domain, shape)
  const input = scrubAddress(ask.domain)
  const asked = await askForDomain(app, {
    accountId: caller.accountId,
    input,
    domain: parseDomain(ask.domain),
    maxAgeDays: ask.max_age_days,
  })
  if (asked.kind === 'known') {
    sayCredits(reply, asked.charge, asked.available)
    const answer = await read(app, asked.known, shape, asked.companies)
    return { status: 200, body: await shape.present(input, answer, asked.charge) }
  }
  if (waitSeconds > 0) await waitForJob(app, asked.jobId, waitSeconds * 1_000)
  const reading = await readJob(app, { id: asked.jobId, accountId: caller.accountId })
  if (!reading) throw new Error(`job ${asked.jobId} has vanished`)
  const { available } = waitSeconds > 0 ? await getBalance(app.db, caller.accountId) : asked
  sayCredits(reply, reading.charge, available)
  return showJob(app, reply, reading, shape)
}

async function answerInTestMode(
  app: App,
  { reply, caller }: Exchange,
  typed: string,
  shape: Shape,
): Promise<KeptAnswer> {
  const input = scrubAddress(typed)
  const tested = await answerTestDomain(app, { accountId: caller.accountId, input })
  sayCredits(reply, TEST_CHARGE, (await getBalance(app.db, caller.accountId)).available)
  if (tested.kind === 'answer') return { status: 200, body: await shape.present(input, tested.answer, TEST_CHARGE) }
  return showJob(app, reply, { kind: 'open', job: tested.job, charge: TEST_CHARGE, progress: null }, shape)
}

/** The job's answer, or that there is none yet and where to ask again. */
export async function showJob(app: App, reply: FastifyReply, reading: JobReading, shape: Shape): Promise<KeptAnswer> {
  const { job, charge } = reading
  // A search for a company's site has its status elsewhere, while it runs and after.
  if (job.kind === 'company' || reading.kind === 'website') throw jobNotFound()
  if (reading.kind !== 'open') {
    const answer = reading.kind === 'test' ? reading.answer : await read(app, reading.known, shape)
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
  return new DomainError('not_found', 'There is no such job, or it is not yours. Jobs are kept for 30 days.')
}

async function read(
  app: App,
  known: KnownResolution,
  { needsDetails }: Shape,
  companies?: Company[],
): Promise<FullAnswer> {
  if (needsDetails) return readFullAnswer(app, known, companies)
  return { ...(await readAnswer(app, known, companies)), today: null }
}

export function sayCredits(reply: FastifyReply, { charged }: Pick<Charge, 'charged'>, available: number): void {
  void reply.header('credits-spent', charged ? '1' : '0').header('credits-remaining', String(available))
}

/** `Prefer: wait=20` (RFC 7240). */
export function readWait(request: FastifyRequest): number {
  const wait = /(?:^|[,;\s])wait\s*=\s*"?([^",;\s]*)"?/i.exec(String(request.headers['prefer'] ?? ''))?.[1]
  if (wait === undefined) return 0
  const seconds = /^\d{1,4}$/.test(wait) ? Number(wait) : 0
  if (seconds < 1 || seconds > WAIT_SECONDS_MAX) {
    throw invalidRequest([{ field: 'Prefer', message: `wait must be from 1 to ${WAIT_SECONDS_MAX} seconds` }])
  }
  return seconds
}
