import type pg from 'pg'
import { isConnectionLost } from './failures.ts'
import { openPool, type PoolOptions, StatementNames } from './pool.ts'

/** Anything SQL can be sent to: the pool, or one transaction. */
export interface Db {
  query<Row = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>
}

declare const insideTransaction: unique symbol

/** A `Db` known to be inside a transaction. What must be atomic takes a `Tx`, so the pool does not compile there. */
export interface Tx extends Db {
  readonly [insideTransaction]: true
}

interface Parts {
  pool: pg.Pool
  names: StatementNames
  /** Runs at the end of every transaction. */
  last: ((tx: Tx) => Promise<void>) | null
}

export class Database implements Db {
  readonly url: string
  readonly pool: pg.Pool
  readonly #options: PoolOptions
  readonly #parts: Parts

  constructor(
    options: PoolOptions,
    parts: Parts = { pool: openPool(options), names: new StatementNames(options.pooler), last: null },
  ) {
    this.url = options.url
    this.pool = parts.pool
    this.#options = options
    this.#parts = parts
  }

  /** Returns the same database, whose transactions end with `last` and are rolled back if that throws. */
  endingWith(last: (tx: Tx) => Promise<void>): Database {
    return new Database(this.#options, { ...this.#parts, last })
  }

  async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    return rowsOf<Row>(await this.pool.query(this.#parts.names.prepare(text, params)))
  }

  /** Runs `body` in one transaction: committed when it returns, rolled back when it throws. */
  async transaction<Result>(body: (tx: Tx) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect()
    let open = true
    let broken: Error | undefined
    // Between two statements no query waits for the connection: an error then would end the process.
    const onBroken = (error: Error) => (broken = error)
    client.on('error', onBroken)
    const prepare = (text: string, params: readonly unknown[]) => this.#parts.names.prepare(text, params)
    const tx = {
      async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
        if (!open) throw new Error('query sent on a transaction that has ended')
        return rowsOf<Row>(await client.query(prepare(text, params)))
      },
    } as Tx
    try {
      await client.query('begin')
      const result = await body(tx)
      await this.#parts.last?.(tx)
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that cannot even roll back is not handed to the next caller.
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
      // One whose server was demoted can roll back, and would refuse the next caller's writes as well.
      if (isConnectionLost(error)) broken ??= error as Error
      throw error
    } finally {
      open = false
      client.off('error', onBroken)
      client.release(broken)
    }
  }

  /** Throws when the database does not answer. */
  async check(): Promise<void> {
    await this.query('select 1')
  }

  /** Throws where a statement, or a transaction that does nothing, could last for ever. */
  async assertBounded(): Promise<void> {
    const bounds = ['statement_timeout', 'idle_in_transaction_session_timeout']
    const unbounded = await this.query<{ name: string }>(
      `select name from unnest($1::text[]) name where current_setting(name) = '0'`,
      [bounds],
    )
    if (unbounded.length === 0) return
    const names = unbounded.map(({ name }) => name).join(' and ')
    throw new Error(`the connections of PgBouncer have no ${names}: set them in its connect_query`)
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}

function rowsOf<Row>(result: pg.QueryResult): Row[] {
  return result.rows as Row[]
}

/** The row of a statement that always returns exactly one. */
export function onlyRow<Row>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
