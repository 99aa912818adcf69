/**
 * Failures in words for agents. Before a tool is reached, a refusal is HTTP's status with a body that a JSON-RPC client
 * can read; a tool that fails answers with a text.
 */
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { DomainError, type ErrorCode, isRetryable } from '../../errors.ts'
import { ERRORS, toDomainError } from '../http/errors.ts'
import { type Agent, challengeFor } from './authenticate.ts'

export const RpcRefusal = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.null(),
    error: z.object({
      code: z.int().describe('The code of JSON-RPC, or the HTTP status where JSON-RPC has none.'),
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

/** The next step for an agent, where the message alone does not name the tool to call. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  invalid_domain: 'If you have the name of a company and not its domain, call search_companies.',
  company_not_found: 'search_companies finds the number of a company by its name.',
  insufficient_credits: 'get_account shows the balance and what is held for work under way.',
  connection_cap_reached: 'get_account shows the cap and what is left of it today.',
  plan_limit_reached: 'unwatch_company makes room; get_account shows how many are watched.',
}

/** A failed call in words; what only we should know goes to the log. */
export function describeFailure(app: App, error: unknown, agent: Agent): { text: string; code: ErrorCode } {
  const refusal = toDomainError(error)
  const { code, message, cause, candidates = [], retryAfterSeconds } = refusal
  if (cause && !(cause instanceof DomainError)) {
    app.log.error({ event: 'tool.failed', request_id: agent.requestId, account_id: agent.accountId, error: cause })
  }
  const lines = [
    code === 'internal_error' ? `This is our mistake, and it has been recorded as ${agent.requestId}.` : message,
    ...candidates.map(
      (one) => `- ${one.company_name} (${one.company_number}), ${one.company_status_text ?? one.company_status}`,
    ),
    retryAfterSeconds === undefined ? null : `Wait ${retryAfterSeconds} s before you call again.`,
    code === 'insufficient_credits' ? `Get more credits at ${app.config.siteUrl.origin}.` : null,
    code === 'internal_error' ? 'Call once more; if it fails again, tell the user that id.' : null,
    NEXT[code] ?? null,
  ]
  return { text: lines.filter((line) => line !== null).join('\n'), code }
}
