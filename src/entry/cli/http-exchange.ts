import { Agent, request } from 'undici'

/** What a client command says to a server. Any address will do: it is the developer's own machine that asks. */
export interface Message {
  method: 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  signal: AbortSignal
}

export type Exchange =
  | { kind: 'answered'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'unanswered'; reason: string }

const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024

/** Sends it and waits for the whole answer; redirects are answers. Throws only when `signal` ended it. */
export async function exchange(agent: Agent, url: URL, message: Message): Promise<Exchange> {
  const { timeoutMs, signal, ...said } = message
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const options = { ...said, dispatcher: agent, signal: AbortSignal.any([timeout, signal]) }
    const { statusCode, headers, body } = await request(url, options)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > ANSWER_BYTES_MAX) return { kind: 'unanswered', reason: 'its answer is too large' }
      chunks.push(chunk)
    }
    return { kind: 'answered', status: statusCode, headers: flatten(headers), text: Buffer.concat(chunks).toString() }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'unanswered', reason: timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : describe(error) }
  }
}

export function createAgent(): Agent {
  return new Agent({ connect: { timeout: 5_000 } })
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
}

function describe(error: unknown): string {
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>
  return REASONS[code] ?? (message || code || String(error))
}
