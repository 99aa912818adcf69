/** Questions whose answer may need a site to be read first: ask, wait, and come back with the whole answer. */
import type { CompanyResolution, Enrichment, FlatAnswer, PendingJob, Resolution, WebsiteJob } from './bodies.ts'
import { JobFailedError, StillRunningError } from './errors.ts'
import { newIdempotencyKey, sleep, type Transport } from './transport.ts'

export interface WaitOptions {
  /** How long an answer may take in all; 60 unless said. With 0, what is not known yet is a `StillRunningError`. */
  waitSeconds?: number | undefined
  signal?: AbortSignal | undefined
}

export interface ResolveOptions extends WaitOptions {
  /** Take nothing older from what is known. */
  maxAgeDays?: number | undefined
  /** Told how far the job is, about once a second. */
  onProgress?: ((job: PendingJob) => void) | undefined
}

const WAIT_SECONDS = 60
/** The longest that the service keeps an answer back. */
const PREFER_SECONDS_MAX = 50
const POLL_MS = 1_000

/** Which endpoint is asked, and the answer it gives. */
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
  // The status of a job leads to the same body as the answer it stands for.
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

/** What the job ended with; throws when it failed or has not ended in time. */
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
    // The first look is at once when nothing is known of the job.
    if (job.status !== undefined) await sleep(POLL_MS, signal)
    job = await transport.json<OpenJob | Ended>({ method: 'GET', path, signal })
  }
}
