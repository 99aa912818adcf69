import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { findOwnDecision } from '../../decisions/index.ts'
import type { Db } from '../../lib/db/db.ts'
import { hideMailbox } from '../../resolver/index.ts'
import { findJob, type ResolutionJob } from '../ask/job-store.ts'
import {
  type Charge,
  type ChargeReason,
  freeCharge,
  OWN_CHARGE,
  type RequestOutcome,
  repeatCharge,
} from '../money/charge.ts'
import { type Fact } from '../money/charges.ts'
import { isFactPaid, isRefunded } from '../money/payments.ts'
import { isTestCompany, playTestSearch, testWebsite } from '../test-mode/test-companies.ts'
import { isTestSubject, playTestJob, testAnswer } from '../test-mode/test-mode.ts'
import { findWebsiteSearch, hideDisputed, type KnownWebsite, outcomeOf } from '../website/website-record.ts'
import type { Progress } from '../worker/progress.ts'
import type { FullAnswer } from './answer.ts'
import { applyDecision, findResolution, type KnownResolution } from './known.ts'

/** A job, and its answer once it has ended well. */
export type JobReading = { job: ResolutionJob; charge: Charge } & (
  | { kind: 'open'; progress: Progress | null }
  | { kind: 'answered'; known: KnownResolution }
  | { kind: 'test'; answer: FullAnswer }
  | { kind: 'website'; website: KnownWebsite; resolution: KnownResolution | null }
)

export interface JobRequest {
  id: string
  accountId: string
  mode?: KeyMode
}

/**
 * Returns the job as its own account sees it, with that account's decisions. Null when there is no such job, or it is
 * another account's or, where a mode is given, of the other mode.
 */
export async function readJob(app: App, ask: JobRequest): Promise<JobReading | null> {
  const found = await findJob(app.db, { ...ask, at: app.clock.now() })
  if (!found || (ask.mode && ask.mode !== modeOf(found.job))) return null
  return readFound(app, found)
}

/**
 * Returns the job for any holder of its id, which is the permission. Its own account sees it as with `readJob`; any other
 * caller, and one without a credential, sees the shared answer and nothing of the account's decisions or input.
 */
export async function readSharedJob(
  app: App,
  ask: { id: string; viewer: { accountId: string; mode: KeyMode } | null },
): Promise<JobReading | null> {
  const found = await findJob(app.db, { id: ask.id, at: app.clock.now() })
  if (!found) return null
  const isOwn = ask.viewer?.accountId === found.job.accountId && ask.viewer.mode === modeOf(found.job)
  if (isOwn) return readFound(app, found)
  const asStranger = { ...found, job: { ...found.job, accountId: NO_ACCOUNT } }
  return toShared(await readFound(app, asStranger, found.job.accountId))
}

/** No account has this id, so no decisions are found for it. */
const NO_ACCOUNT = ''

/** `payerId` is the account that owns the job, whichever account reads it. */
async function readFound(
  app: App,
  found: NonNullable<Awaited<ReturnType<typeof findJob>>>,
  payerId = found.job.accountId,
): Promise<JobReading> {
  const at = app.clock.now()
  const job = played(found.job, at)
  const { progress } = found
  const reading = { job, charge: { charged: job.charged, reason: job.chargeReason } }
  if (job.status !== 'completed') return { kind: 'open', ...reading, progress }
  const isShut = (fact: Fact | null) =>
    isClosed(app.db, { accountId: payerId, chargeReason: job.chargeReason, fact, at })
  if (job.kind === 'company') {
    if (isTestCompany(job.subject)) return { kind: 'website', ...reading, ...testWebsite(job.subject, at) }
    const search = job.websiteSearchId ? await findWebsiteSearch(app.db, job.websiteSearchId) : null
    const website = search && (await hideDisputed(app.db, job.accountId, search))
    if (website?.status === 'verified' && (await isShut(toFact(website)))) {
      return { kind: 'open', ...reading, job: closeJob(job), progress }
    }
    const resolution = website?.resolutionId ? await findResolution(app.db, website.resolutionId) : null
    return website ? { kind: 'website', ...reading, website, resolution } : { kind: 'open', ...reading, progress }
  }
  if (isTestSubject(job.subject)) return { kind: 'test', ...reading, answer: testAnswer(job.subject, at) }
  const known = job.resolutionId ? await findAnswer(app.db, { ...job, resolutionId: job.resolutionId }) : null
  if (known && known.decision === null && (await isShut(toFact(known)))) {
    return { kind: 'open', ...reading, job: closeJob(job), progress }
  }
  return known ? { kind: 'answered', ...reading, known } : { kind: 'open', ...reading, progress }
}

function toFact({ domain, companyNumber }: { domain: string | null; companyNumber: string | null }): Fact | null {
  return domain === null || companyNumber === null ? null : { domain, companyNumber }
}

/** Returns the answer with the account's decision of today. */
async function findAnswer(db: Db, job: { resolutionId: string; accountId: string }): Promise<KnownResolution | null> {
  const known = await findResolution(db, job.resolutionId)
  return known && applyDecision(known, await findOwnDecision(db, { ...known, accountId: job.accountId }))
}

/** Test subjects exist in test mode alone. */
function modeOf({ subject }: ResolutionJob): KeyMode {
  return isTestCompany(subject) || isTestSubject(subject) ? 'test' : 'live'
}

function played(job: ResolutionJob, at: Date): ResolutionJob {
  if (isTestCompany(job.subject)) return playTestSearch(job, at)
  return isTestSubject(job.subject) ? playTestJob(job, at) : job
}

/**
 * Returns a job without traces of its account's decisions in the charge: a disputed match shows its first charge, an
 * answer that the account's decision made free shows that of a repeat, and a closed one the charge of a failure.
 */
function toShared(reading: JobReading): JobReading {
  const charge = sharedCharge(reading)
  const job = {
    ...reading.job,
    input: hideMailbox(reading.job.input),
    charged: charge.charged,
    chargeReason: charge.reason,
  }
  return { ...reading, job, charge }
}

function sharedCharge(reading: JobReading): Charge {
  const { charge } = reading
  const isClosed = reading.kind === 'open' && reading.job.status === 'failed'
  if (isClosed && OWN_AFFAIRS.has(charge.reason)) return freeCharge('failed')
  if (charge.reason === 'refunded') {
    return { charged: true, reason: reading.job.kind === 'company' ? 'verified' : 'matched' }
  }
  if (charge.reason !== OWN_CHARGE.reason) return charge
  const outcome = sharedOutcome(reading)
  return repeatCharge(outcome)
}

const OWN_AFFAIRS: ReadonlySet<string> = new Set(['refunded', OWN_CHARGE.reason])

function sharedOutcome(reading: JobReading): RequestOutcome {
  switch (reading.kind) {
    case 'answered':
      return reading.known.outcome
    case 'website':
      return outcomeOf(reading.website.status)
    case 'test':
      return reading.answer.known.outcome
    case 'open':
      return 'failed'
  }
}

interface Shown {
  /** The account that owns the job, whichever account reads it. */
  accountId: string
  chargeReason: ChargeReason
  /** The fact that the job would show; null where it names no company. */
  fact: Fact | null
  at: Date
}

/**
 * True when no payment covers what a job would show: a dispute gave the credit back, or it was free because of a decision
 * that the account has withdrawn since.
 */
async function isClosed(db: Db, { accountId, chargeReason, fact, at }: Shown): Promise<boolean> {
  if (fact === null) return false
  if (await isRefunded(db, { accountId, fact, at })) return true
  return chargeReason === OWN_CHARGE.reason && !(await isFactPaid(db, { accountId, fact, at }))
}

function closeJob(job: ResolutionJob): ResolutionJob {
  return {
    ...job,
    status: 'failed',
    errorMessage: 'This answer is not shown any more, as no credit pays for it. Ask again to have it.',
  }
}
