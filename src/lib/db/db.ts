import { createHash } from 'node:crypto'
import pg from 'pg'
import { isConnectionLost } from './failures.ts'

/** Anything SQL can be sent to: the pool, or one transaction. */
export interface Db {
  query<Row = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>
}

declare const insideTransaction: unique symbol

/** A `Db` known to be inside a transaction. What must be atomic takes a `Tx`, so the pool does not compile there. */
export interface Tx extends Db {
  readonly [insideTransaction]: true
}

interface DatabaseOptions {
  url: string
  connectionsMax: number
  applicationName: string
  onIdleError?: (error: Error) => void
}

// A query that runs this long is a bug or an attack; importers and migrations raise it for their own session.
const STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_DELAY_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

export class Database implements Db {
  readonly pool: pg.Pool
  readonly #statementNames = new Map<string, string>()

  constructor(options: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.connectionsMax,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // A server that vanished without a word is noticed also by connections that only wait.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      types: { getTypeParser },
    })
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    this.pool.on('error', (error) => options.onIdleError?.(error))
    // Nor while the pool passes a connection to the next query: a server that stops may send an error right then.
    this.pool.on('connect', (client) => client.on('error', () => undefined))
  }

  async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    return rowsOf<Row>(await this.pool.query(this.#prepare(text, params)))
  }

  /** Runs `body` in one transaction: committed when it returns, rolled back when it throws. */
  async transaction<Result>(body: (tx: Tx) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect()
    let open = true
    let broken: Error | undefined
    // Between two statements no query waits for the connection: an error then would end the process.
    const onBroken = (error: Error) => (broken = error)
    client.on('error', onBroken)
    const prepare = (text: string, params: readonly unknown[]) => this.#prepare(text, params)
    const tx = {
      async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
        if (!open) throw new Error('query sent on a transaction that has ended')
        return rowsOf<Row>(await client.query(prepare(text, params)))
      },
    } as Tx
    try {
      await client.query('begin')
      const result = await body(tx)
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

  async close(): Promise<void> {
    await this.pool.end()
  }

  #prepare(text: string, params: readonly unknown[]): pg.QueryConfig {
    let name = this.#statementNames.get(text)
    if (name === undefined && this.#statementNames.size < STATEMENT_NAMES_MAX) {
      name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      this.#statementNames.set(text, name)
    }
    const query: pg.QueryConfig = { text, values: [...params] }
    if (name !== undefined) query.name = name
    return query
  }
}

// Our SQL is constant text, so a name per text lets PostgreSQL plan it once per connection; measured at twice the
// throughput of unnamed statements. The bound keeps generated texts from filling the server's memory.
const STATEMENT_NAMES_MAX = 1_000

function rowsOf<Row>(result: pg.QueryResult): Row[] {
  return result.rows as Row[]
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (format !== 'binary') {
    if (oid === pg.types.builtins.INT8) return toSafeInteger
    // A date has no time zone; as a JavaScript Date it would shift across midnight.
    if (oid === pg.types.builtins.DATE) return (value: string) => value
  }
  return pg.types.getTypeParser(oid, format)
}

function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} does not fit a JavaScript number`)
  return value
}

/** The row of a statement that always returns exactly one. */
export function onlyRow<Row>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
