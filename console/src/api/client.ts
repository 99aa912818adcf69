import { forgetSession, getSession } from '../session.ts'
import type { Error as ErrorBody } from './bodies.ts'

/** A refused or failed API call, with a message for people. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly fields: Array<{ field: string; message: string }>
  readonly isRetryable: boolean

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.detail ?? body.title ?? 'Something went wrong. Try again in a moment.')
    this.status = status
    this.code = body.code ?? 'unreachable'
    this.requestId = body.request_id ?? null
    this.fields = body.errors ?? []
    this.isRetryable = body.retryable ?? true
  }
}

export interface CallOptions {
  query?: Record<string, string | number | undefined>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** The request has its effect once, even if it is sent again. */
  isOnce?: true
  /** Set where a 401 means a wrong password. The session is still valid, and a second try would count as a failed one. */
  refusesPassword?: true
}

/** Calls the public API as the signed-in account and returns the body. */
export async function callApi<Body>(method: string, path: string, options: CallOptions = {}): Promise<Body> {
  const answer = await send(method, path, options)
  const text = await answer.text()
  const body = parse(text)
  if (!answer.ok) throw new ApiProblem(answer.status, body as Partial<ErrorBody>)
  return body as Body
}

/** Downloads a file from the public API. */
export async function fetchFile(path: string, options: CallOptions & { method?: string } = {}): Promise<Blob> {
  const answer = await send(options.method ?? 'GET', path, options)
  if (!answer.ok) throw new ApiProblem(answer.status, parse(await answer.text()) as Partial<ErrorBody>)
  return answer.blob()
}

/** Opens a file of the public API, to be read piece by piece. */
export async function openFile(path: string, options: CallOptions = {}): Promise<Response> {
  const answer = await send('GET', path, options)
  if (!answer.ok) throw new ApiProblem(answer.status, parse(await answer.text()) as Partial<ErrorBody>)
  return answer
}

/** Returns one part of a file in parts, and the address of the next one; null after the last. */
export async function fetchPart(path: string): Promise<{ file: Blob; next: string | null }> {
  const answer = await send('POST', path, {})
  if (!answer.ok) throw new ApiProblem(answer.status, parse(await answer.text()) as Partial<ErrorBody>)
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
  return { file: await answer.blob(), next }
}

async function send(method: string, path: string, options: CallOptions, isSecondTry = false): Promise<Response> {
  const { token, api_url: apiUrl } = await getSession()
  const url = new URL(path, apiUrl)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  }
  const { body, isJson } = encodeBody(options.body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(options.isOnce ? { 'idempotency-key': newIdempotencyKey() } : {}),
    ...options.headers,
  }
  const answer = await reach(url, { method, headers, body, signal: options.signal ?? null })
  // The token ended early: the password was changed, or a key was replaced. The cookie shows whether the person is still signed in.
  if (answer.status === 401 && !isSecondTry && !options.refusesPassword) {
    forgetSession()
    return send(method, path, options, true)
  }
  return answer
}

function encodeBody(body: unknown): { body: BodyInit | null; isJson: boolean } {
  if (body === undefined) return { body: null, isJson: false }
  if (body instanceof Blob) return { body, isJson: false }
  return { body: JSON.stringify(body), isJson: true }
}

async function reach(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiProblem(0, { detail: 'The service cannot be reached. Check your connection, then try again.' })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return {}
  }
}

/** Returns a key for one click, so that a repeated request has its effect once. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}
