/**
 * Keeps pages as long as the plans of the accounts say that got the answer: those that waited for it, and those that paid for a
 * known one. Both have a row for 30 days, so a daily look at
 * the newest two days misses none.
 */
import type { PlanName } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { keepLonger, keptUntil } from '../../page-archive/index.ts'
import type { Outcome } from '../../resolver/index.ts'
import { PAID_DAYS } from '../money/payments.ts'
import { JOB_DAYS_KEPT } from '../request/job-store.ts'

const DAY_SECONDS = 86_400
const LOOK_DAYS = 2
const BATCH = 1_000
const BATCHES_MAX = 5_000

interface Received {
  /** The position in the list: a time, and what is unique at that time. */
  at: Date
  key: string
  plan: PlanName
  resolutionId: string
  outcome: Outcome
  resolvedAt: Date
}

export async function keepPagesLonger(app: App, _: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const now = app.clock.now()
  for (const { statement, days } of [
    { statement: WAITED_FOR, days: JOB_DAYS_KEPT },
    { statement: PAID_FOR, days: PAID_DAYS },
  ]) {
    const until = addSeconds(now, days * DAY_SECONDS)
    const position = { at: addSeconds(until, -LOOK_DAYS * DAY_SECONDS), key: '' }
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      signal.throwIfAborted()
      const received = await listReceived(app.db, statement, { ...position, until })
      const longer = received.map((one) => ({ resolutionId: one.resolutionId, keptUntil: keptUntil(one, one.plan) }))
      if (longer.length > 0) await app.db.transaction((tx) => keepLonger(tx, longest(longer)))
      const last = received.at(-1)
      if (received.length < BATCH || !last) break
      Object.assign(position, { at: last.at, key: last.key })
    }
  }
}

async function listReceived(
  db: Db,
  statement: string,
  { at, key, until }: { at: Date; key: string; until: Date },
): Promise<Received[]> {
  return db.query<Received>(statement, [at, key, until, BATCH])
}

/** One statement changes a row once, so the longest of each answer must be in it. */
function longest<One extends { resolutionId: string; keptUntil: Date }>(all: readonly One[]): One[] {
  const ascending = all.toSorted((a, b) => a.keptUntil.getTime() - b.keptUntil.getTime())
  return [...new Map(ascending.map((one) => [one.resolutionId, one])).values()]
}

const WAITED_FOR = `select job.expires_at as at, job.id as key, account.plan, resolution.id as "resolutionId",
    resolution.outcome, resolution.resolved_at as "resolvedAt"
  from resolution_job job join account on account.id = job.account_id join resolution on resolution.id = job.resolution_id
  where job.expires_at >= $1 and job.expires_at <= $3 and (job.expires_at, job.id) > ($1, $2) and account.plan <> 'free'
  order by job.expires_at, job.id limit $4`

const PAID_FOR = `select paid_until as at, paid.account_id || ' ' || paid.subject as key, account.plan,
    known.resolution_id as "resolutionId", known.outcome, known.resolved_at as "resolvedAt"
  from paid_subject paid join account on account.id = paid.account_id join known_domain known on known.domain = paid.subject
  where paid_until >= $1 and paid_until <= $3 and (paid_until, paid.account_id || ' ' || paid.subject) > ($1, $2)
    and paid.kind = 'domain' and account.plan <> 'free'
  order by paid_until, paid.account_id || ' ' || paid.subject limit $4`
