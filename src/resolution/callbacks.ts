import type { App } from '../app.ts'
import type { Tx } from '../lib/db.ts'
import { findSubscribers, publishEvents } from '../webhooks/index.ts'

export const RESOLUTION_COMPLETED = 'resolution_completed'

interface FinishedRow {
  id: string
  account_id: string
  kind: 'domain' | 'company'
  subject: string
  input: string
  status: 'completed' | 'failed'
  charged: boolean
  charge_reason: string
  error_message: string | null
  finished_at: Date
  outcome: string | null
  confidence: number | null
  domain: string | null
  company_number: string | null
  company_name: string | null
  company_status: string | null
}

/**
 * Sends jobs that have just ended to the accounts that subscribe to that, in the transaction that ended them. The event
 * says what was found; the evidence and the whole record are at its `status_url`.
 */
export async function publishFinished(
  app: Pick<App, 'jobs'>,
  tx: Tx,
  jobs: ReadonlyArray<{ id: string; accountId: string }>,
  at: Date,
): Promise<void> {
  if (jobs.length === 0) return
  const accountIds = jobs.map(({ accountId }) => accountId)
  const subscribers = new Set(await findSubscribers(tx, { accountIds, signalType: RESOLUTION_COMPLETED }))
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
        data: presentFinished(job),
      }) as const,
  )
  await publishEvents(app, tx, events, at)
}

async function listFinished(tx: Tx, ids: readonly string[]): Promise<FinishedRow[]> {
  return tx.query<FinishedRow>(
    `select job.id, job.account_id, job.kind, job.subject, job.input, job.status, job.charged, job.charge_reason,
       job.error_message, job.finished_at, coalesce(search.status, resolution.outcome) as outcome, resolution.confidence,
       coalesce(search.domain, resolution.domain, case job.kind when 'domain' then job.subject end) as domain,
       company.number as company_number, company.name as company_name, company.status as company_status
     from resolution_job as job
     left join website_search as search on search.id = job.website_search_id
     left join resolution on resolution.id = job.resolution_id
     left join company
       on company.number = case job.kind when 'company' then job.subject else resolution.company_number end
     where job.id = any ($1) order by job.id`,
    [ids],
  )
}

function presentFinished(job: FinishedRow) {
  return {
    job_id: job.id,
    status: job.status,
    input: job.input,
    domain: job.domain,
    /** Of a domain its `match_status`, of a search for a company's site its `website.status`. */
    outcome: job.outcome,
    confidence: job.confidence,
    company_number: job.company_number,
    company_name: job.company_name,
    company_status: job.company_status,
    charged: job.charged,
    charge_reason: job.charge_reason,
    error_message: job.error_message,
    finished_at: job.finished_at.toISOString(),
    status_url: `/v1/enrich/status/${job.id}`,
  }
}
