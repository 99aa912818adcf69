/**
 * Keeps pages as long as the plans of the accounts say that got the answer: each answer when an account gets it first, also a
 * known one that costs nothing, and one again when it is paid for again, as the plan may be another one then.
 */
import type { PlanName } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { keepLonger, keptUntil } from '../../page-archive/index.ts'
import type { Outcome } from '../../resolver/index.ts'
import { PAID_DAYS } from '../money/payments.ts'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600
/** The job runs daily. Workers may be away for a week, and pages stay for 90 days at least. */
const LOOK_HOURS = 8 * 24
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
    { statement: GIVEN, days: 0 },
    { statement: PAID_FOR, days: PAID_DAYS },
  ]) {
    // One hour at a time: the history has only a coarse index by time, so each batch reads all of its span.
    for (let hours = LOOK_HOURS; hours > 0; hours -= 1) {
      const from = addSeconds(now, days * DAY_SECONDS - hours * HOUR_SECONDS)
      await keepSpan(app, statement, { from, until: addSeconds(from, HOUR_SECONDS), signal })
    }
  }
}

async function keepSpan(
  { db }: App,
  statement: string,
  { from, until, signal }: { from: Date; until: Date; signal: AbortSignal },
): Promise<void> {
  const position = { at: from, key: '' }
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    signal.throwIfAborted()
    const received = await listReceived(db, statement, { ...position, until })
    const longer = received.map((one) => ({ resolutionId: one.resolutionId, keptUntil: keptUntil(one, one.plan) }))
    if (longer.length > 0) await db.transaction((tx) => keepLonger(tx, longest(longer)))
    const last = received.at(-1)
    if (received.length < BATCH || !last) return
    Object.assign(position, { at: last.at, key: last.key })
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

const GIVEN = `select given.at, given.account_id || ' ' || given.resolution_id as key, account.plan,
    resolution.id as "resolutionId", resolution.outcome, resolution.resolved_at as "resolvedAt"
  from account_answer given join account on account.id = given.account_id
    join resolution on resolution.id = given.resolution_id
  where given.at >= $1 and given.at <= $3 and (given.at, given.account_id || ' ' || given.resolution_id) > ($1, $2)
    and account.plan <> 'free'
  order by given.at, given.account_id || ' ' || given.resolution_id limit $4`

const PAID_FOR = `select paid_until as at, paid.account_id || ' ' || paid.subject as key, account.plan,
    known.resolution_id as "resolutionId", known.outcome, known.resolved_at as "resolvedAt"
  from paid_subject paid join account on account.id = paid.account_id join known_domain known on known.domain = paid.subject
  where paid_until >= $1 and paid_until <= $3 and (paid_until, paid.account_id || ' ' || paid.subject) > ($1, $2)
    and paid.kind = 'domain' and account.plan <> 'free'
  order by paid_until, paid.account_id || ' ' || paid.subject limit $4`
