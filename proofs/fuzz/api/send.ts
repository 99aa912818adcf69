import { errors, Pool } from 'undici'
import type { FuzzResponse } from './check-response.ts'
import type { FuzzRequest } from './mutations.ts'

export type Sent =
  | { kind: 'answered'; response: FuzzResponse }
  | { kind: 'hung' }
  | { kind: 'dropped'; why: string }
  /** No client that keeps to HTTP can send it. */
  | { kind: 'unsendable' }

const ANSWER_MS = 10_000
/** Where the request may wait for its response. */
const WAITING_MS = 65_000
const WAITS = new Set(['callAgentEndpoint', 'fetchEvents'])

export interface Sender {
  send(request: FuzzRequest): Promise<Sent>
  close(): Promise<void>
}

/** Requests over kept-alive connections. API and site are two names of one address. */
export function openSender(url: string, connections: number): Sender {
  const { port } = new URL(url)
  const pool = new Pool(url, { connections, pipelining: 1 })
  return {
    send: async (request) => {
      const host = `${request.operation.host === 'api' ? '127.0.0.1' : 'localhost'}:${port}`
      const isPatient = WAITS.has(request.operation.id) || request.headers['prefer'] !== undefined
      const timeoutMs = isPatient ? WAITING_MS : ANSWER_MS
      try {
        const { statusCode, headers, body } = await pool.request({
          method: request.method,
          path: request.path,
          headers: { host, ...request.headers },
          body: request.body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        })
        return { kind: 'answered', response: { status: statusCode, headers, text: await body.text() } }
      } catch (error) {
        return explain(error)
      }
    },
    close: () => pool.destroy(),
  }
}

function explain(error: unknown): Sent {
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) return { kind: 'hung' }
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError)
    return { kind: 'unsendable' }
  return { kind: 'dropped', why: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
}

/** Returns the command that sends it again. */
export function toCurl({ method, path, headers, body, mutations }: FuzzRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${JSON.stringify(`${name}: ${String(value)}`)}`)
  const data = body === null ? [] : [`--data-raw ${JSON.stringify(body.toString('utf8').slice(0, 400))}`]
  const done = mutations.length > 0 ? ` # ${mutations.join(', ')}` : ''
  return ['curl', '-X', method, ...lines, ...data, JSON.stringify(path)].join(' ') + done
}
