import { isHeldSql } from '../../credits/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { scrubAddress, type TypedInput, toTypedCompany } from '../../resolver/index.ts'
import type { ChargeReason } from '../money/charges.ts'
import type { Subject } from '../money/payments.ts'

/** The endpoint that began the job decides the form of its answer. */
export type JobShape = 'enrich' | 'resolution' | 'partner'

/** The way by which a request came: a person in the console, a program by its key or its connection, or a row of a bulk job. */
export const ORIGINS = ['console', 'api', 'program', 'bulk'] as const
export type AnswerOrigin = (typeof ORIGINS)[number]

export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
type JobStatus = (typeof JOB_STATUSES)[number]

/** One account's request, and its progress. */
export interface ResolutionJob extends Subject {
  id: string
  accountId: string
  input: TypedInput
  shape: JobShape
  origin: AnswerOrigin
  status: JobStatus
  holdId: string | null
  resolutionId: string | null
  websiteSearchId: string | null
  charged: boolean
  chargeReason: ChargeReason
  errorMessage: string | null
  createdAt: Date
}

type JobRow = Omit<ResolutionJob, 'input'> & { input: string }

const COLUMNS = `id, account_id as "accountId", kind, subject, input, shape, origin, status, hold_id as "holdId",
  resolution_id as "resolutionId", website_search_id as "websiteSearchId", charged, charge_reason as "chargeReason",
  error_message as "errorMessage", created_at as "createdAt"`

/** How far the work on a domain is. */
export interface Progress {
  step: 'queued' | 'reading' | 'deciding'
  /** The pages fetched so far, in order. */
  pages: Array<{ url: string; status: number }>
  startedAt: Date | null
}

/** As stored with the work, from the moment a worker leases it. */
export interface StoredProgress {
  step: 'reading' | 'deciding'
  pages: Progress['pages']
  startedAt: string
}

/** `stored` is undefined where there is no work, and null where no worker has leased it. */
function toProgress(stored: StoredProgress | null | undefined): Progress | null {
  if (stored === undefined) return null
  if (stored === null) return { step: 'queued', pages: [], startedAt: null }
  return { ...stored, startedAt: new Date(stored.startedAt) }
}

/** From its end on, so that an answer that came late can be read as long as any other. */
export const JOB_DAYS_KEPT = 30

const keptUntil = (at: Date): Date => addSeconds(at, JOB_DAYS_KEPT * 86_400)

export async function insertJob(
  tx: Tx,
  job: Pick<ResolutionJob, 'kind' | 'subject' | 'id' | 'accountId' | 'input' | 'holdId'> & {
    shape?: JobShape
    origin?: AnswerOrigin
    at: Date
  },
): Promise<void> {
  const { id, accountId, kind, subject, input, holdId, at, shape = 'enrich', origin = 'api' } = job
  await tx.query(
    `insert into resolution_job
       (id, account_id, kind, subject, input, status, hold_id, created_at, expires_at, shape, origin)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10)`,
    [id, accountId, kind, subject, input, holdId, at, keptUntil(at), shape, origin],
  )
}

/** Inserts the jobs for many domains of one account: rows of a bulk job. */
export async function insertJobs(
  tx: Tx,
  ask: { accountId: string; at: Date },
  jobs: ReadonlyArray<{ id: string; domain: string; input: TypedInput; holdId: string }>,
): Promise<void> {
  await tx.query(
    `insert into resolution_job
       (id, account_id, kind, subject, input, status, hold_id, created_at, expires_at, origin)
     select id, $1, 'domain', domain, input, 'pending', hold_id, $2, $3, 'bulk'
     from unnest($4::text[], $5::text[], $6::text[], $7::text[]) job (id, domain, input, hold_id)`,
    [
      ask.accountId,
      ask.at,
      keptUntil(ask.at),
      jobs.map(({ id }) => id),
      jobs.map(({ domain }) => domain),
      jobs.map(({ input }) => input),
      jobs.map(({ holdId }) => holdId),
    ],
  )
}

/** Null when there is no such job or, where an account is given, it is another's. */
export async function findJob(
  db: Db,
  ask: { id: string; accountId?: string; at: Date },
): Promise<{ job: ResolutionJob; progress: Progress | null } | null> {
  // Two texts, so that each has a plan of its own.
  const ofAccount = ask.accountId === undefined ? '$3::text is null' : 'account_id = $3'
  const [row] = await db.query<JobRow & { work: Array<StoredProgress | null> }>(
    `select ${COLUMNS}, array(
         select progress from resolution_work
         where kind = resolution_job.kind and subject = resolution_job.subject and resolution_job.finished_at is null
       ) as work
     from resolution_job
     where id = $1 and expires_at > $2 and ${ofAccount}`,
    [ask.id, ask.at, ask.accountId ?? null],
  )
  if (!row) return null
  const { work, ...job } = row
  return { job: toJob(job), progress: toProgress(work[0]) }
}

/** SQL for whether a job exists and has not ended. */
export function isOpenSql(jobId: string): string {
  return `exists (select from resolution_job where resolution_job.id = ${jobId} and resolution_job.finished_at is null)`
}

/** Returns whether all accounts that wait for a domain refuse the second reader. Work that no account waits for does not. */
export async function isReaderRefused(db: Db, domain: string): Promise<boolean> {
  const [row] = await db.query<{ isRefused: boolean | null }>(
    `select not bool_or(account.second_reader) as "isRefused"
     from resolution_job job join account on account.id = job.account_id
     where job.kind = 'domain' and job.subject = $1 and job.finished_at is null`,
    [domain],
  )
  return row?.isRefused === true
}

/** Returns those of the jobs that have ended. */
export async function listEnded(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from resolution_job where id = any ($1) and finished_at is not null',
    [ids],
  )
  return rows.map(({ id }) => id)
}

export async function markStatus(db: Db, work: Subject, status: 'pending' | 'processing'): Promise<void> {
  await db.query(
    'update resolution_job set status = $3 where kind = $1 and subject = $2 and finished_at is null and status <> $3',
    [work.kind, work.subject, status],
  )
}

/**
 * Locks the jobs that wait for this work. They are ordered by account, so that two transactions that settle at once take
 * the balances in the same order. The job of an account that has the hold comes first: its payment covers the others.
 */
export async function lockWaiting(tx: Tx, work: Subject): Promise<ResolutionJob[]> {
  const rows = await tx.query<JobRow>(
    `select ${COLUMNS} from resolution_job where kind = $1 and subject = $2 and finished_at is null
     order by account_id, ${isHeldSql('resolution_job.account_id', 'hold_id')} desc, created_at, id
     for update`,
    [work.kind, work.subject],
  )
  return rows.map(toJob)
}

type JobEnd = Pick<
  ResolutionJob,
  | 'id'
  | 'accountId'
  | 'status'
  | 'holdId'
  | 'resolutionId'
  | 'websiteSearchId'
  | 'charged'
  | 'chargeReason'
  | 'errorMessage'
>

export async function endJob(tx: Tx, end: JobEnd & { at: Date }): Promise<void> {
  const { id, accountId, status, holdId, resolutionId, websiteSearchId, charged, chargeReason, errorMessage, at } = end
  await tx.query(
    `update resolution_job set status = $2, resolution_id = $3, website_search_id = $4, charged = $5, charge_reason = $6,
       error_message = $7, finished_at = $8, hold_id = $9, expires_at = $10
     where account_id = $11 and id = $1`,
    [
      id,
      status,
      resolutionId,
      websiteSearchId,
      charged,
      chargeReason,
      errorMessage,
      at,
      holdId,
      keptUntil(at),
      accountId,
    ],
  )
}

/**
 * Enters an answer in the history of each account that gets it, in the transaction that gives it. An account that has it
 * already keeps the first entry.
 */
export async function enterAnswer(
  tx: Tx,
  given: { resolutionId: string; askers: ReadonlyArray<{ accountId: string; origin: AnswerOrigin }>; at: Date },
): Promise<void> {
  const { resolutionId, askers, at } = given
  if (askers.length === 0) return
  await tx.query(
    `insert into account_answer
       (account_id, resolution_id, domain, outcome, company_number, company_name, confidence, origin, at)
     select asker.account_id, r.id, r.domain, r.outcome, r.company_number, company.name, r.confidence, asker.origin, $2
     from unnest($3::text[], $4::text[]) asker (account_id, origin)
     join account on account.id = asker.account_id and account.erased_at is null
     join resolution r on r.id = $1 left join company on company.number = r.company_number
     on conflict (account_id, resolution_id) do nothing`,
    [resolutionId, at, askers.map(({ accountId }) => accountId), askers.map(({ origin }) => origin)],
  )
}

function toJob({ input, ...row }: JobRow): ResolutionJob {
  return { ...row, input: row.kind === 'domain' ? scrubAddress(input) : toTypedCompany(input) }
}
