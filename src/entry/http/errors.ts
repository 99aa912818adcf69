import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { DomainError, type ErrorCode, type FieldError, isRetryable } from '../../errors.ts'
import { isPassingFailure } from '../../lib/db/failures.ts'

/** The HTTP status and title of each error code. A code without a line here does not compile. */
export const ERRORS: Record<ErrorCode, { status: number; title: string }> = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_token: { status: 400, title: 'The link is invalid or has expired' },
  invalid_domain: { status: 400, title: 'Not a domain that a company can have' },
  password_too_common: { status: 400, title: 'The password is too common' },
  missing_credentials: { status: 401, title: 'Credentials are missing' },
  invalid_credentials: { status: 401, title: 'The credentials are not valid' },
  account_disabled: { status: 401, title: 'The account is disabled' },
  email_not_verified: { status: 401, title: 'The e-mail address is not verified' },
  insufficient_credits: { status: 402, title: 'Not enough credits' },
  connection_cap_reached: { status: 402, title: 'The daily cap of the connection is reached' },
  plan_limit_reached: { status: 402, title: 'The plan allows no more' },
  password_required: { status: 403, title: 'The password is needed' },
  foreign_form: { status: 403, title: 'A form from another site' },
  foreign_origin: { status: 403, title: 'The request comes from elsewhere' },
  insufficient_scope: { status: 403, title: 'The token is good for something else' },
  not_found: { status: 404, title: 'Not found' },
  company_not_found: { status: 404, title: 'No such company, or not one alone' },
  method_not_allowed: { status: 405, title: 'Another method is needed' },
  account_exists: { status: 409, title: 'The account exists already' },
  destination_exists: { status: 409, title: 'These events go to this address already' },
  listener_limit_reached: { status: 409, title: 'Too many listeners at once' },
  destination_disabled: { status: 409, title: 'The webhook destination is disabled' },
  bulk_limit_reached: { status: 409, title: 'Too many bulk jobs at once' },
  idempotency_key_in_use: { status: 409, title: 'A request with this Idempotency-Key is still running' },
  idempotency_response_lost: { status: 409, title: 'The request was carried out, and its response is lost' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'Not available at this moment' },
  busy: { status: 503, title: 'Too busy at this moment' },
}

/** RFC 9457's members, plus a stable code to branch on. */
export const ErrorBody = z
  .object({
    type: z.url().describe('The page that explains this error.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What happened and what to do about it.'),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).describe('Stable; branch on this.'),
    request_id: z.string().describe('Quote it when you contact us about this response.'),
    retryable: z.boolean().describe('True when the same request may succeed later.'),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .describe('For invalid input: each member that is wrong.'),
    limit: z.int().optional().describe('For `plan_limit_reached`: how many the plan allows.'),
    candidates: z
      .array(
        z.object({
          company_number: z.string(),
          company_name: z.string(),
          company_status: z.string(),
          company_status_detail: z.string().nullable().optional(),
          company_status_text: z.string().nullable().optional(),
          registered_postcode: z.string().nullable(),
        }),
      )
      .optional()
      .describe('For `company_not_found`: companies that may have been meant.'),
  })
  .meta({ id: 'Error', description: 'Every error has this shape.' })

export function sendError(app: App, request: FastifyRequest, reply: FastifyReply, error: DomainError): FastifyReply {
  const { status } = ERRORS[error.code]
  const retryAfterSeconds = error.retryAfterSeconds ?? (isRetryable(error.code) ? 1 : undefined)
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
  if (status === 401) void reply.header('www-authenticate', challengeOf(request))
  request.refusedWith = error.code
  const body = describeError(app, error, request.id)
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** Returns the challenge for what the endpoint accepts. Endpoints without credentials, such as login, return bearer tokens. */
function challengeOf({ routeOptions }: FastifyRequest): string {
  const { accepts = ['session'] } = routeOptions.config
  return accepts.includes('session') ? 'Bearer realm="nameplate"' : 'ApiKey realm="nameplate", header="X-API-Key"'
}

export function describeError(app: App, error: DomainError, requestId: string): z.input<typeof ErrorBody> {
  return {
    type: new URL(`/docs/errors/${error.code}`, app.config.siteUrl).href,
    ...ERRORS[error.code],
    detail: error.message,
    code: error.code,
    request_id: requestId,
    retryable: isRetryable(error.code),
    ...(error.errors ? { errors: error.errors } : {}),
    ...(error.limit === undefined ? {} : { limit: error.limit }),
    ...(error.candidates ? { candidates: error.candidates } : {}),
  }
}

/** Turns anything that was thrown into an error the caller understands; internal details stay in `cause`. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (hasZodFastifySchemaValidationErrors(error))
    return invalidRequest(toFieldErrors(error.validation, error.validationContext))
  const code = (error as Partial<FastifyError>).code ?? ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new DomainError('payload_too_large', 'The body is larger than this endpoint takes. Send less at once.')
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new DomainError('unsupported_media_type', 'Send the body as JSON with content-type: application/json.')
  }
  if (isClientError(error)) return new DomainError('invalid_request', 'The body could not be read as JSON.')
  if (UNSTORABLE_TEXT.has(code))
    return new DomainError('invalid_request', 'A text holds the character U+0000. Send it without.')
  if (isPassingFailure(error)) {
    return new DomainError('unavailable', 'The service cannot reach its database. Try again in a few seconds.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  }
  return new DomainError(
    'internal_error',
    'This is our mistake, and it has been recorded. Try again, or send us the request_id.',
    {
      cause: error,
    },
  )
}

/** PostgreSQL keeps every character but one, in text and in JSON; wherever it was sent, that is the caller's mistake. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05'])

export function invalidRequest(errors: FieldError[]): DomainError {
  const what = errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
  return new DomainError('invalid_request', `The request is not valid. ${what}`, { errors })
}

interface ValidationIssue {
  instancePath: string
  message?: string | undefined
}

function toFieldErrors(issues: readonly ValidationIssue[], context: string | undefined): FieldError[] {
  return issues.map((issue) => ({
    field: issue.instancePath.split('/').filter(Boolean).join('.') || (context ?? 'body'),
    message: issue.message ?? 'is not valid',
  }))
}

function isClientError(error: unknown): boolean {
  const status = (error as Partial<FastifyError>).statusCode
  return status !== undefined && status >= 400 && status < 500
}
