/**
 * Statements that the readings of one store share when they begin or end at the same time. Most domains of a list have no
 * site: what they cost is what they cost the databases.
 */
import { Batcher } from '../db/batcher.ts'
import type { Database, Db, Tx } from '../db/db.ts'
import { finishAll, JobLost, type JobRun } from '../jobs/jobs.ts'
import { NEXT_DUE, type QueuedDomain } from './due-domains.ts'
import { type CrawlReading, toStored } from './readings.ts'

type DomainKey = Pick<QueuedDomain, 'domain' | 'readingId'>

export interface BegunDomain extends QueuedDomain {
  /** A run that died left the reading in the store. */
  isKept: boolean
}

export interface EndedDomain {
  due: QueuedDomain
  run: JobRun
  /** When a domain that was put off is due; null for one that was read, which knows how often it is read. */
  dueAt: Date | null
  /** Null where the domain was put off and waits again. */
  read: { outcome: string; readAt: Date; freshUntil: Date | null } | null
  /** Kept in the store unless a newer one of the domain is there. */
  reading: CrawlReading<object> | null
  /** The store keeps no reading of the domain: the main database answers for it. */
  isInMain: boolean
}

/** Enough for all readings of a process. */
const ITEMS_MAX = 32

export class SharedStatements {
  readonly #db: Database
  readonly #begins = new Batcher<DomainKey, BegunDomain | null>({ slots: 2, itemsMax: ITEMS_MAX })
  /** The second is for what comes while one transaction waits. */
  readonly #ends = new Batcher<EndedDomain, Error | null>({ slots: 2, itemsMax: ITEMS_MAX })

  constructor(db: Database) {
    this.#db = db
  }

  /** Null when the job is an old one: the domain has been read or queued again since. */
  begin(key: DomainKey): Promise<BegunDomain | null> {
    return this.#begins.add(key, (keys) => findAllQueued(this.#db, keys))
  }

  /** Ends a domain and the run of its job in one transaction. Throws `JobLost` when the job was given to another worker. */
  async end(ended: EndedDomain): Promise<void> {
    const problem = await this.#ends.add(ended, (all) => endTogether(this.#db, all))
    if (problem) throw problem
  }
}

async function findAllQueued(db: Db, keys: readonly DomainKey[]): Promise<Array<BegunDomain | null>> {
  const rows = await db.query<BegunDomain>(
    `select one.domain, one.reading_id as "readingId", one.read_at as "readAt",
       coalesce(sweep.is_paused, false) as "isPaused",
       exists (select from crawl_reading kept where kept.domain = one.domain and kept.reading_id = one.reading_id) as "isKept"
     from unnest($1::text[], $2::text[]) asked (domain, reading_id)
     join crawl_domain one on one.domain = asked.domain and one.reading_id = asked.reading_id and one.state = 'queued'
     left join crawl_sweep sweep on sweep.name = one.sweep`,
    [keys.map(({ domain }) => domain), keys.map(({ readingId }) => readingId)],
  )
  const byReading = new Map(rows.map((row) => [row.readingId, row]))
  return keys.map(({ readingId }) => byReading.get(readingId) ?? null)
}

/** One that cannot be ended does not keep the others: then each has a transaction of its own. */
async function endTogether(db: Database, all: readonly EndedDomain[]): Promise<Array<Error | null>> {
  try {
    const held = await db.transaction((tx) => endAll(tx, all))
    return all.map(({ run }) => (held.has(run) ? null : new JobLost(run.id)))
  } catch (error) {
    if (all.length === 1) return [toError(error)]
    return Promise.all(all.map(async (one) => (await endTogether(db, [one]))[0] ?? null))
  }
}

/** Returns the runs that still had their job; the other domains stay as they are. */
async function endAll(tx: Tx, all: readonly EndedDomain[]): Promise<ReadonlySet<JobRun>> {
  const held = await finishAll(
    tx,
    all.map(({ run }) => run),
  )
  const own = all.filter(({ run }) => held.has(run))
  if (own.length === 0) return held
  await putEnds(tx, own)
  const readings = own.flatMap(({ reading }) => reading ?? [])
  if (readings.length > 0) await putReadings(tx, readings)
  const elsewhere = own.flatMap(({ due, read, isInMain }) => (isInMain && read ? { ...due, until: read.readAt } : []))
  if (elsewhere.length > 0) {
    await tx.query(
      `delete from crawl_reading kept using unnest($1::text[], $2::timestamptz[]) gone (domain, until)
       where kept.domain = gone.domain and kept.resolved_at <= gone.until`,
      [elsewhere.map(({ domain }) => domain), elsewhere.map(({ until }) => until)],
    )
  }
  return held
}

/** Locked in the order in which lists are added. */
async function putEnds(tx: Tx, all: readonly EndedDomain[]): Promise<void> {
  await tx.query(
    `with locked as (select domain from crawl_domain where domain = any ($1) order by domain for update)
     update crawl_domain as one set job_id = null,
       due_at = case when new.outcome is null then new.due_at else ${NEXT_DUE('new.read_at', 'one.every_days')} end,
       state = case when new.outcome is null then 'waiting' else 'read' end,
       outcome = coalesce(new.outcome, one.outcome),
       read_at = coalesce(new.read_at, one.read_at),
       fresh_until = case when new.outcome is null then one.fresh_until else new.fresh_until end,
       deaths = case when new.outcome is null then one.deaths else 0 end
     from locked
     join unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       new (domain, reading_id, due_at, outcome, read_at, fresh_until) on new.domain = locked.domain
     where one.domain = new.domain and one.reading_id = new.reading_id and one.state = 'queued'`,
    [
      all.map(({ due }) => due.domain),
      all.map(({ due }) => due.readingId),
      all.map(({ dueAt }) => dueAt),
      all.map(({ read }) => read?.outcome ?? null),
      all.map(({ read }) => read?.readAt ?? null),
      all.map(({ read }) => read?.freshUntil ?? null),
    ],
  )
}

/** Keeps readings unless a newer one of the domain is there. */
export async function putReadings(db: Db, all: ReadonlyArray<CrawlReading<object>>): Promise<void> {
  await db.query(
    `insert into crawl_reading as kept (domain, reading_id, outcome, model_version, resolved_at, expires_at, answer)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::jsonb[])
       new (domain) order by new.domain collate "C"
     on conflict (domain) do update
       set reading_id = excluded.reading_id, outcome = excluded.outcome, model_version = excluded.model_version,
         resolved_at = excluded.resolved_at, expires_at = excluded.expires_at, answer = excluded.answer
       where kept.resolved_at < excluded.resolved_at`,
    [
      all.map(({ domain }) => domain),
      all.map(({ id }) => id),
      all.map(({ outcome }) => outcome),
      all.map(({ modelVersion }) => modelVersion),
      all.map(({ resolvedAt }) => resolvedAt),
      all.map(({ expiresAt }) => expiresAt),
      all.map(({ answer }) => toStored(answer)),
    ],
  )
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
