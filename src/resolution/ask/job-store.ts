import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { scrubAddress, type TypedInput, toTypedCompany } from '../../resolver/index.ts'
import type { ChargeReason } from '../money/charge.ts'
import type { Subject } from '../money/payments.ts'
import { type Progress, type StoredProgress, toProgress } from '../worker/progress.ts'

/** The endpoint that began the job decides the form of its answer. */
export type JobShape = 'enrich' | 'resolution' | 'partner'

export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** One account's request, and its progress. */
export interface ResolutionJob extends Subject {
  id: string
  accountId: string
  input: TypedInput
  shape: JobShape
  status: JobStatus
  holdId: string | null
  resolutionId: string | null
  websiteSearchId: string | null
  charged: boolean
  chargeReason: ChargeReason
  errorMessage: string | null
  createdAt: Date
}

interface JobRow {
  id: string
  account_id: string
  kind: Subject['kind']
  subject: string
  input: string
  shape: JobShape
  status: ResolutionJob['status']
  hold_id: string | null
  resolution_id: string | null
  website_search_id: string | null
  charged: boolean
  charge_reason: ChargeReason
  error_message: string | null
  created_at: Date
}

const COLUMNS = `id, account_id, kind, subject, input, shape, status, hold_id, resolution_id, website_search_id, charged,
  charge_reason, error_message, created_at`

/** From its end on, so that an answer that came late can be read as long as any other. */
const KEPT_DAYS = 30

export async function insertJob(
  tx: Tx,
  job: Subject & {
    id: string
    accountId: string
    input: TypedInput
    shape?: JobShape
    holdId: string | null
    at: Date
  },
): Promise<void> {
  await tx.query(
    `insert into resolution_job (id, account_id, kind, subject, input, status, hold_id, created_at, expires_at, shape)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9)`,
    [
      job.id,
      job.accountId,
      job.kind,
      job.subject,
      job.input,
      job.holdId,
      job.at,
      addSeconds(job.at, KEPT_DAYS * 86_400),
      job.shape ?? 'enrich',
    ],
  )
}

/** Inserts the jobs for many domains of one account. */
export async function insertJobs(
  tx: Tx,
  ask: { accountId: string; at: Date },
  jobs: ReadonlyArray<{ id: string; domain: string; input: TypedInput; holdId: string }>,
): Promise<void> {
  await tx.query(
    `insert into resolution_job (id, account_id, kind, subject, input, status, hold_id, created_at, expires_at)
     select id, $1, 'domain', domain, input, 'pending', hold_id, $2, $3
     from unnest($4::text[], $5::text[], $6::text[], $7::text[]) job (id, domain, input, hold_id)`,
    [
      ask.accountId,
      ask.at,
      addSeconds(ask.at, KEPT_DAYS * 86_400),
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
  const [row] = await db.query<JobRow & { work: Array<StoredProgress | null> }>(
    `select ${COLUMNS}, array(
         select progress from resolution_work
         where kind = resolution_job.kind and subject = resolution_job.subject and resolution_job.finished_at is null
       ) as work
     from resolution_job
     where id = $1 and expires_at > $2 and ($3::text is null or account_id = $3)`,
    [ask.id, ask.at, ask.accountId ?? null],
  )
  return row ? { job: toJob(row), progress: toProgress(row.work[0]) } : null
}

/** Returns the hold that the account's open jobs for a subject share. Call it while the work's row is locked. */
export async function findSharedHold(tx: Tx, ask: Subject & { accountId: string }): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select hold.id from resolution_job as job join credit_hold as hold on hold.id = job.hold_id
     where job.kind = $2 and job.subject = $3 and job.finished_at is null and job.account_id = $1
       and hold.state = 'held' limit 1`,
    [ask.accountId, ask.kind, ask.subject],
  )
  return row?.id ?? null
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
     order by account_id,
       exists (select from credit_hold where credit_hold.id = hold_id and state = 'held') desc, created_at, id
     for update`,
    [work.kind, work.subject],
  )
  return rows.map(toJob)
}

export async function endJob(
  tx: Tx,
  end: {
    id: string
    status: 'completed' | 'failed'
    holdId: string | null
    resolutionId: string | null
    websiteSearchId: string | null
    charged: boolean
    chargeReason: ChargeReason
    errorMessage: string | null
    at: Date
  },
): Promise<void> {
  await tx.query(
    `update resolution_job set status = $2, resolution_id = $3, website_search_id = $4, charged = $5, charge_reason = $6,
       error_message = $7, finished_at = $8, hold_id = $9, expires_at = $10
     where id = $1`,
    [
      end.id,
      end.status,
      end.resolutionId,
      end.websiteSearchId,
      end.charged,
      end.chargeReason,
      end.errorMessage,
      end.at,
      end.holdId,
      addSeconds(end.at, KEPT_DAYS * 86_400),
    ],
  )
}

function toJob(row: JobRow): ResolutionJob {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    subject: row.subject,
    // During an update a process of the release before may have stored more of the input.
    input: row.kind === 'domain' ? scrubAddress(row.input) : toTypedCompany(row.input),
    shape: row.shape,
    status: row.status,
    holdId: row.hold_id,
    resolutionId: row.resolution_id,
    websiteSearchId: row.website_search_id,
    charged: row.charged,
    chargeReason: row.charge_reason,
    errorMessage: row.error_message,
    createdAt: row.created_at,
  }
}
