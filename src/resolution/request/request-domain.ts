/** A request for the company behind a domain, as every entry point makes it: ask, wait as long as the caller likes, read. */
import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { isListed, updateReviewList } from '../../decisions/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { Company } from '../../register/index.ts'
import { parseDomain, scrubAddress, type TypedInput } from '../../resolver/index.ts'
import { type FullAnswer, readFullAnswer, readShortAnswer } from '../answers/answer.ts'
import { applyDecision, type FoundKnown, findKnown, type KnownResolution, oldestFor } from '../answers/known.ts'
import { getWhenEnded, type JobReading, type Requester, type Wait } from '../answers/read-job.ts'
import type { AnswerVersion } from '../answers/response-cache.ts'
import { resolveDomainJob } from '../jobs.ts'
import { type Charge, chargeAtOnce, holdFor, repeatCharge, TEST_CHARGE } from '../money/charges.ts'
import { answerTestDomain } from '../test-mode/test-mode.ts'
import { lockWork, PRIORITY, removeWork } from '../worker/work.ts'
import {
  type AnswerOrigin,
  enterAnswer,
  insertJob,
  type JobShape,
  type Progress,
  type ResolutionJob,
} from './job-store.ts'

interface DomainRequest {
  typed: string
  maxAgeDays?: number | undefined
  shape?: JobShape
  /** Read officers, charges and the like too. */
  needsDetails: boolean
}

/** A domain's answer, or the job that will have it. With a version, its response may be kept. */
export type DomainResult = { charge: Charge } & (
  | { kind: 'answered'; input: TypedInput; answer: FullAnswer; version?: AnswerVersion }
  | { kind: 'open'; job: ResolutionJob; progress: Progress | null }
)

export async function requestDomain(
  app: App,
  requester: Requester,
  request: DomainRequest,
  wait: Wait,
): Promise<DomainResult & { available: number }> {
  if (requester.mode === 'test') return requestTestDomain(app, requester, request, wait)
  const { accountId, connectionId } = requester
  const { typed, maxAgeDays, shape, needsDetails } = request
  const [input, domain] = [scrubAddress(typed), parseDomain(typed)]
  const origin = originOf(requester)
  const ask = { accountId, connectionId, input, domain, maxAgeDays, shape, origin }
  const asked = await askForDomain(app, ask)
  if (asked.kind === 'known') {
    const { known, companies, charge, available, version } = asked
    const answer = await readKnown(app, { accountId, known }, needsDetails, companies)
    return { kind: 'answered', input, answer, charge, available, ...(version && { version }) }
  }
  const reading = await getWhenEnded(app, requester, asked.jobId, wait)
  const { available } = wait.forMs > 0 ? await getBalance(app.db, accountId) : asked
  return { ...(await toDomainResult(app, reading, needsDetails)), available }
}

const ORIGIN_OF: Record<string, AnswerOrigin> = { person: 'console', program: 'program' }

/** Returns the way by which a request came, for the history of the account. */
export function originOf({ actor, connectionId }: Requester): AnswerOrigin {
  return connectionId === undefined ? (ORIGIN_OF[actor?.kind ?? ''] ?? 'api') : 'program'
}

async function requestTestDomain(app: App, requester: Requester, request: DomainRequest, wait: Wait) {
  const { accountId } = requester
  const input = scrubAddress(request.typed)
  const tested = await answerTestDomain(app, { accountId, input, shape: request.shape })
  const { available } = await getBalance(app.db, accountId)
  if (tested.kind === 'answer') {
    return { kind: 'answered', input, answer: tested.answer, charge: TEST_CHARGE, available } as const
  }
  const reading = await getWhenEnded(app, requester, tested.jobId, wait)
  return { ...(await toDomainResult(app, reading, request.needsDetails)), available }
}

/** Returns the answer of a job for a domain, or that it is open. */
export async function toDomainResult(app: App, reading: JobReading, needsDetails: boolean): Promise<DomainResult> {
  const { job, charge } = reading
  switch (reading.kind) {
    case 'test':
      return { kind: 'answered', input: job.input, answer: reading.answer, charge }
    case 'answered': {
      const answer = await readKnown(app, { accountId: job.accountId, known: reading.known }, needsDetails)
      return { kind: 'answered', input: job.input, answer, charge }
    }
    case 'open':
      return { kind: 'open', job, charge, progress: reading.progress }
    case 'website':
      throw new Error(`job ${job.id} is a search for a web site`)
  }
}

function readKnown(
  app: App,
  of: { accountId: string; known: KnownResolution },
  needsDetails: boolean,
  companies?: Company[],
) {
  return needsDetails ? readFullAnswer(app, of, companies) : readShortAnswer(app, of.known, companies)
}

export interface DomainAsk {
  accountId: string
  /** As typed; `domain` is the registrable domain in it. */
  input: TypedInput
  domain: string
  maxAgeDays?: number | undefined
  /** The form of the job's answer; an enrichment by default. */
  shape?: JobShape | undefined
  /** The connected program that asks, where it is not the account itself. */
  connectionId?: string | undefined
  /** One row of a bulk job: requests for a single domain are served first. */
  isBulk?: boolean
  /** The way by which the request came; a program's by default. */
  origin?: AnswerOrigin
  /** Records the request in its own transaction; throwing undoes the request. */
  record?: (tx: Tx, asked: Asked) => Promise<void>
}

/** The answer, or the job that will have it, and the credits available afterwards. */
export type Asked = { available: number } & (
  | { kind: 'known'; known: KnownResolution; companies: Company[]; charge: Charge; version?: AnswerVersion }
  | { kind: 'queued'; jobId: string }
)

/**
 * Returns the known answer, or queues one crawl for all who ask; each asker has its own job and its own held credit.
 */
export async function askForDomain(app: App, ask: DomainAsk): Promise<Asked> {
  const { accountId, connectionId, input, domain, shape = 'enrich', isBulk = false } = ask
  const at = app.clock.now()
  const wanted = { ...ask, at }
  // Nothing is charged on what is read here: the transaction of the charge looks at what was paid and disputed itself.
  const found = await findKnown(app.db, wanted)
  if (found?.isPaid && found.isEntered && found.own === null && isListed(found.known, found.listed)) {
    const { known, companies, available, version } = found
    const repeatable = known.outcome === 'matched' ? { version } : {}
    const charge = repeatCharge(known.outcome)
    const asked: Asked = { kind: 'known', known, companies, charge, available, ...repeatable }
    return ask.record ? app.db.transaction((tx) => recorded(tx, ask, asked)) : asked
  }
  if (found) return app.db.transaction((tx) => answerKnown(tx, ask, found, at))
  return app.db.transaction(async (tx) => {
    const work = { kind: 'domain', subject: domain } as const
    const before = await lockWork(tx, { ...work, isBackground: isBulk, readAfter: oldestFor(ask, at), at })
    // The work may have ended while we waited for its row.
    const meanwhile = await findKnown(tx, wanted)
    if (meanwhile) {
      if (before === 'none') await removeWork(tx, work)
      return answerKnown(tx, ask, meanwhile, at)
    }
    const [jobId, origin] = [newId('job'), ask.origin ?? (isBulk ? 'bulk' : 'api')]
    const holdId = await holdFor(tx, { ...work, accountId, connectionId, jobId, at })
    await insertJob(tx, { ...work, id: jobId, accountId, input, shape, origin, holdId, at })
    if (before !== 'wanted') {
      const priority = isBulk ? PRIORITY.bulk : PRIORITY.wanted
      await app.jobs.enqueue(tx, resolveDomainJob, { domain }, { priority })
    }
    return recorded(tx, ask, { kind: 'queued', jobId, available: (await getBalance(tx, accountId)).available })
  })
}

async function recorded(tx: Tx, { record }: DomainAsk, asked: Asked): Promise<Asked> {
  await record?.(tx, asked)
  return asked
}

async function answerKnown(tx: Tx, ask: DomainAsk, found: FoundKnown, at: Date): Promise<Asked> {
  const { known, own, companies } = found
  const { charge, available } = await chargeAtOnce(tx, {
    kind: 'domain',
    subject: ask.domain,
    accountId: ask.accountId,
    connectionId: ask.connectionId,
    jobId: newId('job'),
    outcome: own ? 'own_decision' : known.outcome,
    resolutionId: known.id,
    fact: known.companyNumber === null ? null : { domain: ask.domain, companyNumber: known.companyNumber },
    at,
  })
  if (own === null && !isListed(known, found.listed)) {
    const { accountId, domain } = ask
    const { id: resolutionId, outcome, confidence } = known
    await updateReviewList(tx, { accountIds: [accountId], domain, resolutionId, outcome, confidence, at })
  }
  if (!found.isEntered) {
    const asker = { accountId: ask.accountId, origin: ask.origin ?? (ask.isBulk ? 'bulk' : 'api') }
    await enterAnswer(tx, { resolutionId: known.id, askers: [asker], at })
  }
  return recorded(tx, ask, { kind: 'known', known: applyDecision(known, own), companies, charge, available })
}
