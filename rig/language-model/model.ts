/** A language model behind a chat endpoint, played on loopback: it speaks both dialects, replays answers, and can lie. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenOnLoopback } from '../companies-house/loopback-server.ts'
import { type AskedQuestion, readQuestion } from './question.ts'

/** How the endpoint answers one question. */
export interface ModelReply {
  /** The answer, as an object or as text that is no JSON. */
  answer?: unknown
  /** In place of an answer. */
  status?: number
  headers?: Record<string, string>
  /** The body of the response, where it is not that of a chat endpoint. */
  body?: string
  /** Before the first byte. */
  delayMs?: number
  /** `hang`: half a body and no end. `reset`: the connection is cut. */
  end?: 'hang' | 'reset'
  /** Tokens that the endpoint says it used; null leaves them out. */
  usage?: { input: number; output: number } | null
}

export type ModelMind = (question: AskedQuestion) => ModelReply | Promise<ModelReply>

const CHARACTERS_PER_TOKEN = 4
const OUTPUT_TOKENS = 90

export class SimulatedModel implements AsyncDisposable {
  /** Every question that arrived, the oldest first; the last ten thousand. */
  readonly questions: AskedQuestion[] = []
  mind: ModelMind
  #server: { url: string; close(): Promise<void> } | null = null

  constructor(mind: ModelMind) {
    this.mind = mind
  }

  async listen(port = 0): Promise<this> {
    this.#server = await listenOnLoopback((request, response) => this.#answer(request, response), port)
    return this
  }

  /** The setting SECOND_READER_URL. */
  get url(): string {
    return `${this.#server?.url ?? ''}/v1`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isAnthropic = request.url?.endsWith('/messages') === true
    if (request.method !== 'POST' || !(isAnthropic || request.url?.endsWith('/chat/completions'))) {
      response.writeHead(404).end()
      return
    }
    const question = readQuestion((await json(request)) as object)
    if (this.questions.push(question) > QUESTIONS_MAX) this.questions.shift()
    const reply = await this.mind(question)
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs).unref())
    if (response.destroyed) return
    if (reply.end === 'reset') {
      request.socket.destroy()
      return
    }
    const headers = { 'content-type': 'application/json', ...reply.headers }
    response.writeHead(reply.status ?? 200, headers)
    const body = reply.body ?? JSON.stringify(isAnthropic ? toMessage(question, reply) : toCompletion(question, reply))
    if (reply.end === 'hang') response.write(body.slice(0, body.length / 2))
    else response.end(body)
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

const QUESTIONS_MAX = 10_000

const toText = ({ answer }: ModelReply): string => (typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}))

const usageOf = (question: AskedQuestion, { usage }: ModelReply) =>
  usage === undefined ? { input: Math.ceil(question.characters / CHARACTERS_PER_TOKEN), output: OUTPUT_TOKENS } : usage

function toCompletion(question: AskedQuestion, reply: ModelReply): object {
  const usage = usageOf(question, reply)
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: question.model,
    choices: [{ index: 0, message: { role: 'assistant', content: toText(reply) }, finish_reason: 'stop' }],
    ...(usage && {
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }),
  }
}

function toMessage(question: AskedQuestion, reply: ModelReply): object {
  const usage = usageOf(question, reply)
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: question.model,
    content: [{ type: 'text', text: toText(reply) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
  }
}
