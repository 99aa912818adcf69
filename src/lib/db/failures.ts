/**
 * Failures of the database that pass by themselves: it restarts, another server takes over, its disk is full, a
 * connection is lost, or two transactions were in each other's way. The same request may succeed later.
 */
const PASSING = /^(?:ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08|57P0|53|25006|40001|40P01)/
const PASSING_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|connection error and is not queryable/

/** After these the connection itself is of no more use: its server stops, or has become one that only reads. */
const CONNECTION_LOST = /^(?:ECONN|EPIPE|ETIMEDOUT|08|57P0|25006)/

export function isPassingFailure(error: unknown): boolean {
  return PASSING.test(codeOf(error)) || (error instanceof Error && PASSING_MESSAGES.test(error.message))
}

export function isConnectionLost(error: unknown): boolean {
  return CONNECTION_LOST.test(codeOf(error))
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}
