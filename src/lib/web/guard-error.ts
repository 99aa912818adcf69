import { errors } from 'undici'
import { countSecurityEvent } from '../metrics.ts'

export type GuardReason =
  | 'blocked'
  | 'name_not_found'
  | 'name_timeout'
  | 'name_failed'
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'certificate'
  | 'tls'
  | 'too_large'
  | 'encoding'
  | 'headers'
  | 'too_many_redirects'
  | 'network'

/**
 * No usable answer came from the web. The message, the reason and the detail may be shown to anyone: they never carry an
 * address, so they do not reveal what a name means inside our network.
 */
export class GuardError extends Error {
  readonly reason: GuardReason
  /** A stable code such as `ERR_TLS_CERT_ALTNAME_INVALID`; for what was blocked, the part that was wrong. */
  readonly detail: string | null

  constructor(reason: GuardReason, detail: string | null = null, cause?: unknown) {
    super(detail === null ? reason : `${reason}: ${detail}`, cause === undefined ? {} : { cause })
    this.name = 'GuardError'
    this.reason = reason
    this.detail = detail
    if (reason === 'blocked') countSecurityEvent('address_blocked')
  }
}

const REASONS: Record<string, GuardReason> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers',
  HPE_HEADER_OVERFLOW: 'headers',
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  PATH_LENGTH_EXCEEDED: 'certificate',
  INVALID_CA: 'certificate',
  INVALID_PURPOSE: 'certificate',
}
const REASONS_BY_PREFIX: Array<[RegExp, GuardReason]> = [
  [/^(CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT_|ERR_TLS_CERT_)/, 'certificate'],
  [/^(ERR_SSL_|ERR_TLS_)/, 'tls'],
]
/** These say that we asked wrongly; they stay what they are. */
const OUR_MISTAKES = /^(UND_ERR_INVALID_ARG|ERR_INVALID_|ERR_OUT_OF_RANGE)/

/** Returns an error of the socket, TLS or HTTP layer as a `GuardError`. Any other error is a mistake and is returned as it is. */
export function describeFailure(error: unknown): unknown {
  // The parser leaves its code away where not even the first line is HTTP.
  const code = codeOf(error) ?? (error instanceof errors.HTTPParserError ? 'HPE_INVALID' : null)
  if (error instanceof GuardError || code === null || OUR_MISTAKES.test(code)) return error
  const byPrefix = REASONS_BY_PREFIX.find(([pattern]) => pattern.test(code))
  return new GuardError(REASONS[code] ?? byPrefix?.[1] ?? 'network', code, error)
}

export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}
