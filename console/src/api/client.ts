import { forgetSession, getSession } from '../session.ts'
import type { Error as ErrorBody } from './bodies.ts'

/** A refusal of the API, or that it could not be reached: always with words for a person. */
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
  /** Where a 401 means a wrong password: it says nothing about the session, and a second try would count too. */
  refusesPassword?: true
}

/** Calls the public API as the signed-in account and answers the body. */
export async function callApi<Body>(method: string, path: string, options: CallOptions = {}): Promise<Body> {
  const answer = await send(method, path, options)
  const text = await answer.text()
  const body = parse(text)
  if (!answer.ok) throw new ApiProblem(answer.status, body as Partial<ErrorBody>)
  return body as Body
}

/** The same for what is no JSON: a file to keep. */
export async function fetchFile(path: string, options: CallOptions = {}): Promise<Blob> {
  const answer = await send('GET', path, options)
  if (!answer.ok) throw new ApiProblem(answer.status, parse(await answer.text()) as Partial<ErrorBody>)
  return answer.blob()
}

async function send(method: string, path: string, options: CallOptions, isSecondTry = false): Promise<Response> {
  const { token, api_url: apiUrl } = await getSession()
  const url = new URL(path, apiUrl)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  }
  const { body, isJson } = bodyOf(options.body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...options.headers,
  }
  const answer = await reach(url, { method, headers, body, signal: options.signal ?? null })
  // The token ended early: the password was changed, or a key was replaced. The cookie says whether we are still in.
  if (answer.status === 401 && !isSecondTry && !options.refusesPassword) {
    forgetSession()
    return send(method, path, options, true)
  }
  return answer
}

function bodyOf(body: unknown): { body: BodyInit | null; isJson: boolean } {
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

/** Of one click: sent again it does the thing once. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}
