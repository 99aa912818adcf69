const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
}

/** Returns why a connection failed, in words. `fetch` of Node has the real failure in `cause`, one or two levels down. */
export function describeConnectionFailure(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const reason = REASONS[(cause as { code?: string }).code ?? '']
    if (reason) return reason
  }
  return error instanceof Error ? error.message || error.name : String(error)
}
