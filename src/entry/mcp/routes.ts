import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { isDeeperThan } from '../../lib/text/json-depth.ts'
import { SCOPE } from '../../oauth/index.ts'
import { spendRateToken } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { describeRoute } from '../http/route.ts'
import {
  type Agent,
  admitAgent,
  describeResource,
  METADATA_PATHS,
  PREFLIGHT,
  refuseForeigners,
} from './authenticate.ts'
import { createExchange } from './exchange.ts'
import { RpcRefusal, sendRefusal } from './failures.ts'

declare module 'fastify' {
  interface FastifyRequest {
    agent: Agent | null
  }
}

/**
 * The agent endpoint: both eras of the protocol on one address, without sessions. It is registered for every host and
 * refuses foreign ones itself, as they must get a 403.
 */
export async function mcpRoutes(app: App, server: Server): Promise<void> {
  server.decorateRequest('agent', null)
  const exchange = createExchange(app, server)
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => refuseForeigners(app, request, reply))
    scope.setErrorHandler((error, request, reply) => sendRefusal(app, request, reply, error))

    // Before the body is read: a caller without a credential learns where to get one, whatever was sent.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      request.agent = await admitAgent(app, request, reply)
    }
    scope.post('/mcp', { ...MCP, onRequest }, async (request, reply) => {
      await admitList(app, request, reply)
      return exchange(request, reply)
    })
    scope.route({ method: ['GET', 'DELETE'], url: '/mcp', handler: refuseMethod })
    scope.options('/mcp', async (_request, reply) => reply.code(204).headers(PREFLIGHT).send())
  })
  for (const path of METADATA_PATHS) {
    server.get(path, async (_request, reply) => {
      void reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
      return describeResource(app)
    })
  }
}

function refuseMethod(_request: FastifyRequest, reply: FastifyReply): never {
  void reply.header('allow', 'POST')
  throw new DomainError('method_not_allowed', 'Send each message as a POST. There are no sessions and no streams here.')
}

const LEVELS_MAX = 64

const RpcId = z.union([z.string(), z.number(), z.null()])

/** Clients of 2025-03-26 may send lists; each message of one takes a token of the rate limit. */
const MESSAGES_MAX = 10
const LIST_REVISION = '2025-03-26'

const RpcMessage = z
  .looseObject({}, { error: 'must be a JSON-RPC message' })
  // The library calls itself for every level, and would run out of stack.
  .refine((message) => !isDeeperThan(message, LEVELS_MAX), {
    error: `must not be nested deeper than ${LEVELS_MAX} levels`,
  })
  .meta({ id: 'RpcMessage', description: 'A JSON-RPC 2.0 message of the Model Context Protocol.' })

const RpcBody = z.union([RpcMessage, z.array(RpcMessage).min(1).max(MESSAGES_MAX)], {
  error: `must be one JSON-RPC message, or for clients of ${LIST_REVISION} a list of 1 to ${MESSAGES_MAX}, none nested deeper than ${LEVELS_MAX} levels`,
})

/** Only one revision knows lists; a client that names none is of it, or older. */
async function admitList(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { agent, body, headers } = request
  if (!agent || !Array.isArray(body)) return
  const revision = headers['mcp-protocol-version'] ?? LIST_REVISION
  if (revision !== LIST_REVISION) {
    throw new DomainError(
      'invalid_request',
      `Revision ${String(revision)} has no lists of messages. Send one at a time.`,
    )
  }
  for (const _ of body.slice(1)) await spendRateToken(app, request, reply, agent)
}

const RpcAnswer = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: RpcId.optional() })
  .meta({ id: 'RpcAnswer', description: 'A JSON-RPC 2.0 response: `result` or `error`.' })

const described = describeRoute({
  operationId: 'callAgentEndpoint',
  stable: true,
  summary: 'The agent endpoint: Model Context Protocol over streamable HTTP',
  description:
    'For MCP clients, which find the tools, prompts and resources themselves. It supports revision 2026-07-28 and the older ' +
    'handshake, both without sessions. Responses are JSON. They come as `text/event-stream` to a client that accepts only ' +
    'that, or that asks for progress and accepts it. A notification gets 202 and no body. A tool that fails returns 200 ' +
    'with `isError`.',
  tag: 'Agents',
  accepts: ['key'],
  limit: 'mcp',
  body: RpcBody,
  answers: {
    200: {
      description: 'The response to the message; for a list, a list.',
      schema: z.union([RpcAnswer, z.array(RpcAnswer)]),
    },
    400: { description: 'Not a message, or two credentials.', schema: z.union([RpcRefusal, RpcAnswer]) },
    401: { description: 'No credential, or one that is not valid; `WWW-Authenticate` says more.', schema: RpcRefusal },
    403: { description: 'A foreign host or origin, or a token without the scope.', schema: RpcRefusal },
    406: { description: '`Accept` leaves out both JSON and streams.', schema: z.union([RpcRefusal, RpcAnswer]) },
    413: { description: 'The message is larger than 64 KB.', schema: RpcRefusal },
    415: { description: 'The body is not JSON.', schema: RpcRefusal },
    429: { description: 'Too many requests; `Retry-After` says when to come back.', schema: RpcRefusal },
  },
})

const MCP = {
  ...described,
  schema: { ...described.schema, security: [{ apiKey: [] }, { oauth: [SCOPE] }] },
}
