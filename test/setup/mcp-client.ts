/** A well-behaved client of the agent endpoint, in either era of the protocol. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { prepare, type TestService } from './harness.ts'

/** The older handshake, and the revision without one. */
export const ERAS = ['legacy', 'auto'] as const
export type Era = (typeof ERAS)[number]

export const REVISION = '2026-07-28'

export interface Connected extends AsyncDisposable {
  client: Client
  /** Calls a tool; a result that has a structured part has passed its output schema. */
  ask(tool: string, input?: Record<string, unknown>): Promise<ToolResult>
}

export interface ToolResult {
  isError: boolean
  /** The text for readers. */
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely; the client has checked them
  structured: any
  content: CallToolResult['content']
}

export async function connect(
  it: Pick<TestService, 'config'>,
  headers: Record<string, string>,
  era: Era = 'auto',
): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', it.config.baseUrl), { requestInit: { headers } })
  await client.connect(transport)
  return {
    client,
    ask: async (name, input = {}) => toToolResult(await client.callTool({ name, arguments: input })),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The client for the tests of a file or block, with the key that is there when they begin. */
export const useAgent = (it: Pick<TestService, 'config'>, key: () => string): Connected =>
  prepare(
    () => connect(it, { 'x-api-key': key() }),
    (agent) => agent[Symbol.asyncDispose](),
  )

export function toToolResult({ isError, content, structuredContent }: CallToolResult): ToolResult {
  const [first] = content
  return {
    isError: isError ?? false,
    text: first?.type === 'text' ? first.text : '',
    structured: structuredContent,
    content,
  }
}

/** A message of the newest revision with the headers that repeat it. */
export function modern(method: string, params: Record<string, unknown> = {}) {
  const name = params['name'] ?? params['uri']
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  }
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  }
}
