import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger

/** Names under which a secret may reach a log line; whatever stands there is replaced. */
const SECRET_NAMES = [
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
]

/** One wide JSON line per unit of work: `event` names it, ids and durations stand beside it. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
    serializers: { error: stdSerializers.errWithCause },
  }
  return options.destination ? pino(settings, options.destination) : pino(settings)
}
