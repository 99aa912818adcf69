/**
 * Refusals that a caller can act on, and failures of the outside world. A code is stable: customers branch on it, and
 * `{site_url}/docs/errors/<code>` explains it. Plain `Error` is for our own mistakes.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_token'
  | 'invalid_domain'
  | 'password_too_common'
  | 'missing_credentials'
  | 'invalid_credentials'
  | 'email_not_verified'
  | 'account_disabled'
  | 'insufficient_credits'
  | 'connection_cap_reached'
  | 'password_required'
  | 'foreign_origin'
  | 'insufficient_scope'
  | 'plan_limit_reached'
  | 'foreign_form'
  | 'not_found'
  | 'company_not_found'
  | 'method_not_allowed'
  | 'account_exists'
  | 'destination_exists'
  | 'listener_limit_reached'
  | 'destination_disabled'
  | 'bulk_limit_reached'
  | 'idempotency_key_in_use'
  | 'idempotency_response_lost'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
  | 'busy'

/** Worth sending again unchanged, after `Retry-After` where given. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'idempotency_key_in_use',
  'rate_limited',
  'internal_error',
  'unavailable',
  'busy',
])

export function isRetryable(code: ErrorCode): boolean {
  return RETRYABLE.has(code)
}

export interface FieldError {
  field: string
  message: string
}

/** A company the caller may have meant. */
interface CompanyHint {
  company_number: string
  company_name: string
  company_status: string
  company_status_detail?: string | null
  company_status_text?: string | null
  registered_postcode: string | null
}

interface DomainErrorOptions {
  cause?: unknown
  errors?: FieldError[]
  candidates?: CompanyHint[]
  retryAfterSeconds?: number
  limit?: number
}

/** `message` is written for the customer and says what to do; the technical reason is `cause` and reaches the log only. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[] | undefined
  readonly candidates: CompanyHint[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** With `plan_limit_reached`: how many the plan allows. */
  readonly limit: number | undefined

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.errors = options.errors
    this.candidates = options.candidates
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
  }
}
