import type { Db } from '../db/db.ts'

/** One list in one store. */
export interface SweepCounts {
  list: string
  isPaused: boolean
  resumedAt: Date
  waiting: number
  queued: number
  /** The time at which the last waiting domain is due. */
  lastDueAt: Date | null
  /** Counts of the domains that were read, by outcome. */
  outcomes: Record<string, number> | null
  /** Since `since`, or since the list was last resumed. */
  readLately: number
}

/**
 * Counts the lists of a store. A domain that was read and is due again is waiting. It goes through all rows once: about a second for
 * some millions.
 */
export async function countSweeps(db: Db, { at, since }: { at: Date; since: Date }): Promise<SweepCounts[]> {
  return db.query<SweepCounts>(
    `with counted as (
       select sweep, case when state = 'read' and due_at <= $2 then 'waiting' else state end as state, outcome,
         count(*)::int as domains, max(due_at) as last_due_at
       from crawl_domain group by 1, 2, 3
     )
     select one.name as list, one.is_paused as "isPaused", one.resumed_at as "resumedAt",
       coalesce(sum(domains) filter (where state = 'waiting'), 0)::int as waiting,
       coalesce(sum(domains) filter (where state = 'queued'), 0)::int as queued,
       max(last_due_at) filter (where state = 'waiting') as "lastDueAt",
       jsonb_object_agg(outcome, domains) filter (where state = 'read') as outcomes,
       (select count(*)::int from crawl_domain lately
        where lately.read_at > greatest($1, one.resumed_at) and lately.sweep = one.name) as "readLately"
     from crawl_sweep one left join counted on counted.sweep = one.name
     group by one.name order by one.name`,
    [since, at],
  )
}

/** Counts the domains that one call of a list added at `addedAt`, by outcome; null for those that are not read yet. */
export async function countAdded(
  db: Db,
  { list, addedAt }: { list: string; addedAt: Date },
): Promise<Array<{ outcome: string | null; domains: number }>> {
  return db.query<{ outcome: string | null; domains: number }>(
    `select case when state = 'read' and not is_moving then outcome end as outcome, count(*)::int as domains
     from crawl_domain where sweep = $1 and added_at = $2 group by 1`,
    [list, addedAt],
  )
}

export async function hasDomains(db: Db): Promise<boolean> {
  return (await db.query('select from crawl_domain limit 1')).length > 0
}
