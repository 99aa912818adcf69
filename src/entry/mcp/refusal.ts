/** Refusals before a tool is reached: HTTP's status, in a body that a JSON-RPC client can read. */
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { type DomainError, isRetryable } from '../../errors.ts'
import { ERRORS, toDomainError } from '../http/errors.ts'
import { challengeFor } from './protected-resource.ts'

export const RpcRefusal = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.null(),
    error: z.object({
      code: z.int().describe('Of JSON-RPC where it has one for this, else the HTTP status.'),
      message: z.string().describe('What happened and what to do about it.'),
      data: z.object({
        code: z.string().describe('Stable; branch on this.'),
        type: z.url().describe('The page that explains this error.'),
        request_id: z.string(),
        retryable: z.boolean(),
      }),
    }),
  })
  .meta({ id: 'RpcRefusal', description: 'A refusal of the agent endpoint, before any tool was called.' })

export function sendRefusal(app: App, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toDomainError(error)
  if (refusal.cause) app.log.error({ event: 'request.failed', request_id: request.id, error: refusal.cause })
  request.refusedWith = refusal.code
  const { status } = ERRORS[refusal.code]
  const retryAfterSeconds = refusal.retryAfterSeconds ?? (isRetryable(refusal.code) ? 1 : undefined)
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
  const challenge = challengeFor(app, request, refusal)
  if (challenge !== null) void reply.header('www-authenticate', challenge)
  const body: z.input<typeof RpcRefusal> = {
    jsonrpc: '2.0',
    id: null,
    error: {
      code: toRpcCode(refusal, error),
      message: refusal.message,
      data: {
        code: refusal.code,
        type: new URL(`/docs/errors/${refusal.code}`, app.config.siteUrl).href,
        request_id: request.id,
        retryable: isRetryable(refusal.code),
      },
    },
  }
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

const UNREADABLE = new Set(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY'])

/** Codes from -32768 to -32000 belong to the protocol; ours stand outside. */
function toRpcCode({ code }: DomainError, error: unknown): number {
  if (UNREADABLE.has((error as { code?: string }).code ?? '') || error instanceof SyntaxError) return PARSE_ERROR
  if (code === 'invalid_request') return INVALID_REQUEST
  return code === 'internal_error' ? INTERNAL_ERROR : ERRORS[code].status
}
