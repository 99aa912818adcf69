/** A server that replays the primary's log and answers what only reads. It may lag, hang or be lost at any moment. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { replicaInUse, replicaWaitSeconds } from '../metrics.ts'
import { Circuit } from './circuit.ts'
import { openPool, type PoolOptions, StatementNames } from './pool.ts'
import type { Position } from './position.ts'
import { describeRefusal, type Refusal, TooSlow, Unreachable } from './refusals.ts'
import { covers, look, lookAtLag } from './replayed.ts'

interface ReplicaOptions
  extends Pick<PoolOptions, 'plansOnce' | 'url' | 'connectionsMax' | 'applicationName' | 'pooler'> {
  /** Called when it stops being used, and when it is used again. */
  onChange: (change: { isInUse: boolean; because: Refusal | null }) => void
}

/** The rows of a statement, or why the replica did not return them: then the primary must be asked. */
export type ReplicaAnswer<Row> = { rows: Row[] } | { refused: Refusal }

/** With all waits, connecting included twice at worst: after it the primary answers. */
const READ_MS_MAX = 500
const CONNECT_MS_MAX = 250
/** For a position to be replayed. A copy in the same data centre needs a few milliseconds. */
const REPLAY_MS_MAX = 50
const REPLAY_POLL_MS = 2
const CIRCUIT = { failuresMax: 3, firstPauseMs: 250, pauseMsMax: 2_000 }

export class Replica {
  readonly #pool: pg.Pool
  readonly #isPooled: boolean
  readonly #names: StatementNames
  readonly #circuit: Circuit
  /** The position that each connection is known to have replayed. A server never goes back, so a read that needs less need not look. */
  readonly #replayed = new WeakMap<pg.PoolClient, Position>()
  /** The position of the newest read. */
  #wanted: Position | null = null
  #lastRefusal: Refusal | null = null

  constructor({ onChange, ...options }: ReplicaOptions) {
    this.#names = new StatementNames(options.pooler)
    this.#isPooled = options.pooler === 'pgbouncer'
    this.#pool = openPool({
      ...options,
      connectMsMax: CONNECT_MS_MAX,
      statementMsMax: READ_MS_MAX,
      endsWithProcess: true,
    })
    this.#circuit = new Circuit({
      ...CIRCUIT,
      probe: () => this.#use((client) => this.#untilReplayed(client, this.#wanted)),
      onChange: (isOpen) => {
        replicaInUse.set({ server: 'replica' }, isOpen ? 0 : 1)
        onChange({ isInUse: !isOpen, because: isOpen ? this.#lastRefusal : null })
      },
    })
    replicaInUse.set({ server: 'replica' }, 1)
  }

  get isInUse(): boolean {
    return !this.#circuit.isOpen
  }

  /** Runs a statement that only reads, on everything that the primary had committed at the position. Never throws. */
  async read<Row>(position: Position, text: string, params: readonly unknown[]): Promise<ReplicaAnswer<Row>> {
    this.#wanted = position
    if (this.#circuit.isOpen) return { refused: 'paused' }
    try {
      const rows = await this.#use(async (client) => {
        // The look is a statement of its own: one that looks and reads at once has its snapshot before its look.
        if (!this.#isPooled) return this.#readWhenReplayed<Row>(client, position, text, params)
        // Behind a pooler, only statements of one transaction meet the same server.
        await client.query('begin read only')
        const found = await this.#readWhenReplayed<Row>(client, position, text, params)
        await client.query('commit')
        return found
      })
      if (rows === null) return this.#refuse('behind')
      this.#circuit.succeed()
      return { rows }
    } catch (error) {
      return this.#refuse(describeRefusal(error))
    }
  }

  async #readWhenReplayed<Row>(
    client: pg.PoolClient,
    position: Position,
    text: string,
    params: readonly unknown[],
  ): Promise<Row[] | null> {
    if (!(await this.#untilReplayed(client, position))) return null
    return (await client.query(this.#names.prepare(text, params))).rows as Row[]
  }

  /** Returns how far it is behind a position of the primary; null when it does not answer. */
  async findLag(position: Position): Promise<{ bytes: number; seconds: number } | null> {
    try {
      return await this.#use((client) => lookAtLag(client, this.#names, position))
    } catch {
      return null
    }
  }

  async close(): Promise<void> {
    this.#circuit.close()
    await this.#pool.end()
  }

  #refuse(refused: Refusal): { refused: Refusal } {
    this.#lastRefusal = refused
    // A statement that failed for itself, or for the log's sake, says nothing of the server.
    if (refused !== 'conflict' && refused !== 'failed') this.#circuit.fail()
    return { refused }
  }

  /** A connection on which anything went wrong is not used again. */
  async #use<Result>(body: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new Unreachable('the replica cannot be reached', { cause: error })
    })
    let broken: Error | undefined
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new TooSlow('the replica did not answer in time')), READ_MS_MAX)
    try {
      return await Promise.race([body(client), late])
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      clearTimeout(timer)
      client.release(broken)
    }
  }

  /** Returns false when the position is not replayed in time. */
  async #untilReplayed(client: pg.PoolClient, position: Position | null): Promise<boolean> {
    const startedMs = performance.now()
    const isEnough = (one: Position | undefined) => one && (position === null || covers(one, position))
    let replayed = this.#replayed.get(client)
    for (let looks = 0; !isEnough(replayed); looks += 1) {
      if (performance.now() - startedMs > REPLAY_MS_MAX) return false
      if (looks > 0) await sleep(REPLAY_POLL_MS)
      replayed = await look(
        client,
        this.#names,
        replayed?.timeline === position?.timeline ? replayed?.timeline : undefined,
      )
      // The server behind a pooler's connection may be another the next time.
      if (!this.#isPooled) this.#replayed.set(client, replayed)
    }
    replicaWaitSeconds.observe((performance.now() - startedMs) / 1_000)
    return true
  }
}
