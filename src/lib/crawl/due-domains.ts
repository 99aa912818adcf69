/** The domains of one crawl store: queued when they are due, and ended by their readings. */
import { randomUUID } from 'node:crypto'
import { addSeconds } from '../clock.ts'
import type { Database, Db } from '../db/db.ts'
import type { JobEngine } from '../jobs/jobs.ts'

/** The outcome of a domain whose reading failed every time. */
export const GIVEN_UP = 'given_up'

/** The time of the next reading, by the row's own figure. */
export const NEXT_DUE = (readAt: string, everyDays = 'every_days') =>
  `${readAt}::timestamptz + ${everyDays} * interval '1 day'`

const FEED_LOCK = 7_302_651_189
const FEED_MAX = 1_000

interface Feeding {
  db: Database
  engine: JobEngine
  jobName: string
  newReadingId: () => string
  at: Date
}

/**
 * Queues domains that are due, the longest due first, as many as each list may have in the queue. One process at a time; the
 * others find nothing to do. Returns how many it queued.
 */
export async function queueDue({ db, engine, jobName, newReadingId, at }: Feeding): Promise<number> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [FEED_LOCK])
    if (!lock?.isMine) return 0
    const due = await tx.query<{ domain: string }>(
      `select due.domain from crawl_sweep sweep cross join lateral (
         select domain, due_at from crawl_domain
         where sweep = sweep.name and due_at <= $1 and state <> 'queued' and not is_moving
         order by due_at, domain
         limit greatest(0, least($2, sweep.ahead - (
           select count(*) from crawl_domain queued where queued.sweep = sweep.name and queued.state = 'queued')))
       ) due
       where not sweep.is_paused order by due.due_at, due.domain limit $2`,
      [at, FEED_MAX],
    )
    if (due.length === 0) return 0
    // In the order in which lists are added; what is being changed is queued the next time.
    const free = await tx.query<{ domain: string }>(
      'select domain from crawl_domain where domain = any ($1) order by domain for update skip locked',
      [due.map(({ domain }) => domain)],
    )
    const taken = await tx.query<{ id: string; domain: string; readingId: string }>(
      `update crawl_domain as one set state = 'queued', queued_at = $4, job_id = new.job_id, reading_id = new.reading_id
       from unnest($1::text[], $2::uuid[], $3::text[]) new (domain, job_id, reading_id)
       where one.domain = new.domain and one.state <> 'queued' and not one.is_moving
       returning one.job_id as id, one.domain, one.reading_id as "readingId"`,
      [free.map(({ domain }) => domain), free.map(() => randomUUID()), free.map(newReadingId), at],
    )
    const inserts = taken.map(({ id, ...payload }) => ({ id, payload }))
    await engine.enqueueAll(tx, { name: jobName }, inserts)
    return taken.length
  })
}

const GONE_AFTER_SECONDS = 60
const GONE_MAX = 500
/** Jobs of one domain that may end without a word; each has had all its attempts. */
const DEATHS_MAX = 3

/** Domains whose job is no more, because every attempt lost its worker, wait again or are given up. Returns how many. */
export async function returnGone({ db, engine, jobName, at }: Omit<Feeding, 'newReadingId'>): Promise<number> {
  const queued = await db.query<{ id: string }>(
    `select job_id as id from crawl_domain where state = 'queued' and queued_at <= $1 order by queued_at limit $2`,
    [addSeconds(at, -GONE_AFTER_SECONDS), GONE_MAX],
  )
  if (queued.length === 0) return 0
  const ids = queued.map(({ id }) => id)
  const live = await engine.listLive(jobName, ids)
  const gone = ids.filter((id) => !live.has(id))
  if (gone.length === 0) return 0
  const rows = await db.query(
    `update crawl_domain set job_id = null, deaths = deaths + 1,
       state = case when deaths + 1 >= $3 then 'read' else 'waiting' end,
       due_at = case when deaths + 1 >= $3 then ${NEXT_DUE('$2')} else $2::timestamptz end,
       outcome = case when deaths + 1 >= $3 then '${GIVEN_UP}' else outcome end,
       read_at = case when deaths + 1 >= $3 then $2::timestamptz else read_at end,
       fresh_until = null
     where job_id = any ($1::uuid[]) and state = 'queued' returning domain`,
    [gone, at, DEATHS_MAX],
  )
  return rows.length
}

/** A domain that is being read. */
export interface QueuedDomain {
  domain: string
  readingId: string
  /** When it was read before; null the first time. */
  readAt: Date | null
  isPaused: boolean
}

/** Returns whether the store has such a list. */
export async function setPaused(db: Db, ask: { name: string; isPaused: boolean; at: Date }): Promise<boolean> {
  const rows = await db.query(
    `update crawl_sweep set is_paused = $2, resumed_at = case when is_paused and not $2 then $3 else resumed_at end
     where name = $1 returning name`,
    [ask.name, ask.isPaused, ask.at],
  )
  return rows.length > 0
}
