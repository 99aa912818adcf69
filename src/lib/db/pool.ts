import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * PgBouncer gives each transaction any of its connections. So nothing may be left on a connection: no lock, no prepared statement
 * and no setting but the time zone, which PgBouncer keeps for each of its callers. It refuses settings at the start of a
 * connection; it makes them itself, by its `connect_query`.
 */
export type Pooler = 'none' | 'pgbouncer'

export interface PoolOptions {
  url: string
  connectionsMax: number
  applicationName: string
  /** None unless given. */
  pooler?: Pooler
  /** Statements are planned once for a connection, for all values. Never with PgBouncer. */
  plansOnce?: boolean
  onIdleError?: (error: Error) => void
}

// A query that runs this long is a bug or an attack; importers and migrations raise it for their own session.
const STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_DELAY_MS = 10_000
// A connection that has not searched yet takes 25 ms of the server's CPU for its first search, and 2.7 ms for each later one.
const IDLE_TIMEOUT_MS = 600_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
// PostgreSQL plans a statement on a table with partitions again for every value. Planning took longer than most statements of
// requests: a third of the time of all statements. Statements that need a plan for their values set it themselves.
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan'
// A date is a moment and a moment is a date by the zone of the connection. Without this, that is the zone of the server.
export const IN_UTC = `set time zone 'UTC'`
// PostgreSQL makes a plan again when the table was analyzed, which autovacuum does as it grows. Where that is late, a plan for
// a smaller table ends with its connection.
const PLANS_LAST_SECONDS = 300

export function openPool(options: PoolOptions): pg.Pool {
  const plansOnce = options.plansOnce && options.pooler !== 'pgbouncer'
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A server that vanished without a word is noticed also by connections that only wait.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...(options.pooler !== 'pgbouncer' && {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
    ...(plansOnce && { maxLifetimeSeconds: PLANS_LAST_SECONDS }),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: (client) => client.query(plansOnce ? `${IN_UTC}; ${PLAN_ONCE}` : IN_UTC),
    types: { getTypeParser },
  })
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', (error) => options.onIdleError?.(error))
  // Nor while the pool passes a connection to the next query: a server that stops may send an error right then.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

// Our SQL is constant text, so a name per text lets PostgreSQL parse and plan it once per connection; measured at twice the
// throughput of unnamed statements. The bound keeps generated texts from filling the server's memory.
const STATEMENT_NAMES_MAX = 1_000

/** Gives every text of SQL a name under which a connection prepares it once. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #max: number

  constructor(pooler: Pooler = 'none') {
    this.#max = pooler === 'none' ? STATEMENT_NAMES_MAX : 0
  }

  prepare(text: string, params: readonly unknown[]): pg.QueryConfig {
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < this.#max) {
      name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      this.#names.set(text, name)
    }
    const query: pg.QueryConfig = { text, values: [...params] }
    if (name !== undefined) query.name = name
    return query
  }
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
