/** Calls whose answer may need a crawl first: send, wait, and return the whole answer. */
import type { CompanyResolution, Enrichment, FlatAnswer, PendingJob, Resolution, WebsiteJob } from './bodies.ts'
import { JobFailedError, StillRunningError } from './errors.ts'
import { newIdempotencyKey, sleep, type Transport } from './transport.ts'

export interface WaitOptions {
  /** How long an answer may take; by default 60. With 0, an answer that is not known yet is a `StillRunningError`. */
  waitSeconds?: number | undefined
  signal?: AbortSignal | undefined
}

export interface ResolveOptions extends WaitOptions {
  /** Accept no stored answer that is older. */
  maxAgeDays?: number | undefined
  /** Called with the job about once a second. */
  onProgress?: ((job: PendingJob) => void) | undefined
}

const WAIT_SECONDS = 60
/** The service delays a response no longer than this. */
const PREFER_SECONDS_MAX = 50
const POLL_MS = 1_000

/** The result of each endpoint. */
interface DomainAnswers {
  '/v1/resolve/domain': Resolution
  '/v1/enrich': Enrichment
  '/v1/partner/enrich-company': FlatAnswer
}

export async function askForDomain<Path extends keyof DomainAnswers>(
  transport: Transport,
  path: Path,
  domain: string,
  { waitSeconds = WAIT_SECONDS, maxAgeDays, signal, onProgress }: ResolveOptions,
): Promise<DomainAnswers[Path]> {
  type Answer = DomainAnswers[Path]
  const deadline = Date.now() + waitSeconds * 1_000
  const first = await transport.json<Answer | PendingJob>({
    method: 'POST',
    path,
    body: { domain, ...(maxAgeDays === undefined ? {} : { max_age_days: maxAgeDays }) },
    // A caller who wants to see progress gets the job at once.
    waitSeconds: onProgress ? 0 : prefer(waitSeconds),
    idempotencyKey: newIdempotencyKey(),
    signal,
  })
  if (first.status === 'completed') return first
  // The status of a job has the same body as the answer, once the job has ended.
  return followJob<Answer>(transport, first, { deadline, signal, onProgress })
}

export async function findWebsite(
  transport: Transport,
  companyNumber: string,
  { waitSeconds = WAIT_SECONDS, refresh, signal }: WaitOptions & { refresh?: boolean | undefined },
): Promise<CompanyResolution> {
  const deadline = Date.now() + waitSeconds * 1_000
  const answer = await transport.json<CompanyResolution>({
    method: 'POST',
    path: '/v1/resolve/company',
    body: { company_number: companyNumber, ...(refresh === undefined ? {} : { refresh }) },
    waitSeconds: prefer(waitSeconds),
    idempotencyKey: newIdempotencyKey(),
    signal,
  })
  const { job_id: jobId, status } = answer.website
  if (jobId === null || (status !== 'searching' && status !== 'failed')) return answer
  const { website } = await followJob<WebsiteJob>(transport, { job_id: jobId }, { deadline, signal })
  return { ...answer, website }
}

const prefer = (waitSeconds: number) => Math.min(PREFER_SECONDS_MAX, Math.floor(waitSeconds))

interface Following {
  deadline: number
  signal?: AbortSignal | undefined
  onProgress?: ((job: PendingJob) => void) | undefined
}

type OpenJob = Pick<PendingJob, 'job_id'> & Partial<PendingJob>

/** Returns the answer of a job. Throws when the job fails or does not end in time. */
async function followJob<Ended extends FlatAnswer | Resolution | WebsiteJob>(
  transport: Transport,
  started: OpenJob,
  { deadline, signal, onProgress }: Following,
): Promise<Ended> {
  const path = `/v1/enrich/status/${encodeURIComponent(started.job_id)}`
  for (let job: OpenJob | Ended = started; ; ) {
    if (job.status === 'completed') return job
    if (job.status === 'failed') throw new JobFailedError(job)
    if (job.status !== undefined) onProgress?.(job as PendingJob)
    if (Date.now() >= deadline) throw new StillRunningError(started.job_id)
    // Without a known status, the first request is sent at once.
    if (job.status !== undefined) await sleep(POLL_MS, signal)
    job = await transport.json<OpenJob | Ended>({ method: 'GET', path, signal })
  }
}
