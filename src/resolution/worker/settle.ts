/** The end of the work on a subject: every job that waited for it ends, pays, and is published. */
import type { App } from '../../app.ts'
import { joinOwnDecision, listBlocking, listDecided, OWN_COMPANY, updateReviewList } from '../../decisions/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { describeStatus } from '../../register/index.ts'
import { scrubAddress } from '../../resolver/index.ts'
import { findSubscribers, publishEvents } from '../../webhooks/index.ts'
import { OWN_CHARGE, type RequestOutcome, settleHold } from '../money/charges.ts'
import type { Fact, Subject } from '../money/payments.ts'
import { endJob, enterAnswer, lockWaiting, type ResolutionJob } from '../request/job-store.ts'

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
  app: Pick<App, 'jobs' | 'config'>,
  tx: Tx,
  result: Subject & WorkResult & { at: Date },
): Promise<void> {
  const jobs = await lockWaiting(tx, result)
  await settleJobs(tx, jobs, result)
  await publishFinished(app, tx, jobs, result.at)
}

async function settleJobs(
  tx: Tx,
  jobs: readonly ResolutionJob[],
  result: Subject & WorkResult & { at: Date },
): Promise<void> {
  const { resolutionId, fact, at } = result
  const withheld = new Set<string>()
  const decided = await listDecidedAskers(tx, jobs, result)
  for (const job of jobs) {
    const outcome = decided.has(job.accountId) ? 'own_decision' : result.outcome
    const { charge, holdId, isWithheld } = await settleHold(tx, { ...job, resolutionId, fact, outcome, at })
    if (isWithheld) withheld.add(job.accountId)
    const errorMessage = isWithheld ? WITHHELD : outcome === 'failed' ? SORRY : null
    await endJob(tx, {
      id: job.id,
      accountId: job.accountId,
      status: errorMessage === null ? 'completed' : 'failed',
      holdId,
      resolutionId: isWithheld ? null : resolutionId,
      websiteSearchId: isWithheld ? null : (result.websiteSearchId ?? null),
      charged: charge.charged,
      chargeReason: charge.reason,
      errorMessage,
      at,
    })
  }
  // After the credits: a dispute locks the same rows in the same order.
  const answered = jobs
    .map(({ accountId }) => accountId)
    .filter((accountId) => !decided.has(accountId) && !withheld.has(accountId))
  await listAnswer(tx, answered, result)
  if (resolutionId === null) return
  // A site that the account disputed to be this company's is none, so a search for it gave no answer.
  const isGiven = ({ accountId }: ResolutionJob) =>
    !withheld.has(accountId) && (result.kind === 'domain' || !decided.has(accountId))
  await enterAnswer(tx, { resolutionId, askers: jobs.filter(isGiven), at })
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
export async function failWaiting(
  app: Pick<App, 'jobs' | 'config'>,
  tx: Tx,
  work: Subject & { at: Date },
): Promise<void> {
  await settleWaiting(app, tx, { ...work, outcome: 'failed', resolutionId: null, fact: null })
}

const RESOLUTION_COMPLETED = 'resolution_completed'

/** A company's site is searched for with the shared answers. */
const OWN_DOMAIN = `case job.kind when 'domain' then resolution.domain end`

/** The members of the event as the tables have them, in the event's order, with what decides on the rest. */
interface FinishedRow {
  account_id: string
  kind: Subject['kind']
  job_id: string
  status: 'completed' | 'failed'
  input: string
  domain: string | null
  /** The `match_status` of a domain, or the `website.status` of a search for a company's site. */
  resolution_id: string | null
  outcome: string | null
  confidence: number | null
  company_number: string | null
  company_name: string | null
  company_status: string | null
  company_status_detail: string | null
  company_status_text: null
  charged: boolean
  charge_reason: string
  error_message: string | null
  finished_at: Date
}

/**
 * Publishes jobs that have just ended to the accounts that subscribe, in the transaction that ended them. The event has
 * the result; the evidence and the whole record are at its `status_url`.
 */
async function publishFinished(
  app: Pick<App, 'jobs' | 'config'>,
  tx: Tx,
  jobs: ReadonlyArray<{ id: string; accountId: string }>,
  at: Date,
): Promise<void> {
  if (jobs.length === 0) return
  const accountIds = jobs.map(({ accountId }) => accountId)
  const subscribers = new Set(await findSubscribers(tx, { accountIds, mode: 'live', signalType: RESOLUTION_COMPLETED }))
  const wanted = jobs.filter(({ accountId }) => subscribers.has(accountId))
  if (wanted.length === 0) return
  const finished = await listFinished(
    tx,
    wanted.map(({ id }) => id),
  )
  const events = finished.map(
    (job) =>
      ({
        type: RESOLUTION_COMPLETED,
        signalType: RESOLUTION_COMPLETED,
        accountIds: [job.account_id],
        // A test job ends by the clock and never here.
        mode: 'live',
        data: presentFinished(job, app.config.siteUrl),
      }) as const,
  )
  await publishEvents(app, tx, events, at)
}

async function listFinished(tx: Tx, ids: readonly string[]): Promise<FinishedRow[]> {
  return tx.query<FinishedRow>(
    `select job.account_id, job.kind, job.id as job_id, job.status, job.input,
       coalesce(search.domain, resolution.domain, case job.kind when 'domain' then job.subject end) as domain,
       resolution.id as resolution_id,
       case when own.id is null then coalesce(search.status, resolution.outcome)
         when ${OWN_COMPANY} is null then 'no_match' else 'matched' end as outcome,
       case when own.id is null then resolution.confidence end as confidence,
       company.number as company_number, company.name as company_name, company.status as company_status,
       company.status_detail as company_status_detail, null as company_status_text, job.charged, job.charge_reason,
       job.error_message, job.finished_at
     from resolution_job as job
     left join website_search as search on search.id = job.website_search_id
     left join resolution on resolution.id = job.resolution_id
     ${joinOwnDecision({ account: 'job.account_id', domain: OWN_DOMAIN, company: 'resolution.company_number' })}
     left join company on company.number = case
       when job.kind = 'company' then job.subject
       when own.id is not null then ${OWN_COMPANY}
       else resolution.company_number end
     where job.id = any ($1) order by job.id`,
    [ids],
  )
}

function presentFinished({ account_id: _accountId, kind, ...job }: FinishedRow, siteUrl: URL) {
  const { company_status: status, company_status_detail: statusDetail } = job
  // A site that the account disputed to be this company's is none.
  const isHidden = kind === 'company' && job.charge_reason === OWN_CHARGE.reason
  const resolutionId = isHidden ? null : job.resolution_id
  return {
    ...job,
    ...(isHidden ? { domain: null, outcome: 'not_found', confidence: null } : {}),
    resolution_id: resolutionId,
    resolution_url: resolutionId && new URL(`/console/resolutions/${resolutionId}`, siteUrl).href,
    input: kind === 'domain' ? scrubAddress(job.input) : job.input,
    company_status_text: status && describeStatus({ status, statusDetail }),
    finished_at: job.finished_at.toISOString(),
    status_url: `/v1/enrich/status/${job.job_id}`,
  }
}
