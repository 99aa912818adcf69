/** The work of a process for one crawl store: it queues due domains, runs their jobs, and reports how many wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import { type JobSlots, JobWorker } from '../jobs/job-worker.ts'
import { type AnyJob, JobEngine } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { crawlOldestSeconds, crawlWaiting } from '../metrics.ts'
import { queueDue, returnGone } from './due-domains.ts'
import { removeExpired } from './readings.ts'
import type { CrawlStore } from './stores.ts'

export interface RunStoreOptions<World> {
  store: CrawlStore
  /** The engine of the store, where another worker runs its jobs; without it one is opened, when the store answers. */
  engine?: JobEngine
  /** False for a store from which domains move away: what is queued there is read, and nothing is added. */
  feeds: boolean
  job: AnyJob<World>
  world: World
  slots: JobSlots
  newReadingId: () => string
  clock: Clock
  log: Log
}

const FEED_MS = { min: 250, max: 2_000 }
const CARE_MS = 10_000
const OPEN_AGAIN_MS = 3_000

const STOP_MS_OVER = 1_000

/** A store that does not answer stops no other: this one tries again until it is stopped. */
export class StoreRun<World> {
  readonly #options: RunStoreOptions<World>
  readonly #stopping = new AbortController()
  readonly #loop: Promise<void>
  #worker: JobWorker<World> | undefined
  #engine: JobEngine | undefined

  constructor(options: RunStoreOptions<World>) {
    this.#options = options
    this.#loop = this.#run()
  }

  /** Takes no new job; returns when all under way have ended or `graceMs` is over. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    const ended = (async () => {
      await this.#loop
      await this.#worker?.stop(graceMs)
      await this.#engine?.close().catch(() => undefined)
    })()
    // A store that hangs does not keep the process.
    await Promise.race([ended, sleep(graceMs + STOP_MS_OVER, undefined, { ref: false })])
  }

  async #run(): Promise<void> {
    const engine = this.#options.engine ?? (await this.#open())
    if (!engine) return
    let pauseMs = FEED_MS.min
    let caredAtMs = Number.NEGATIVE_INFINITY
    while (!this.#stopping.signal.aborted) {
      try {
        if (performance.now() - caredAtMs > CARE_MS) {
          caredAtMs = performance.now()
          await this.#care(engine)
        }
        const queued = this.#options.feeds ? await this.#feed(engine) : 0
        pauseMs = queued > 0 ? FEED_MS.min : Math.min(pauseMs * 2, FEED_MS.max)
      } catch (error) {
        pauseMs = FEED_MS.max
        crawlWaiting.set({ store: this.#options.store.name }, -1)
        this.#options.log.warn({ event: 'crawl.feed_failed', store: this.#options.store.name, error })
      }
      await this.#pause(pauseMs)
    }
  }

  async #open(): Promise<JobEngine | undefined> {
    const { store, job, world, slots, log } = this.#options
    while (!this.#stopping.signal.aborted) {
      try {
        this.#engine = await JobEngine.open(store.db, { supervise: true, log })
        this.#worker = new JobWorker({ engine: this.#engine, world, jobs: [job], log, slots })
        return this.#engine
      } catch (error) {
        crawlWaiting.set({ store: store.name }, -1)
        log.warn({ event: 'crawl.store_away', store: store.name, error })
        await this.#pause(OPEN_AGAIN_MS)
      }
    }
    return undefined
  }

  #feed(engine: JobEngine): Promise<number> {
    const { store, job, newReadingId, clock } = this.#options
    return queueDue({ db: store.db, engine, jobName: job.name, newReadingId, at: clock.now() })
  }

  async #care(engine: JobEngine): Promise<void> {
    const { store, job, clock } = this.#options
    const at = clock.now()
    await returnGone({ db: store.db, engine, jobName: job.name, at })
    await removeExpired(store.db, at)
    await reportWaiting(store, at)
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping
    await sleep(ms * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
  }
}

const COUNT_MAX = 10_000

async function reportWaiting({ name, db }: CrawlStore, at: Date): Promise<void> {
  const { waiting, oldestSeconds } = await countDue(db, at)
  crawlWaiting.set({ store: name }, waiting)
  crawlOldestSeconds.set({ store: name }, oldestSeconds)
}

async function countDue(db: Db, at: Date): Promise<{ waiting: number; oldestSeconds: number }> {
  const [row] = await db.query<{ waiting: number; oldestSeconds: number | null }>(
    `select count(*)::int as waiting, extract(epoch from $1 - min(due_at))::float8 as "oldestSeconds" from (
       select due.due_at from crawl_sweep sweep cross join lateral (
         select due_at from crawl_domain where sweep = sweep.name and due_at <= $1 and state <> 'queued' and not is_moving
         order by due_at limit $2
       ) due where not sweep.is_paused limit $2
     ) due`,
    [at, COUNT_MAX],
  )
  return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldestSeconds ?? 0 }
}
