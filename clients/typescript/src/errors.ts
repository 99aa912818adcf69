import type { Error as ErrorBody } from './bodies.ts'

export interface FieldError {
  field: string
  message: string
}

export interface Refusal {
  /** The status of the HTTP response; 0 without one. */
  status: number
  /** Stable: branch on this. */
  code: string
  /** Explains the failure and its remedy. */
  detail: string
  /** Identifies the request: name it when you ask for support. */
  requestId?: string | null
  /** True when the same call may succeed later. */
  retryable?: boolean
  /** For invalid input: each member that is wrong. */
  fields?: FieldError[]
  /** For `company_not_found`: companies that may have been meant. */
  candidates?: NonNullable<ErrorBody['candidates']>
  retryAfterSeconds?: number | null
}

/** The base of every error of this client. A call that your `AbortSignal` stops throws the reason of the signal instead. */
export class NameplateError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string | null
  readonly retryable: boolean
  readonly fields: FieldError[]
  readonly candidates: NonNullable<ErrorBody['candidates']>
  readonly retryAfterSeconds: number | null

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.detail, options)
    this.name = new.target.name
    this.status = refusal.status
    this.code = refusal.code
    this.detail = refusal.detail
    this.requestId = refusal.requestId ?? null
    this.retryable = refusal.retryable ?? false
    this.fields = refusal.fields ?? []
    this.candidates = refusal.candidates ?? []
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null
  }
}

/** The key is missing, wrong or replaced. */
export class AuthenticationError extends NameplateError {}

/** No credit is left; nothing was started. */
export class InsufficientCreditsError extends NameplateError {}

/** More requests than the plan allows, also after the retries. */
export class RateLimitedError extends NameplateError {}

/** It does not exist, or belongs to another account. */
export class NotFoundError extends NameplateError {}

/** The input is wrong: `fields` says where. */
export class InvalidRequestError extends NameplateError {}

/** No answer came, also after the retries. */
export class ConnectionError extends NameplateError {
  constructor(detail: string, options?: ErrorOptions) {
    super({ status: 0, code: 'connection_failed', detail, retryable: true }, options)
  }
}

/** The given time is over and the site is still being read. Asking again later costs nothing more. */
export class StillRunningError extends NameplateError {
  readonly jobId: string

  constructor(jobId: string) {
    const detail = `The job ${jobId} is still running. Ask again in a while, or wait longer.`
    super({ status: 0, code: 'still_running', detail, retryable: true })
    this.jobId = jobId
  }
}

/** The job failed. Nothing was charged. */
export class JobFailedError extends NameplateError {
  readonly jobId: string

  constructor({ job_id: jobId, error_message: message }: { job_id: string; error_message?: string | null }) {
    super({ status: 0, code: 'job_failed', detail: message ?? 'The job failed.', retryable: true })
    this.jobId = jobId
  }
}

/** The request is not a webhook of the service, or it is too old. */
export class WebhookSignatureError extends NameplateError {
  constructor(detail: string) {
    super({ status: 0, code: 'invalid_signature', detail })
  }
}

const CLASSES: Record<number, typeof NameplateError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitedError,
}

/** Statuses of proxies while a service restarts. */
const TEMPORARY = new Set([429, 502, 503, 504])

/** Returns the error for a response; the response of a proxy has no body of the service. */
export function toError(status: number, text: string, retryAfter: string | null): NameplateError {
  const body = parseBody(text)
  const Class = body?.code === 'insufficient_credits' ? InsufficientCreditsError : (CLASSES[status] ?? NameplateError)
  return new Class({
    status,
    code: body?.code ?? 'unexpected_answer',
    detail: body?.detail ?? `The service answered with status ${status}.`,
    requestId: body?.request_id ?? null,
    retryable: body?.retryable ?? TEMPORARY.has(status),
    fields: body?.errors ?? [],
    candidates: body?.candidates ?? [],
    retryAfterSeconds: parseRetryAfter(retryAfter),
  })
}

function parseBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body ? (body as ErrorBody) : null
  } catch {
    return null
  }
}

/** Seconds or a date (RFC 9110 10.2.3). */
function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000)
}
