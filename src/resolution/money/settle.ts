import type { App } from '../../app.ts'
import { listBlocking, listDecided, updateReviewList } from '../../decisions/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { endJob, lockWaiting, type ResolutionJob } from '../ask/job-store.ts'
import { publishFinished } from '../worker/callbacks.ts'
import type { RequestOutcome } from './charge.ts'
import { type Fact, type Subject, settleHold } from './charges.ts'

/** The result of the work on a subject. */
export interface WorkResult {
  outcome: RequestOutcome
  /** For a domain: the probability of its best candidate. */
  confidence?: number | null
  resolutionId: string | null
  /** The domain and its company, where both were found. */
  fact: Fact | null
  /** For a search for a company's site. */
  websiteSearchId?: string
}

/** Ends every job that waited for this work, in the transaction that has its result: each pays or gets its credit back. */
export async function settleWaiting(
  app: Pick<App, 'jobs'>,
  tx: Tx,
  result: Subject & WorkResult & { at: Date },
): Promise<number> {
  const jobs = await lockWaiting(tx, result)
  const { resolutionId, fact, at } = result
  const withheld = new Set<string>()
  const decided = await listDecidedAskers(tx, jobs, result)
  for (const job of jobs) {
    const outcome = decided.has(job.accountId) ? 'own_decision' : result.outcome
    const { charge, holdId, isWithheld } = await settleHold(tx, { ...job, resolutionId, fact, outcome, at })
    if (isWithheld) withheld.add(job.accountId)
    await endJob(tx, {
      id: job.id,
      status: isWithheld ? 'failed' : 'completed',
      holdId,
      resolutionId: isWithheld ? null : resolutionId,
      websiteSearchId: isWithheld ? null : (result.websiteSearchId ?? null),
      charged: charge.charged,
      chargeReason: charge.reason,
      errorMessage: isWithheld ? WITHHELD : null,
      at,
    })
  }
  // After the credits: a dispute locks the same rows in the same order.
  const answered = jobs
    .map(({ accountId }) => accountId)
    .filter((accountId) => !decided.has(accountId) && !withheld.has(accountId))
  await listAnswer(tx, answered, result)
  await publishFinished(app, tx, jobs, result.at)
  return jobs.length
}

/** Returns the askers whose own decision replaces this answer. */
async function listDecidedAskers(
  tx: Tx,
  jobs: readonly ResolutionJob[],
  { kind, subject, resolutionId, fact }: Subject & WorkResult,
): Promise<ReadonlySet<string>> {
  const accountIds = [...new Set(jobs.map(({ accountId }) => accountId))]
  if (resolutionId === null || accountIds.length === 0) return new Set()
  if (kind === 'domain') {
    return listDecided(tx, { domain: subject, companyNumber: fact?.companyNumber ?? null, accountIds })
  }
  return fact === null ? new Set() : listBlocking(tx, { accountIds, fact })
}

async function listAnswer(
  tx: Tx,
  accountIds: string[],
  { kind, subject: domain, resolutionId, outcome, confidence = null, at }: Subject & WorkResult & { at: Date },
): Promise<void> {
  if (kind !== 'domain' || resolutionId === null) return
  await updateReviewList(tx, { accountIds, domain, resolutionId, outcome, confidence, at })
}

const WITHHELD =
  'There is an answer that costs one credit, and the account had none left when it was ready. Nothing was charged. Get credits and ask again: the answer is stored.'
const SORRY = 'We could not finish this after several attempts. Nothing was charged; ask again later.'

/** Ends every waiting job as failed, free of charge. */
export async function failWaiting(app: Pick<App, 'jobs'>, tx: Tx, work: Subject & { at: Date }): Promise<number> {
  const jobs = await lockWaiting(tx, work)
  for (const job of jobs) {
    const { charge, holdId } = await settleHold(tx, { ...job, fact: null, outcome: 'failed', at: work.at })
    await endJob(tx, {
      id: job.id,
      status: 'failed',
      holdId,
      resolutionId: null,
      websiteSearchId: null,
      charged: false,
      chargeReason: charge.reason,
      errorMessage: SORRY,
      at: work.at,
    })
  }
  await publishFinished(app, tx, jobs, work.at)
  return jobs.length
}
