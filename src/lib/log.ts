import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger

/** Names under which a secret may reach a log line; their values are replaced. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'password',
  'new_password',
  'current_password',
  'token',
  'api_key',
  'test_api_key',
  'secret',
  'authorization',
  'cookie',
  'x-api-key',
  'access_token',
  'refresh_token',
  'client_secret',
  'code_verifier',
  'signature',
])
/** Members of members of the line are looked at too. */
const DEPTH_MAX = 2

/** One wide JSON line per unit of work: `event` names it, ids and durations stand beside it. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: (line: Members) => withoutSecrets(line, 0) },
    serializers: { error: (error: Error) => withoutSecrets({ ...stdSerializers.errWithCause(error) }, 1) },
  }
  return options.destination ? pino(settings, options.destination) : pino(settings)
}

type Members = Record<string, unknown>

/**
 * The line itself unless there is a secret in it, else a copy. By hand because pino's own redaction, with as many paths
 * as it takes here, costs 66 µs a line.
 */
function withoutSecrets(members: Members, depth: number): Members {
  let clean = members
  for (const [name, value] of Object.entries(members)) {
    const kept = SECRET_NAMES.has(name)
      ? '[redacted]'
      : hasMembers(value, depth)
        ? withoutSecrets(value, depth + 1)
        : value
    if (kept === value) continue
    if (clean === members) clean = { ...members }
    clean[name] = kept
  }
  return clean
}

/** Errors are written by their own serializer. */
function hasMembers(value: unknown, depth: number): value is Members {
  return depth < DEPTH_MAX && typeof value === 'object' && value !== null && !(value instanceof Error)
}
