/**
 * Work that must happen later, on PostgreSQL by pg-boss. A job is enqueued inside the transaction that causes it, runs
 * at least once, is given to another worker when its own dies, and lands in the dead letters when its attempts are
 * spent. `docs/decisions/0001-job-engine.md` says why this engine; `job-worker.ts` is the loop that runs the jobs.
 */
import { type Db as BossDb, type JobInsert, PgBoss } from 'pg-boss'
import { Database, type Tx } from '../db/db.ts'
import type { Log } from '../log.ts'

interface JobDefinition<Payload extends object, World = unknown> {
  /** `feature.verb`, stable: it names the queue. */
  name: string
  /** How many run at once in one worker process. */
  concurrency: number
  /** Jobs of the same group, of whatever queue, take their slots together: see `JobSlots`. */
  slotGroup?: string
  /** How many a worker takes at once, where the rest shall go to others: those of a worker that died come back together. */
  claimMax?: number
  /** Attempts after the first; then the job is a dead letter. */
  retriesMax: number
  /** First pause between attempts; it doubles each time. */
  retryDelaySeconds: number
  /** Longest run; after it the attempt is given up and another begins. */
  timeoutSeconds: number
  /** A cron line of five fields (UTC) for work that starts by the clock. */
  schedule?: string
  run(world: World, payload: Payload, run: JobRun): Promise<void>
}

/** The run of a job, as its function sees it. */
export interface JobRun {
  id: string
  /** 1 for the first. */
  attempt: number
  /** Aborted when the attempt was given to another worker, took too long, or the process must stop. */
  signal: AbortSignal
  /**
   * Finishes the job inside the caller's transaction, so that its effects and its end are one. Throws `JobLost` when
   * the attempt was given to another worker: a late worker cannot finish, and its transaction rolls back.
   */
  finish(tx: Tx): Promise<void>
}

export class JobLost extends Error {
  constructor(id: string) {
    super(`job ${id} was given to another worker`)
    this.name = 'JobLost'
  }
}

const DEFAULTS = { concurrency: 1, retriesMax: 3, retryDelaySeconds: 60 }

/** Without other figures, a worker runs one at a time, and repeats a failed one three times, first after a minute. */
export function defineJob<Payload extends object, World>(
  job: Omit<JobDefinition<Payload, World>, keyof typeof DEFAULTS> & Partial<typeof DEFAULTS>,
): JobDefinition<Payload, World> {
  return { ...DEFAULTS, ...job }
}

// biome-ignore format: one line reads better
// oxlint-disable-next-line typescript/no-explicit-any -- payload types differ per job; each job checks its own
export type AnyJob<World> = JobDefinition<any, World>

/** One try at a job. A settle that names an attempt does nothing once the job has moved on to the next. */
export interface JobAttempt {
  id: string
  retryCount: number
}

export interface ClaimedJob extends JobAttempt {
  data: object
  expireInSeconds: number
}

interface EnqueueOptions {
  /** A UUID, where the caller keeps it. */
  id?: string
  /** Not before this moment. */
  startAfter?: Date
  /** Higher runs first; 0 unless said. */
  priority?: number
}

interface QueueReport {
  name: string
  ready: number
  deferred: number
  active: number
  dead: number
  /** How long the oldest that is ready has waited; 0 when none is. */
  oldest_seconds: number
}

interface DeadLetter {
  id: string
  job: string
  failed_at: Date
  attempts: number
  error: string
}

const DEAD_LETTERS = 'dead_letters'
const DEAD_LETTER_RETENTION_SECONDS = 90 * 86_400
const FINISHED_RETENTION_SECONDS = 6 * 3_600
/** A worker that stays silent this long has lost its jobs. Found within `SUPERVISE_SECONDS` more: 12 s at the worst. */
export const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 2
const SCHEMA = 'pgboss'

export class JobEngine {
  readonly #boss: PgBoss
  readonly #db: Database

  private constructor(db: Database, boss: PgBoss) {
    this.#db = db
    this.#boss = boss
  }

  /** `supervise` on every worker: it finds the jobs of dead workers and starts what is scheduled. */
  static async open(db: Database, options: { supervise: boolean; log: Log }): Promise<JobEngine> {
    const boss = createBoss(db, { migrate: false, supervise: options.supervise })
    boss.on('error', (error) => options.log.error({ event: 'jobs.error', error }))
    boss.on('warning', (warning) => options.log.warn({ event: 'jobs.warning', warning: warning.message }))
    try {
      await boss.start()
    } catch (error) {
      // What had been started already would keep alive a process that does nothing and never ends.
      await boss.stop({ graceful: false, close: false }).catch(() => undefined)
      throw error
    }
    return new JobEngine(db, boss)
  }

  /** Installs or upgrades the engine's own tables and queues. Part of migrating; safe to run again and concurrently. */
  static async install(db: Database, jobs: readonly AnyJob<never>[]): Promise<void> {
    const boss = createBoss(db, { migrate: true, supervise: false })
    await boss.start()
    try {
      await putQueue(boss, DEAD_LETTERS, { retentionSeconds: DEAD_LETTER_RETENTION_SECONDS, retryLimit: 0 })
      for (const job of jobs) await putQueue(boss, job.name, toQueueOptions(job))
      await putSchedules(boss, jobs)
    } finally {
      await boss.stop({ graceful: false, close: false })
    }
  }

  /** Puts a job in the queue when, and only when, `tx` commits. */
  async enqueue<Payload extends object, World>(
    tx: Tx,
    job: JobDefinition<Payload, World>,
    payload: Payload,
    options: EnqueueOptions = {},
  ): Promise<string> {
    const insert: JobInsert = { ...options, data: payload }
    const [id] = (await this.#boss.insert(job.name, [insert], { db: toBossDb(tx), returnId: true })) ?? []
    if (!id) throw new Error(`job ${job.name} was not enqueued`)
    return id
  }

  /** The same for many at once. The queue's name is enough, for a job that queues its own kind. */
  async enqueueAll(
    tx: Tx,
    job: { name: string },
    inserts: ReadonlyArray<EnqueueOptions & { payload: object }>,
  ): Promise<void> {
    if (inserts.length === 0) return
    const jobs = inserts.map(({ payload, ...options }): JobInsert => ({ ...options, data: payload }))
    await this.#boss.insert(job.name, jobs, { db: toBossDb(tx) })
  }

  async fetch(jobName: string, count: number): Promise<ClaimedJob[]> {
    return this.#boss.fetch<object>(jobName, { batchSize: count })
  }

  /** Returns those of the queues that have a job to run now. Another worker may take it first. */
  async listReady(jobNames: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.query<{ name: string }>(
      `select asked.name from unnest($1::text[]) asked (name) where exists (
         select from ${SCHEMA}.job where job.name = asked.name and state < 'active' and not blocked and start_after <= now())`,
      [jobNames],
    )
    return new Set(rows.map(({ name }) => name))
  }

  /** Each of these answers the ids it still held; the rest had been given to another worker. */
  async complete(jobName: string, attempts: readonly JobAttempt[], tx?: Tx): Promise<Set<string>> {
    return settledIds(await this.#boss.complete(jobName, [...attempts], null, tx ? { db: toBossDb(tx) } : {}))
  }

  /**
   * Ends an attempt that threw; the next one waits for the job's growing delay. The queue itself has no delay, so that
   * the job of a worker that died is not made to wait.
   */
  async fail(job: AnyJob<never>, attempt: JobAttempt, error: Error): Promise<void> {
    const startAfter = new Date(Date.now() + retryDelayMs(job.retryDelaySeconds, attempt.retryCount))
    await this.#db.transaction(async (tx) => {
      const db = toBossDb(tx)
      const failed = settledIds(await this.#boss.fail(job.name, [attempt], { message: error.message }, { db }))
      if (failed.has(attempt.id)) await this.#boss.update(job.name, undefined, { id: attempt.id, startAfter, db })
    })
  }

  async keepAlive(jobName: string, attempts: readonly JobAttempt[]): Promise<Set<string>> {
    return settledIds(await this.#boss.touch(jobName, [...attempts]))
  }

  /** Throws unless the queues can be read. */
  async check(): Promise<void> {
    await this.#db.query(`select version from ${SCHEMA}.version`)
  }

  async listQueues(): Promise<QueueReport[]> {
    return this.#db.query<QueueReport>(
      `with dead as (
         select source_name as name, count(*)::int as dead from ${SCHEMA}.job
         where name = $1 and state < 'active' group by source_name
       ), waiting as (
         select name,
           count(*) filter (where state < 'active' and start_after <= now())::int as ready,
           count(*) filter (where state < 'active' and start_after > now())::int as deferred,
           count(*) filter (where state = 'active')::int as active,
           extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now()))::int as oldest
         from ${SCHEMA}.job where state <= 'active' group by name
       )
       select queue.name, coalesce(ready, 0) as ready, coalesce(deferred, 0) as deferred,
         coalesce(active, 0) as active, coalesce(dead, 0) as dead, coalesce(oldest, 0) as oldest_seconds
       from ${SCHEMA}.queue left join waiting using (name) left join dead using (name)
       where queue.name <> $1 and queue.name not like '\\_\\_%'
       order by queue.name`,
      [DEAD_LETTERS],
    )
  }

  async listDeadLetters(limit: number): Promise<DeadLetter[]> {
    return this.#db.query<DeadLetter>(
      `select source_id as id, source_name as job, created_on as failed_at, source_retry_count + 1 as attempts,
         coalesce(source_output->>'message', source_output::text, '') as error
       from ${SCHEMA}.job where name = $1 and state < 'active'
       order by created_on desc limit $2`,
      [DEAD_LETTERS, limit],
    )
  }

  /** Gives dead letters another life, all or those of one job. Answers how many. */
  async redrive(jobName?: string): Promise<number> {
    return this.#boss.redrive(DEAD_LETTERS, jobName ? { sourceName: jobName } : {})
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false })
  }
}

function createBoss(db: Database, options: { migrate: boolean; supervise: boolean }): PgBoss {
  return new PgBoss({
    db: toBossDb(db),
    schema: SCHEMA,
    migrate: options.migrate,
    supervise: options.supervise,
    schedule: options.supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
}

/** pg-boss sends scripts of several statements without values; only single statements can be prepared. */
function toBossDb(db: Database | Tx): BossDb {
  return {
    executeSql: async (text, values) =>
      db instanceof Database && !values?.length ? db.pool.query(text) : { rows: await db.query(text, values) },
  }
}

const RETRY_DELAY_MS_MAX = 6 * 3_600_000

/** Doubles with every attempt, ±20 % so that jobs which failed together do not return together. */
function retryDelayMs(firstSeconds: number, earlierRetries: number): number {
  return Math.min(firstSeconds * 1_000 * 2 ** earlierRetries, RETRY_DELAY_MS_MAX) * (0.8 + Math.random() * 0.4)
}

function settledIds(response: object): Set<string> {
  return new Set((response as { settled?: string[] }).settled ?? [])
}

function toQueueOptions(job: AnyJob<never>): Parameters<PgBoss['updateQueue']>[1] {
  return {
    retryLimit: job.retriesMax,
    retryDelay: 0,
    retryBackoff: false,
    expireInSeconds: job.timeoutSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: FINISHED_RETENTION_SECONDS,
    deadLetter: DEAD_LETTERS,
    // A commit that carries NOTIFY takes a database-wide lock, and our enqueues share the ledger's transactions.
    notify: false,
  }
}

async function putQueue(boss: PgBoss, name: string, options: Parameters<PgBoss['updateQueue']>[1]): Promise<void> {
  const { deadLetter, retryDelayMax: _, heartbeatSeconds, ...rest } = options ?? {}
  await boss.createQueue(name, {
    ...rest,
    ...(deadLetter ? { deadLetter } : {}),
    ...(heartbeatSeconds ? { heartbeatSeconds } : {}),
  })
  await boss.updateQueue(name, options)
}

async function putSchedules(boss: PgBoss, jobs: readonly AnyJob<never>[]): Promise<void> {
  for (const job of jobs) if (job.schedule) await boss.schedule(job.name, job.schedule, {})
  const wanted = new Set(jobs.filter((job) => job.schedule).map((job) => job.name))
  for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name)
}
