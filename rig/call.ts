/** Plain requests to a running service, each from another address, so that no limit per address is met. */
import { randomInt } from 'node:crypto'

export interface CallOptions {
  key?: string
  token?: string
  idempotencyKey?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is instead of `body`. */
  rawBody?: string | Uint8Array
  headers?: Record<string, string>
  /** The caller's address; another one for each call unless given. */
  ip?: string
  signal?: AbortSignal
}

export interface Reply {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests and runs read bodies freely
  body: any
  text: string
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>

/** A request with its response, for one who checks or records them. */
export interface Called {
  method: string
  url: URL
  sent: string | Uint8Array | undefined
  cookies: string | null
  reply: Reply
}

export function createCall(origin: URL | string, onCalled?: (called: Called) => void): Call {
  return async (method, path, options = {}) => {
    const headers = new Headers(options.headers)
    headers.set('x-forwarded-for', options.ip ?? `198.${randomInt(18, 20)}.${randomInt(256)}.${randomInt(256)}`)
    if (options.key) headers.set('x-api-key', options.key)
    if (options.token) headers.set('authorization', `Bearer ${options.token}`)
    if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)
    const sent = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    if (sent !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const url = new URL(path, origin)
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(sent === undefined ? {} : { body: sent as string }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const text = await response.text()
    const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
    const reply = { status: response.status, headers: response.headers, body, text }
    onCalled?.({ method, url, sent, cookies: headers.get('cookie'), reply })
    return reply
  }
}
