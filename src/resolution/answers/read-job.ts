/** A job as its account reads it, now or when it has ended. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { findOwnDecision } from '../../decisions/index.ts'
import type { Db } from '../../lib/db/db.ts'
import { hideMailbox } from '../../resolver/index.ts'
import {
  type Charge,
  type ChargeReason,
  freeCharge,
  OWN_CHARGE,
  type RequestOutcome,
  repeatCharge,
} from '../money/charges.ts'
import { type Fact, isFactPaid, isRefunded } from '../money/payments.ts'
import { findJob, listEnded, type Progress, type ResolutionJob } from '../request/job-store.ts'
import { isTestSubject, readTestJob } from '../test-mode/test-mode.ts'
import { findWebsiteSearch, hideDisputed, type KnownWebsite, outcomeOf } from '../website/website-record.ts'
import type { FullAnswer } from './answer.ts'
import { applyDecision, findResolution, type KnownResolution } from './known.ts'

/** A job, and its answer once it has ended well. */
export type JobReading = { job: ResolutionJob; charge: Charge } & (
  | { kind: 'open'; progress: Progress | null }
  | { kind: 'answered'; known: KnownResolution }
  | { kind: 'test'; answer: FullAnswer }
  | { kind: 'website'; website: KnownWebsite; resolution: KnownResolution | null }
)

interface JobRequest {
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
  { job, progress }: NonNullable<Awaited<ReturnType<typeof findJob>>>,
  payerId = job.accountId,
): Promise<JobReading> {
  const at = app.clock.now()
  if (isTestSubject(job)) return readTestJob(job, at)
  const reading = { job, charge: { charged: job.charged, reason: job.chargeReason } }
  const open = { kind: 'open', ...reading, progress } as const
  if (job.status !== 'completed') return open
  const isShut = (fact: Fact | null) =>
    isClosed(app.db, { accountId: payerId, chargeReason: job.chargeReason, fact, at })
  if (job.kind === 'company') {
    const search = job.websiteSearchId ? await findWebsiteSearch(app.db, job.websiteSearchId) : null
    const website = search && (await hideDisputed(app.db, job.accountId, search))
    if (website?.status === 'verified' && (await isShut(toFact(website)))) return { ...open, job: closeJob(job) }
    const resolution = website?.resolutionId ? await findResolution(app.db, website.resolutionId) : null
    return website ? { kind: 'website', ...reading, website, resolution } : open
  }
  const known = job.resolutionId ? await findAnswer(app.db, { ...job, resolutionId: job.resolutionId }) : null
  if (known && known.decision === null && (await isShut(toFact(known)))) return { ...open, job: closeJob(job) }
  return known ? { kind: 'answered', ...reading, known } : open
}

function toFact({ domain, companyNumber }: { domain: string | null; companyNumber: string | null }): Fact | null {
  return domain === null || companyNumber === null ? null : { domain, companyNumber }
}

/** Returns the answer with the account's decision of today. */
async function findAnswer(db: Db, job: { resolutionId: string; accountId: string }): Promise<KnownResolution | null> {
  const known = await findResolution(db, job.resolutionId)
  return known && applyDecision(known, await findOwnDecision(db, { ...known, accountId: job.accountId }))
}

const modeOf = (job: ResolutionJob): KeyMode => (isTestSubject(job) ? 'test' : 'live')

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
  return repeatCharge(sharedOutcome(reading))
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

/** A caller's wait for a job. */
export interface Wait {
  forMs: number
  /** Called about every two seconds while the job is under way. */
  onWaiting?: (job: ResolutionJob, waitedMs: number) => Promise<void>
  /** Ends the wait early. The job continues. */
  signal?: AbortSignal
}

export const NO_WAIT: Wait = { forMs: 0 }

const REPORT_EVERY_MS = 2_000
const TEST_POLL_MS = 250

function waitForEnd({ jobPoll, db }: App, jobId: string, forMs: number, signal?: AbortSignal): Promise<void> {
  return jobPoll.wait(jobId, { forMs, signal, find: (ids) => listEnded(db, ids) })
}

/** Waits for the end of a job and reads it. Null when the account has no such job in this mode. */
export async function readWhenEnded(app: App, ask: JobRequest, wait: Wait): Promise<JobReading | null> {
  if (ask.mode === 'test') return waitByClock(app, ask, wait.forMs)
  if (wait.onWaiting) return waitWithReports(app, ask, wait, wait.onWaiting)
  if (wait.forMs > 0) await waitForEnd(app, ask.id, wait.forMs, wait.signal)
  return readJob(app, ask)
}

/** A test job ends by the clock, so no other process ends it. */
async function waitByClock(app: App, ask: JobRequest, forMs: number): Promise<JobReading | null> {
  const endMs = performance.now() + forMs
  for (;;) {
    const reading = await readJob(app, ask)
    const leftMs = endMs - performance.now()
    if (leftMs <= 0 || reading?.job.status !== 'processing') return reading
    await sleep(Math.min(TEST_POLL_MS, leftMs))
  }
}

async function waitWithReports(
  app: App,
  ask: JobRequest,
  { forMs, signal }: Wait,
  onWaiting: NonNullable<Wait['onWaiting']>,
): Promise<JobReading | null> {
  let reading = await readJob(app, ask)
  const startedMs = performance.now()
  const ended = waitForEnd(app, ask.id, forMs, signal)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (reading && isUnderWay(reading)) {
    if (signal?.aborted) break
    const waitedMs = performance.now() - startedMs
    if (waitedMs >= forMs) break
    await onWaiting(reading.job, waitedMs)
    const pause = rest(Math.min(REPORT_EVERY_MS, forMs - waitedMs), signal)
    // Where too many waits are open in this process, `ended` resolves at once.
    await (hasEnded ? pause : Promise.race([ended, pause]))
    reading = await readJob(app, ask)
  }
  return reading
}

function isUnderWay({ kind, job }: JobReading): boolean {
  return kind === 'open' && job.status !== 'failed'
}

async function rest(forMs: number, signal?: AbortSignal): Promise<void> {
  // An abort only ends the rest early.
  await sleep(forMs, undefined, { signal, ref: false }).catch(() => undefined)
}

export interface Requester {
  accountId: string
  mode: KeyMode
  /** The connected program that sends the request, if any; its daily cap counts too. */
  connectionId?: string | undefined
  /** The kind of the credential, where the entry point knows it. */
  actor?: { kind: string }
}

export async function getWhenEnded(
  app: App,
  { accountId, mode }: Requester,
  id: string,
  wait: Wait,
): Promise<JobReading> {
  const reading = await readWhenEnded(app, { id, accountId, mode }, wait)
  if (!reading) throw new Error(`job ${id} has vanished`)
  return reading
}
