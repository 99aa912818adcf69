import { toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Server } from '../http/instance.ts'
import { describeRoute } from '../http/route.ts'
import { isDeeperThan } from '../lib/json-depth.ts'
import { SCOPE } from '../oauth/index.ts'
import { type Agent, admitAgent } from './authenticate.ts'
import { PREFLIGHT, refuseForeigners } from './origins.ts'
import { describeResource, METADATA_PATHS } from './protected-resource.ts'
import { RpcRefusal, sendRefusal } from './refusal.ts'
import { createAgentServer } from './server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    agent: Agent | null
  }
}

/**
 * The agent endpoint: both eras of the protocol on one address, without sessions. It is registered for every host and
 * refuses foreign ones itself, as they must be told 403.
 */
export async function mcpDoor(app: App, server: Server): Promise<void> {
  server.decorateRequest('agent', null)
  const exchange = createExchange(app, server)
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => refuseForeigners(app, request, reply))
    scope.setErrorHandler((error, request, reply) => sendRefusal(app, request, reply, error))

    // Before the body is read: whoever has no credential learns where to get one, whatever they sent.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      request.agent = await admitAgent(app, request, reply)
    }
    scope.post('/mcp', { ...MCP, onRequest }, exchange)
    scope.route({ method: ['GET', 'DELETE'], url: '/mcp', handler: refuseMethod })
    scope.options('/mcp', async (_request, reply) => reply.code(204).headers(PREFLIGHT).send())
  })
  for (const path of METADATA_PATHS) {
    server.get(path, async (_request, reply) => {
      void reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' })
      return describeResource(app)
    })
  }
}

function refuseMethod(_request: FastifyRequest, reply: FastifyReply): never {
  void reply.header('allow', 'POST')
  throw new DomainError('method_not_allowed', 'Send each message as a POST. There are no sessions and no streams here.')
}

/** Hands a request to the protocol library, which makes a server for it alone. */
function createExchange(app: App, server: Server) {
  const draining = new AbortController()
  server.addHook('preClose', async () => draining.abort())
  const { fetch: answer } = createMcpHandler(
    ({ authInfo }) => createAgentServer(app, authInfo?.extra?.['agent'] as Agent, draining.signal),
    { onerror: ({ message }) => app.log.info({ event: 'mcp.refused', message }) },
  )
  return async ({ agent, raw, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!agent) throw new Error('nobody was admitted')
    const gone = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort()
    })
    const request = await toWebRequest(raw as Parameters<typeof toWebRequest>[0], body, { signal: gone.signal })
    // The library looks at none of this but `extra`.
    const authInfo = { token: '', clientId: agent.connection?.id ?? 'api-key', scopes: [SCOPE], extra: { agent } }
    return reply.send(withOurHeaders(await answer(request, { authInfo, parsedBody: body })))
  }
}

/** An answer is its caller's alone; a proxy must neither keep a stream nor collect it. */
function withOurHeaders(response: Response): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  response.headers.set('cache-control', isStream ? 'no-store, no-transform' : 'no-store')
  // Ours to decide: a server that is closing says `close`.
  response.headers.delete('connection')
  return response
}

const LEVELS_MAX = 64

const RpcId = z.union([z.string(), z.number(), z.null()])

const RpcMessage = z
  // One message: of a list, each would be worked on for the price of one request.
  .looseObject({}, { error: 'must be one JSON-RPC message; lists of them are not taken' })
  // The library calls itself for every level, and would run out of stack.
  .refine((message) => !isDeeperThan(message, LEVELS_MAX), {
    error: `must not be nested deeper than ${LEVELS_MAX} levels`,
  })
  .meta({ id: 'RpcMessage', description: 'A JSON-RPC 2.0 message of the Model Context Protocol.' })

const RpcAnswer = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: RpcId.optional() })
  .meta({ id: 'RpcAnswer', description: 'A JSON-RPC 2.0 response: `result` or `error`.' })

const described = describeRoute({
  operationId: 'callAgentEndpoint',
  summary: 'The agent endpoint: Model Context Protocol over streamable HTTP',
  description:
    'For MCP clients, which find the tools, prompts and resources themselves. Revision 2026-07-28 and the older ' +
    'handshake are both spoken, without sessions. An answer may come as `text/event-stream` when progress is told ' +
    'before it; a notification is answered with 202 and no body. A tool that fails answers 200 with `isError`.',
  tag: 'Agents',
  accepts: ['key'],
  limit: 'mcp',
  body: RpcMessage,
  answers: {
    200: { description: 'The response to the message.', schema: RpcAnswer },
    400: { description: 'Not a message, or two credentials.', schema: z.union([RpcRefusal, RpcAnswer]) },
    401: { description: 'No credential, or one that is not valid; `WWW-Authenticate` says more.', schema: RpcRefusal },
    403: { description: 'A foreign host or origin, or a token without the scope.', schema: RpcRefusal },
    406: { description: '`Accept` leaves out JSON or streams.', schema: z.union([RpcRefusal, RpcAnswer]) },
    413: { description: 'The message is larger than 64 KB.', schema: RpcRefusal },
    415: { description: 'The body is not JSON.', schema: RpcRefusal },
    429: { description: 'Too many requests; `Retry-After` says when to come back.', schema: RpcRefusal },
  },
})

const MCP = {
  ...described,
  schema: { ...described.schema, security: [{ apiKey: [] }, { oauth: [SCOPE] }] },
}
