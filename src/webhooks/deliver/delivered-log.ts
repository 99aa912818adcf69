import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import type { Attempt } from './attempt.ts'
import { type LeasedDestination, LeaseLost } from './lease.ts'

interface Delivered {
  lease: LeasedDestination
  attempt: Attempt
}

interface Waiting extends Delivered {
  resolve: () => void
  reject: (error: unknown) => void
}

const BATCH_MAX = 500
/** A database that restarts is back within these tries, and the lease has not ended by then. */
const WRITE_TRIES_MAX = 20
const WRITE_AGAIN_MS = 500

/**
 * Records accepted deliveries that do not change their destination's health, which is nearly all of them, for all
 * destinations of this process. Those that end while a batch is written go into the next batch. Measured at 2,000
 * deliveries a second: 0.1 statements for each, where a transaction for each destination took 2.2.
 *
 * The destinations' rows are read and never locked, so no destination waits for a publisher of another.
 */
export class DeliveredLog {
  static readonly #logs = new WeakMap<App, DeliveredLog>()
  readonly #app: App
  #waiting: Waiting[] = []
  #isWriting = false

  private constructor(app: App) {
    this.#app = app
  }

  /** Returns the log of this process. */
  static of(app: App): DeliveredLog {
    const log = DeliveredLog.#logs.get(app) ?? new DeliveredLog(app)
    DeliveredLog.#logs.set(app, log)
    return log
  }

  /** Resolves when it is written. Throws `LeaseLost` when the job no longer has the destination. */
  record(delivered: Delivered): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ ...delivered, resolve, reject })
    if (!this.#isWriting) void this.#writeAll()
    return promise
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX)
      try {
        const held = await this.#write(batch)
        for (const { lease, resolve, reject } of batch) {
          if (held.has(lease.id)) resolve()
          else reject(new LeaseLost(lease.id))
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }

  /** Tries again while the database is away: these acceptances exist only here, and what is lost is sent again. */
  async #write(batch: readonly Delivered[]): Promise<Set<number>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await writeDelivered(this.#app.db, batch, this.#app.clock.now())
      } catch (error) {
        if (tries === WRITE_TRIES_MAX) throw error
        await sleep(WRITE_AGAIN_MS)
      }
    }
  }
}

/**
 * Returns the destinations that their jobs still have; for the others nothing is written. Writing a batch a second time,
 * because the first response was lost, changes nothing.
 *
 * It has no condition `state = 'pending'`: with statistics of a quiet moment the planner scans everything that is pending
 * anywhere, and a statement took ten seconds beside 200 receivers that hang.
 */
async function writeDelivered(db: Db, batch: readonly Delivered[], at: Date): Promise<Set<number>> {
  const rows = batch.map(({ lease, attempt: { event, startedAt, durationMs, status, response } }) => ({
    destination_id: lease.id,
    job_id: lease.jobId,
    event_number: event.eventNumber,
    attempt: event.attempt,
    is_replay: event.isReplay,
    started_at: startedAt,
    duration_ms: durationMs,
    status,
    response,
  }))
  const written = await db.query<{ destination_id: number }>(
    `with accepted as materialized (
       select accepted.destination_id, event_number, attempt, is_replay, started_at, duration_ms, accepted.status, response
       from jsonb_to_recordset($1::jsonb) as accepted (destination_id integer, job_id text, event_number bigint,
         attempt integer, is_replay boolean, started_at timestamptz, duration_ms integer, status integer, response text)
       join webhook_destination as held
         on held.id = accepted.destination_id and held.drained_by = accepted.job_id and held.deleted_at is null
     ), ended as (
       update webhook_delivery as delivery set state = 'delivered', attempts = accepted.attempt, ended_at = $2
       from accepted
       where delivery.destination_id = accepted.destination_id and delivery.event_number = accepted.event_number
         and (delivery.state, delivery.attempts) is distinct from ('delivered', accepted.attempt)
       returning accepted.destination_id, accepted.event_number, accepted.attempt, accepted.is_replay, accepted.started_at,
         accepted.duration_ms, accepted.status, accepted.response
     ), logged as (
       insert into webhook_attempt (destination_id, event_number, attempt, is_replay, started_at, duration_ms, status, response)
       select destination_id, event_number, attempt, is_replay, started_at, duration_ms, status, response from ended
     )
     select distinct destination_id from accepted`,
    [JSON.stringify(rows), at],
  )
  return new Set(written.map(({ destination_id: id }) => id))
}
