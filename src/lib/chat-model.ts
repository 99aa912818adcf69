/**
 * A language model behind a chat endpoint: OpenAI-compatible or Anthropic. The providers of the Vercel AI SDK translate
 * between the two dialects; they are loaded at the first question, so that other processes never have them in memory.
 */
import { type OwnServerFetch, openOwnServerFetch } from './web/outgoing-fetch.ts'

export interface ChatModelOptions {
  api: 'openai' | 'anthropic'
  url: URL
  model: string
  key: string | null
  timeoutMs: number
}

export interface ChatQuestion {
  instructions: string
  text: string
  /** JSON Schema of the answer. */
  schema: object
  outputTokensMax: number
  signal: AbortSignal
}

export interface ChatReply {
  text: string
  /** As the endpoint counted them; null if it did not say. */
  inputTokens: number | null
  outputTokens: number | null
}

const REPLY_BYTES_MAX = 256 * 1024
const CONNECTIONS = 40

/** The part of the providers' models that is used here. */
interface ProviderModel {
  doGenerate(options: {
    prompt: Array<
      { role: 'system'; content: string } | { role: 'user'; content: Array<{ type: 'text'; text: string }> }
    >
    responseFormat: { type: 'json'; schema: object; name: string }
    maxOutputTokens: number
    temperature?: number
    abortSignal: AbortSignal
  }): PromiseLike<{
    content: Array<{ type: string; text?: string }>
    usage: { inputTokens: { total?: number | undefined }; outputTokens: { total?: number | undefined } }
  }>
}

export class ChatModel {
  readonly #options: ChatModelOptions
  readonly #server: OwnServerFetch
  #provider: Promise<ProviderModel> | null = null

  constructor(options: ChatModelOptions) {
    this.#options = options
    const { url, timeoutMs } = options
    this.#server = openOwnServerFetch(url.origin, {
      connections: CONNECTIONS,
      timeoutMs,
      bodyBytesMax: REPLY_BYTES_MAX,
    })
  }

  /** Throws what the provider throws; see `isWorthRetrying`. */
  async ask({ instructions, text, schema, outputTokensMax, signal }: ChatQuestion): Promise<ChatReply> {
    this.#provider ??= loadProvider(this.#options, this.#server)
    const { content, usage } = await (await this.#provider).doGenerate({
      prompt: [
        { role: 'system', content: instructions },
        { role: 'user', content: [{ type: 'text', text }] },
      ],
      responseFormat: { type: 'json', schema, name: 'answer' },
      maxOutputTokens: outputTokensMax,
      // Newer models of the two large houses refuse any other temperature than their own.
      ...(HOSTED.has(this.#options.url.hostname) ? {} : { temperature: 0 }),
      abortSignal: signal,
    })
    return {
      text: content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join(''),
      inputTokens: usage.inputTokens.total ?? null,
      outputTokens: usage.outputTokens.total ?? null,
    }
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}

const HOSTED = new Set(['api.openai.com', 'api.anthropic.com'])

async function loadProvider(
  { api, url, model, key }: ChatModelOptions,
  { send }: OwnServerFetch,
): Promise<ProviderModel> {
  const baseURL = url.href.replace(/\/$/, '')
  const shared = { baseURL, fetch: send as unknown as typeof fetch }
  if (api === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // The provider would look for a key in the environment where none is given.
    return createAnthropic({ ...shared, apiKey: key ?? 'none' })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    ...shared,
    name: 'model',
    ...(key === null ? {} : { apiKey: key }),
    supportsStructuredOutputs: true,
    ...(HOSTED.has(url.hostname) ? { transformRequestBody: renameTokenLimit } : {}),
  })
  return provider.chatModel(model)
}

/** OpenAI's own endpoint has another name for the limit. */
function renameTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}

/** True for an endpoint that is away, busy or broken; false for one that refuses the question itself. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'isRetryable' in error
    ? error.isRetryable === true
    : error.name !== 'AbortError' && error.name !== 'TimeoutError'
}

/** An error in one line, without the question, the reply or the key. */
export function describeChatError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? ` ${error.statusCode}` : ''
  const cause = error.cause instanceof Error ? `: ${error.cause.name}` : ''
  return `${error.name}${status}${cause}`
}
