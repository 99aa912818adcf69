/** From a request to the protocol library and back, for both eras of the protocol. */
import { toWebRequest } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { SCOPE } from '../../oauth/index.ts'
import type { Server } from '../http/instance.ts'
import { type AcceptedForm, readAcceptedForm } from './accepted-form.ts'
import type { Agent } from './authenticate.ts'
import { createAgentServer } from './server.ts'

/** A message with who sent it, as the library takes it. */
interface Call {
  agent: Agent
  request: Request
  body: unknown
  form: AcceptedForm
  /** Ends when the caller hangs up. */
  gone: AbortSignal
}

/** Hands a request to the protocol library, which makes a server for it alone. */
export function createExchange(app: App, server: Server) {
  const stopping = new AbortController()
  server.addHook('preClose', async () => stopping.abort())
  const onerror = ({ message }: Error) => app.log.info({ event: 'mcp.refused', message })
  const modern = createMcpHandler(({ authInfo }) => createAgentServer(app, agentIn(authInfo), stopping.signal), {
    legacy: 'reject',
    onerror,
  })

  return async ({ agent, raw, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!agent) throw new Error('no agent was admitted')
    const gone = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort()
    })
    const request = await toWebRequest(raw as Parameters<typeof toWebRequest>[0], body, { signal: gone.signal })
    const form = readAcceptedForm(raw.headers.accept)
    // Progress makes the library answer with a stream; who takes none gets none.
    if (!form.stream) forgetProgress(body)
    const call: Call = { agent, request, body, form, gone: gone.signal }
    if (!form.json && !form.stream) return reply.send(notAcceptable())
    const response = (await isLegacyRequest(request, body))
      ? await answerOlderEra(app, call, { stopping: stopping.signal, onerror })
      : await modern.fetch(request, { authInfo: toAuthInfo(agent), parsedBody: body })
    return reply.send(withOurHeaders(response))
  }
}

/**
 * The handshake of 2025, without sessions. One JSON body, unless the caller takes nothing but a stream, or asks for progress
 * and can take one.
 */
async function answerOlderEra(
  app: App,
  { agent, request, body, form, gone }: Call,
  { stopping, onerror }: { stopping: AbortSignal; onerror: (error: Error) => void },
): Promise<Response> {
  const streams = form.stream && (!form.json || asksForProgress(body))
  const server = createAgentServer(app, agent, stopping)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no event target
  transport.onerror = onerror
  await server.connect(transport)
  gone.addEventListener('abort', () => void server.close(), { once: true })
  // The library wants both named, whatever it then answers with.
  request.headers.set('accept', 'application/json, text/event-stream')
  const answered = transport.handleRequest(request, { authInfo: toAuthInfo(agent), parsedBody: body })
  const response = await Promise.race([answered, hangUp(gone)])
  if (streams) return response
  await server.close()
  return Array.isArray(body) ? asList(response) : response
}

/** Resolves when the caller has disconnected and no response is needed. */
function hangUp(gone: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    if (gone.aborted) resolve(Response.error())
    gone.addEventListener('abort', () => resolve(new Response(null, { status: 499 })), { once: true })
  })
}

function asksForProgress(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body]
  return messages.some((message) => {
    const { params } = message as { params?: { _meta?: { progressToken?: unknown } } }
    return params?._meta?.progressToken !== undefined
  })
}

function forgetProgress(body: unknown): void {
  for (const message of Array.isArray(body) ? body : [body]) {
    const { params } = message as { params?: { _meta?: { progressToken?: unknown } } }
    if (params?._meta) delete params._meta.progressToken
  }
}

/** The answer to a list is a list, also when one message of it was a request. */
async function asList(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  return Response.json([await response.json()].flat(), { headers: response.headers })
}

function toAuthInfo(agent: Agent) {
  // The library looks at none of this but `extra`.
  return { token: '', clientId: agent.connection?.id ?? 'api-key', scopes: [SCOPE], extra: { agent } }
}

function agentIn(authInfo: { extra?: Record<string, unknown> } | undefined): Agent {
  return authInfo?.extra?.['agent'] as Agent
}

function notAcceptable(): Response {
  const message = 'Answers are application/json or text/event-stream. Accept one of them.'
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status: 406 })
}

/** An answer is its caller's alone; a proxy must neither keep a stream nor collect it. */
function withOurHeaders(response: Response): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  response.headers.set('cache-control', isStream ? 'no-store, no-transform' : 'no-store')
  // Ours to decide: a server that is closing says `close`.
  response.headers.delete('connection')
  return response
}
