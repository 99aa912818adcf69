/** A chat endpoint is asked in its own dialect, and nothing it does harms the process. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ChatModel, describeChatError, isWorthRetrying } from './chat-model.ts'

const opened: Array<{ server: Server; model: ChatModel }> = []

async function open(api: 'openai' | 'anthropic', answer: RequestListener): Promise<ChatModel> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  const model = new ChatModel({ api, url, model: 'small-1', key: 'sk-secret-1', timeoutMs: 1_000 })
  opened.push({ server, model })
  return model
}

afterEach(async () => {
  for (const { server, model } of opened.splice(0)) {
    await model.close()
    server.closeAllConnections()
    server.close()
  }
})

const ask = (model: ChatModel) =>
  model.ask({
    instructions: 'Be brief.',
    text: 'Who runs it?',
    schema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'], additionalProperties: false },
    outputTokensMax: 50,
    signal: AbortSignal.timeout(2_000),
  })

const json =
  (body: object): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }

describe('the question', () => {
  const completion = {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'small-1',
    choices: [{ index: 0, message: { role: 'assistant', content: '{"who":"x"}' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  }
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'small-1',
    content: [{ type: 'text', text: '{"who":"x"}' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 3 },
  }

  test.each([
    ['openai', '/v1/chat/completions', completion, 'authorization', 'Bearer sk-secret-1'],
    ['anthropic', '/v1/messages', message, 'x-api-key', 'sk-secret-1'],
  ] as const)('is sent to %s with its key, its schema and its limit', async (api, path, body, header, value) => {
    const seen: Array<{ path: string | undefined; key: unknown; sent: string }> = []
    const model = await open(api, (request, response) => {
      let sent = ''
      request.on('data', (chunk: Buffer) => {
        sent += chunk.toString()
      })
      request.on('end', () => {
        seen.push({ path: request.url, key: request.headers[header], sent })
        json(body)(request, response)
      })
    })
    expect(await ask(model)).toEqual({ text: '{"who":"x"}', inputTokens: 7, outputTokens: 3 })
    expect(seen).toMatchObject([{ path, key: value }])
    const [{ sent } = { sent: '' }] = seen
    for (const words of ['Be brief.', 'Who runs it?', '"max_tokens":50', '"who"']) {
      expect(sent).toContain(words)
    }
  })
})

describe('an endpoint that misbehaves', () => {
  test.each<[string, boolean, RequestListener]>([
    ['fails', true, (_request, response) => response.writeHead(500).end()],
    ['is busy', true, (_request, response) => response.writeHead(429).end()],
    [
      'refuses the key',
      false,
      (_request, response) => response.writeHead(401).end('{"error":{"message":"sk-secret-1"}}'),
    ],
    ['cuts the connection', true, (request) => request.socket.destroy()],
    ['redirects', true, (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end()],
  ])('%s: the error says whether another attempt may help, and nothing secret', async (_, isRetried, answer) => {
    const error: unknown = await ask(await open('openai', answer)).catch((one: unknown) => one)
    expect(isWorthRetrying(error)).toBe(isRetried)
    expect(describeChatError(error)).not.toContain('sk-secret-1')
    expect(describeChatError(error)).not.toContain('Who runs it?')
  })

  test('sends without end: the reply is cut off', async () => {
    const model = await open('openai', (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(`{"choices":["${'x'.repeat(2_000_000)}"]}`)
    })
    await expect(ask(model)).rejects.toThrow()
  })

  test('hangs: the question ends with its time', async () => {
    const startedAt = performance.now()
    await expect(ask(await open('openai', () => undefined))).rejects.toThrow()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
