import type {
  CallToolResult,
  McpServer,
  ResourceLink,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Agent } from './authenticate.ts'
import { describeFailure } from './failures.ts'

/**
 * A question that an agent can ask. What it answers, when to ask it, when another is right and what it costs all stand
 * in `description`: agents see nothing else before they choose.
 */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  hints: Hints
  /** The schemas as agents see them. */
  listed: Listed<Input, Output>
  /** Throws a `DomainError`, whose message says what to do. */
  answer(app: App, input: z.output<Input>, call: Call): Promise<ToolAnswer<z.input<Output>>>
}

/** All four are always said: what is left out counts as dangerous. */
interface Hints {
  /** Changes nothing and spends nothing. */
  readOnlyHint: boolean
  /** Takes something away. */
  destructiveHint: boolean
  /** Asking twice does no more than asking once. */
  idempotentHint: boolean
  /** Reaches web sites. */
  openWorldHint: boolean
}

export const READS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export interface Call {
  agent: Agent
  /** Aborted when the client has disconnected, or the service is stopping. */
  signal: AbortSignal
  /** Null when the client wants no progress. */
  report: Report | null
}

export interface ToolAnswer<Structured> {
  structured: Structured
  /** The essentials for a reader, in a few lines. */
  text: string
  links?: ResourceLink[]
}

interface Listed<Input extends z.ZodObject, Output extends z.ZodObject> {
  input: StandardSchemaWithJSON<z.input<Input>, z.output<Input>>
  output: StandardSchemaWithJSON<z.input<Output>, z.output<Output>>
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<Tool<Input, Output>, 'listed'>,
): Tool<Input, Output> {
  return {
    ...tool,
    listed: { input: toListedSchema(tool.input, 'input'), output: toListedSchema(tool.output, 'output') },
  }
}

export function addTool(
  app: App,
  server: McpServer,
  tool: Tool,
  caller: { agent: Agent; stopping: AbortSignal },
): void {
  const { name, title, description, listed, hints } = tool
  const schemas = { inputSchema: listed.input, outputSchema: listed.output }
  const config = { title, description, ...schemas, annotations: { title, ...hints } }
  server.registerTool(name, config, async (input, context) => {
    const startedMs = performance.now()
    const call = {
      agent: caller.agent,
      signal: AbortSignal.any([context.mcpReq.signal, caller.stopping]),
      report: reportTo(context),
    }
    const { result, outcome } = await answer(app, tool, input, call)
    app.log.info({
      event: 'tool.finished',
      request_id: caller.agent.requestId,
      account_id: caller.agent.accountId,
      connection_id: caller.agent.connection?.id,
      tool: name,
      outcome,
      ms: Math.round(performance.now() - startedMs),
    })
    return result
  })
}

async function answer(
  app: App,
  tool: Tool,
  input: Record<string, unknown>,
  call: Call,
): Promise<{ result: CallToolResult; outcome: string }> {
  try {
    const { structured, text, links = [] } = await tool.answer(app, input, call)
    return { result: toResult(structured, text, links), outcome: 'answered' }
  } catch (error) {
    const failure = describeFailure(app, error, call.agent)
    return { result: { content: [{ type: 'text', text: failure.text }], isError: true }, outcome: failure.code }
  }
}

/** Clients from before structured content read the JSON in the second block. */
function toResult(structured: Record<string, unknown>, text: string, links: ResourceLink[]): CallToolResult {
  return {
    content: [{ type: 'text', text }, { type: 'text', text: JSON.stringify(structured) }, ...links],
    structuredContent: structured,
  }
}

/**
 * A schema as agents are shown it. Its JSON is made once and not for every list, which took 10 ms; and it leaves out what
 * costs an agent's attention without helping it: bounds of every integer, patterns of values that have a format.
 */
export function toListedSchema<Schema extends z.ZodType>(
  schema: Schema,
  io: 'input' | 'output',
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => simplify(jsonSchema) })
  if (io === 'output') allowMore(json)
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: () => json, output: () => json } } }
}

function simplify(json: z.core.JSONSchema.BaseSchema): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.format !== undefined) delete json.pattern
}

/** An answer may gain members; a client that kept the list must not refuse it then. */
function allowMore(json: unknown): void {
  if (typeof json !== 'object' || json === null) return
  if ('additionalProperties' in json && json.additionalProperties === false) delete json.additionalProperties
  for (const member of Object.values(json)) allowMore(member)
}

/** Reports to the client what is happening, and for how long it has. */
export type Report = (seconds: number, message: string) => Promise<void>

/** Null unless the client asked for progress. */
export function reportTo({ mcpReq }: ServerContext): Report | null {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return null
  let last = -1
  return async (seconds, message) => {
    // The protocol wants each value above the one before.
    if (seconds <= last) return
    last = seconds
    try {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: seconds, message },
      })
    } catch {
      // The client has gone. The signal of the call says so too, and ends what is being waited for.
    }
  }
}
