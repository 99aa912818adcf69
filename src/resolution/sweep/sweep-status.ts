/** How far the lists are, and when they will be read: an honest estimate or none. */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'

export interface SweepStatus {
  list: string
  state: 'running' | 'paused' | 'done'
  waiting: number
  reading: number
  read: number
  outcomes: Record<string, number>
  /** Measured over the last minutes; null where that was too short. */
  readPerMinute: number | null
  estimate: Estimate
}

/** When all will be read, as far as that can be known. */
export type Estimate = { kind: 'done' | 'paused' | 'unknown' } | { kind: 'at'; at: Date }

const WINDOW_SECONDS = 600
/** Less is chance. */
const MEASURED_SECONDS_MIN = 60
const MEASURED_MIN = 10

interface Progress {
  left: number
  /** Read within the window. */
  readLately: number
  windowSeconds: number
  isPaused: boolean
  /** The last of those left may not be read before this: pace and other work put some off. */
  lastDueAt: Date | null
  at: Date
}

/** Returns the readings a minute; null if they were too few to say. */
export function measureRate({
  readLately,
  windowSeconds,
}: Pick<Progress, 'readLately' | 'windowSeconds'>): number | null {
  if (windowSeconds < MEASURED_SECONDS_MIN || readLately < MEASURED_MIN) return null
  return (readLately / windowSeconds) * 60
}

/**
 * The measured rate contains the waits for hosts and addresses, and the workers there are. What was put off is not read before
 * it is due, however fast the rest goes.
 */
export function estimateEnd(progress: Progress): Estimate {
  const { left, isPaused, lastDueAt, at } = progress
  if (left === 0) return { kind: 'done' }
  if (isPaused) return { kind: 'paused' }
  const perMinute = measureRate(progress)
  if (perMinute === null) return { kind: 'unknown' }
  const byRate = addSeconds(at, (left / perMinute) * 60)
  return { kind: 'at', at: lastDueAt && lastDueAt > byRate ? lastDueAt : byRate }
}

interface SweepCounts {
  list: string
  isPaused: boolean
  resumedAt: Date
  waiting: number
  reading: number
  lastDueAt: Date | null
  /** Counts of the domains that were read, by outcome. */
  outcomes: Record<string, number> | null
  /** Since `since`, or since the list was last resumed. */
  readLately: number
}

/** Returns each list. It goes through all domains once: about a second for some millions. */
export async function listSweeps({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<SweepStatus[]> {
  const at = clock.now()
  const since = addSeconds(at, -WINDOW_SECONDS)
  return (await countSweeps(db, { at, since })).map((row) => toStatus(row, at, since))
}

/** A domain that was read and is due again is waiting. */
function countSweeps(db: Db, { at, since }: { at: Date; since: Date }): Promise<SweepCounts[]> {
  return db.query<SweepCounts>(
    `with counted as (
       select sweep, case when state = 'read' and due_at <= $2 then 'waiting' else state end as state, outcome,
         count(*)::int as domains, max(due_at) as last_due_at
       from sweep_domain group by 1, 2, 3
     )
     select one.name as list, one.is_paused as "isPaused", one.resumed_at as "resumedAt",
       coalesce(sum(domains) filter (where state = 'waiting'), 0)::int as waiting,
       coalesce(sum(domains) filter (where state = 'reading'), 0)::int as reading,
       max(last_due_at) filter (where state = 'waiting') as "lastDueAt",
       jsonb_object_agg(outcome, domains) filter (where state = 'read') as outcomes,
       (select count(*)::int from sweep_domain lately
        where lately.read_at > greatest($1, one.resumed_at) and lately.sweep = one.name) as "readLately"
     from sweep one left join counted on counted.sweep = one.name
     group by one.name order by one.name`,
    [since, at],
  )
}

function toStatus(row: SweepCounts, at: Date, since: Date): SweepStatus {
  const { list, isPaused, resumedAt, waiting, reading, lastDueAt, readLately } = row
  const outcomes = row.outcomes ?? {}
  const left = waiting + reading
  const windowSeconds = (at.getTime() - Math.max(since.getTime(), resumedAt.getTime())) / 1_000
  return {
    list,
    state: left === 0 ? 'done' : isPaused ? 'paused' : 'running',
    waiting,
    reading,
    read: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    outcomes,
    readPerMinute: measureRate({ readLately, windowSeconds }),
    estimate: estimateEnd({ readLately, windowSeconds, left, isPaused, lastDueAt, at }),
  }
}

/** Stops or resumes a list. Readings under way end. */
export async function pauseSweep(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { name, isPaused }: { name: string; isPaused: boolean },
): Promise<void> {
  const rows = await db.query(
    `update sweep set is_paused = $2, resumed_at = case when is_paused and not $2 then $3 else resumed_at end
     where name = $1 returning name`,
    [name, isPaused, clock.now()],
  )
  if (rows.length === 0) throw new DomainError('not_found', `There is no list ${name}. See: nameplated sweep status`)
}
