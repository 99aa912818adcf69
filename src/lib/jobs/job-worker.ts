import { setTimeout as sleep } from 'node:timers/promises'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import type { Log } from '../log.ts'
import { jobSeconds } from '../metrics.ts'
import { IdleQueues } from './idle-queues.ts'
import {
  type AnyJob,
  type ClaimedJob,
  HEARTBEAT_SECONDS,
  type JobAttempt,
  type JobEngine,
  JobLost,
  type JobRun,
} from './jobs.ts'

// pg-boss's own `work()` sleeps between batches and lets the slowest job of a batch hold the others, so the loop is
// ours: one per queue, each job on its own slot, polling fast while there is work. Queues without any wait together.
const POLL_MS_MIN = 25
const POLL_MS_MAX = 500
const KEEP_ALIVE_MS = (HEARTBEAT_SECONDS * 1_000) / 3
const COMPLETE_BATCH_MAX = 500
const ERROR_PAUSE_MS = 1_000

/**
 * Slots of one process that several queues share. A queue takes a slot only while fewer than its own concurrency are taken by
 * the whole group, so one with a lower figure leaves the rest to the others.
 */
export class JobSlots {
  readonly #taken = new Map<string, number>()
  readonly #waiting = new Set<() => void>()

  /** Takes up to `wanted` of the group's slots; returns how many. */
  take(group: string, wanted: number, max: number): number {
    const taken = this.#taken.get(group) ?? 0
    const count = Math.max(0, Math.min(wanted, max - taken))
    this.#taken.set(group, taken + count)
    return count
  }

  giveBack(group: string, count: number): void {
    if (count === 0) return
    this.#taken.set(group, (this.#taken.get(group) ?? 0) - count)
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Calls `wake` once, when slots come back. */
  onFree(wake: () => void): void {
    this.#waiting.add(wake)
  }
}

interface WorkerOptions<World> {
  engine: JobEngine
  world: World
  jobs: readonly AnyJob<World>[]
  log: Log
  /** Where something else of this process takes slots of the same groups. */
  slots?: JobSlots
}

/** Runs jobs until it is stopped, then lets those under way finish. */
export class JobWorker<World> {
  readonly #queues: QueueWorker<World>[]

  constructor(options: WorkerOptions<World>) {
    const slots = options.slots ?? new JobSlots()
    const { engine, log } = options
    const idle = new IdleQueues({ listReady: (names) => engine.listReady(names), log })
    this.#queues = options.jobs.map((job) => new QueueWorker({ ...options, slots, idle }, job))
  }

  /** Takes no new job; answers when all under way have ended or `graceMs` is over, whichever is first. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.stop(graceMs)))
  }
}

interface QueueOptions<World> extends WorkerOptions<World> {
  slots: JobSlots
  idle: IdleQueues
}

interface LiveJob {
  attempt: JobAttempt
  abort: AbortController
  ended: Promise<void>
}

class QueueWorker<World> {
  readonly #engine: JobEngine
  readonly #world: World
  readonly #job: AnyJob<World>
  readonly #log: Log
  readonly #slots: JobSlots
  readonly #idle: IdleQueues
  readonly #group: string
  readonly #live = new Map<string, LiveJob>()
  readonly #keepAlive: NodeJS.Timeout
  readonly #loop: Promise<void>
  #stopping = false
  #wake: AbortController = new AbortController()
  #done: JobAttempt[] = []
  #flushing: Promise<void> | undefined

  constructor({ engine, world, log, slots, idle }: QueueOptions<World>, job: AnyJob<World>) {
    this.#engine = engine
    this.#world = world
    this.#job = job
    this.#log = log
    this.#slots = slots
    this.#idle = idle
    this.#group = job.slotGroup ?? job.name
    this.#keepAlive = setInterval(() => void this.#touchLive(), KEEP_ALIVE_MS)
    this.#loop = this.#pull()
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#wake.abort()
    await this.#loop
    const ended = Promise.all([...this.#live.values()].map((live) => live.ended))
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    for (const live of this.#live.values()) live.abort.abort(new Error('the worker is shutting down'))
    clearInterval(this.#keepAlive)
    await this.#flushing
  }

  async #pull(): Promise<void> {
    let pauseMs = POLL_MS_MAX
    await this.#untilReady()
    while (!this.#stopping) {
      const { concurrency, claimMax = concurrency } = this.#job
      const room = concurrency - this.#live.size
      const own = Math.min(room, claimMax)
      const free = this.#slots.take(this.#group, own, concurrency)
      if (free < own) this.#slots.onFree(() => this.#wake.abort())
      const claimed = free > 0 ? await this.#claim(free) : null
      for (const job of claimed ?? []) this.#start(job)
      this.#slots.giveBack(this.#group, free - (claimed?.length ?? 0))
      if (free > 0 && claimed === null) await this.#pause(ERROR_PAUSE_MS)
      // As many as were asked for: more may wait.
      if (claimed && claimed.length === own) continue
      pauseMs = claimed && claimed.length > 0 ? POLL_MS_MIN : Math.min(pauseMs * 2, POLL_MS_MAX)
      if (claimed && pauseMs === POLL_MS_MAX) await this.#untilReady()
      else await this.#pause(pauseMs)
    }
  }

  async #untilReady(): Promise<void> {
    if (this.#stopping) return
    this.#wake = new AbortController()
    await this.#idle.wait(this.#job.name, this.#wake.signal)
  }

  /** Returns null when the queue cannot be read. */
  async #claim(count: number): Promise<ClaimedJob[] | null> {
    try {
      return await this.#engine.fetch(this.#job.name, count)
    } catch (error) {
      this.#log.error({ event: 'job.fetch_failed', job: this.#job.name, error })
      return null
    }
  }

  /** Sleeps, but not past the end of a job when all slots were taken. */
  async #pause(ms: number): Promise<void> {
    if (this.#stopping) return
    this.#wake = new AbortController()
    await sleep(ms * (0.75 + Math.random() / 2), undefined, { signal: this.#wake.signal }).catch(() => undefined)
  }

  #start(claimed: ClaimedJob): void {
    const attempt = { id: claimed.id, retryCount: claimed.retryCount }
    const abort = new AbortController()
    const live: LiveJob = { attempt, abort, ended: Promise.resolve() }
    this.#live.set(attempt.id, live)
    live.ended = this.#run(claimed, attempt, abort)
  }

  async #run(claimed: ClaimedJob, attempt: JobAttempt, abort: AbortController): Promise<void> {
    const startedAt = performance.now()
    const wasFull = this.#live.size >= this.#job.concurrency
    const timeout = setTimeout(() => abort.abort(new Error('the job took too long')), claimed.expireInSeconds * 1_000)
    const line = { event: 'job.finished', job: this.#job.name, job_id: attempt.id, attempt: attempt.retryCount + 1 }
    let outcome: 'completed' | 'failed' | 'lost' = 'completed'
    let failure: unknown
    try {
      const finished = await this.#runInSpan(claimed, attempt, abort.signal)
      if (!finished) this.#completeSoon(attempt)
    } catch (error) {
      outcome = error instanceof JobLost ? 'lost' : 'failed'
      failure = error
      if (outcome === 'failed') await this.#fail(attempt, error)
    } finally {
      clearTimeout(timeout)
      this.#live.delete(attempt.id)
      this.#slots.giveBack(this.#group, 1)
      const seconds = (performance.now() - startedAt) / 1_000
      jobSeconds.observe({ queue: this.#job.name, outcome }, seconds)
      this.#log[outcome === 'completed' ? 'info' : 'warn']({
        ...line,
        outcome,
        ms: Math.round(seconds * 1_000),
        error: failure,
      })
      if (wasFull) this.#wake.abort()
    }
  }

  /** Returns whether the job finished itself inside its own transaction. */
  async #runInSpan(claimed: ClaimedJob, attempt: JobAttempt, signal: AbortSignal): Promise<boolean> {
    let finished = false
    await trace.getTracer('nameplate').startActiveSpan(`job ${this.#job.name}`, async (span) => {
      try {
        const run: JobRun = {
          id: attempt.id,
          attempt: attempt.retryCount + 1,
          signal,
          finish: async (tx) => {
            const settled = await this.#engine.complete(this.#job.name, [attempt], tx)
            if (!settled.has(attempt.id)) throw new JobLost(attempt.id)
            finished = true
          },
        }
        await this.#job.run(this.#world, claimed.data, run)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) })
        throw error
      } finally {
        span.end()
      }
    })
    return finished
  }

  async #fail(attempt: JobAttempt, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error : new Error(String(error))
    // If even this fails, the silence of the heartbeat gives the job to another worker.
    await this.#engine.fail(this.#job, attempt, reason).catch((settleError: unknown) => {
      this.#log.error({ event: 'job.settle_failed', job: this.#job.name, job_id: attempt.id, error: settleError })
    })
  }

  #completeSoon(attempt: JobAttempt): void {
    this.#done.push(attempt)
    this.#flushing ??= this.#flush()
  }

  /** Completions that arrive while one is being written go out together with the next. */
  async #flush(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#done.length > 0) {
      const batch = this.#done.splice(0, COMPLETE_BATCH_MAX)
      try {
        const settled = await this.#engine.complete(this.#job.name, batch)
        for (const { id } of batch) {
          if (!settled.has(id)) this.#log.warn({ event: 'job.finished_late', job: this.#job.name, job_id: id })
        }
      } catch (error) {
        this.#log.error({ event: 'job.settle_failed', job: this.#job.name, count: batch.length, error })
      }
    }
    this.#flushing = undefined
  }

  async #touchLive(): Promise<void> {
    const attempts = [...this.#live.values()].map((live) => live.attempt)
    if (attempts.length === 0) return
    try {
      const held = await this.#engine.keepAlive(this.#job.name, attempts)
      for (const { id } of attempts) {
        if (!held.has(id)) this.#live.get(id)?.abort.abort(new JobLost(id))
      }
    } catch (error) {
      this.#log.warn({ event: 'job.heartbeat_failed', job: this.#job.name, error })
    }
  }
}
