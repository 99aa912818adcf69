/** A request for a company's web site, as every entry point makes it: ask, wait as long as the caller likes, read. */
import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { TypedInput } from '../../resolver/index.ts'
import { findResolution, type KnownResolution } from '../answers/known.ts'
import { getWhenEnded, type JobReading, type Requester, type Wait } from '../answers/read-job.ts'
import { type Charge, chargeAtOnce, holdFor, NO_CREDITS_CHARGE, TEST_CHARGE } from '../money/charges.ts'
import { answerTestCompany } from '../test-mode/test-mode.ts'
import { findKnownWebsite, hideDisputed, type KnownWebsite, outcomeOf } from '../website/website-record.ts'
import { FIND_WEBSITE, lockWork, PRIORITY, removeWork } from '../worker/work.ts'
import { type AnswerOrigin, enterAnswer, insertJob, type ResolutionJob } from './job-store.ts'
import { originOf } from './request-domain.ts'

interface WebsiteRequest {
  companyNumber: string
  input: TypedInput
  /** Search again whatever is known. */
  refresh: boolean
}

/** A company's site, the job that searches for it, or why there is no search. */
export type WebsiteResult = { charge: Charge } & (
  | { kind: 'answered'; website: KnownWebsite; resolution: KnownResolution | null; jobId: string | null }
  | { kind: 'open'; job: ResolutionJob }
  | { kind: 'not_searched'; refusal: DomainError }
)

export async function requestWebsite(
  app: App,
  requester: Requester,
  request: WebsiteRequest,
  wait: Wait,
): Promise<WebsiteResult & { available: number }> {
  if (requester.mode === 'test') return requestTestWebsite(app, requester, request, wait)
  const { accountId, connectionId } = requester
  const asked = await askForWebsite(app, { ...request, accountId, connectionId, origin: originOf(requester) })
  if (asked.kind === 'not_searched') return asked
  if (asked.kind === 'known') {
    const { website, charge, available } = asked
    const resolution = website.resolutionId ? await findResolution(app.db, website.resolutionId) : null
    return { kind: 'answered', website, resolution, jobId: null, charge, available }
  }
  const reading = await getWhenEnded(app, requester, asked.jobId, wait)
  const { available } = wait.forMs > 0 ? await getBalance(app.db, accountId) : asked
  return { ...toWebsiteResult(reading), available }
}

async function requestTestWebsite(app: App, requester: Requester, request: WebsiteRequest, wait: Wait) {
  const { accountId } = requester
  const tested = await answerTestCompany(app, { accountId, companyNumber: request.companyNumber })
  const { available } = await getBalance(app.db, accountId)
  if (tested.kind !== 'job') return { ...tested, charge: TEST_CHARGE, available }
  const reading = await getWhenEnded(app, requester, tested.jobId, wait)
  return { ...toWebsiteResult(reading), available }
}

/** Returns the site that a job found, or that its search is open. */
export function toWebsiteResult(reading: JobReading): WebsiteResult {
  const { job, charge } = reading
  if (reading.kind !== 'website') return { kind: 'open', job, charge }
  const { website, resolution } = reading
  return { kind: 'answered', website, resolution, jobId: job.id, charge }
}

interface WebsiteAsk extends WebsiteRequest {
  accountId: string
  /** The connected program that asks, where it is not the account itself. */
  connectionId?: string | undefined
  origin: AnswerOrigin
}

type AskedWebsite = { available: number } & (
  | { kind: 'known'; website: KnownWebsite; charge: Charge }
  | { kind: 'queued'; jobId: string }
  | { kind: 'not_searched'; charge: Charge; refusal: DomainError }
)

/**
 * Returns what is known of the company's site, or queues one search for all who ask. Without a credit for what would cost
 * one it returns `not_searched`, as the company's record is free all the same.
 */
async function askForWebsite(app: App, ask: WebsiteAsk): Promise<AskedWebsite> {
  try {
    return await findOrSearch(app, ask)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'insufficient_credits') throw error
    const { available } = await getBalance(app.db, ask.accountId)
    return { kind: 'not_searched', charge: NO_CREDITS_CHARGE, refusal: error, available }
  }
}

async function findOrSearch(app: App, ask: WebsiteAsk): Promise<AskedWebsite> {
  const at = app.clock.now()
  const work = { kind: 'company', subject: ask.companyNumber } as const
  const known = ask.refresh ? null : await findKnownWebsite(app.db, ask.companyNumber, at)
  if (known) return app.db.transaction((tx) => answerKnown(tx, ask, known, at))
  return app.db.transaction(async (tx) => {
    const before = await lockWork(tx, { ...work, isBackground: false, at })
    // The search may have ended while we waited for its row.
    const meanwhile = ask.refresh ? null : await findKnownWebsite(tx, ask.companyNumber, at)
    if (meanwhile) {
      if (before === 'none') await removeWork(tx, work)
      return answerKnown(tx, ask, meanwhile, at)
    }
    const jobId = newId('job')
    const { accountId, input, connectionId, origin } = ask
    const holdId = await holdFor(tx, { ...work, accountId, connectionId, jobId, at })
    await insertJob(tx, { ...work, id: jobId, accountId, input, origin, holdId, at })
    if (before !== 'wanted') {
      const payload = { companyNumber: ask.companyNumber, isFresh: ask.refresh }
      await app.jobs.enqueueAll(tx, { name: FIND_WEBSITE }, [{ payload, priority: PRIORITY.wanted }])
    }
    return { kind: 'queued', jobId, available: (await getBalance(tx, accountId)).available }
  })
}

async function answerKnown(tx: Tx, ask: WebsiteAsk, known: KnownWebsite, at: Date): Promise<AskedWebsite> {
  const website = await hideDisputed(tx, ask.accountId, known)
  const { charge, available } = await chargeAtOnce(tx, {
    kind: 'company',
    subject: ask.companyNumber,
    accountId: ask.accountId,
    connectionId: ask.connectionId,
    jobId: newId('job'),
    outcome: website === known ? outcomeOf(known.status) : 'own_decision',
    resolutionId: null,
    fact: known.domain === null ? null : { domain: known.domain, companyNumber: ask.companyNumber },
    at,
  })
  const { accountId, origin } = ask
  if (website === known && known.resolutionId !== null) {
    await enterAnswer(tx, { resolutionId: known.resolutionId, askers: [{ accountId, origin }], at })
  }
  return { kind: 'known', website, charge, available }
}
