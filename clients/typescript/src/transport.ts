import { describeConnectionFailure } from './connection-failure.ts'
import { ConnectionError, NameplateError, toError } from './errors.ts'

export interface NameplateOptions {
  /** Live or test; by default `NAMEPLATE_API_KEY` of the environment. */
  apiKey?: string | undefined
  /** The address of the service; by default `NAMEPLATE_API_URL` of the environment. */
  baseUrl?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** For one request, in addition to the time that it is allowed to wait. */
  timeoutMs?: number | undefined
  /** After the first try. */
  retriesMax?: number | undefined
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | number | boolean | undefined>
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  csv?: string | undefined
  /** The form of the response; JSON where it is not given. */
  accept?: string
  /** How long the service may delay the response until the work is done. */
  waitSeconds?: number
  /** For a request that creates or spends something: with it, all tries count as one request. */
  idempotencyKey?: string
  /** False where two requests have another effect than one: it is repeated only after a 429. */
  isRepeatable?: boolean
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 30_000
const RETRIES_MAX = 3
const BACKOFF_MS = 500
const BACKOFF_MAX_MS = 8_000
/** A longer wait is the decision of the caller: the error is thrown with its `retryAfterSeconds`. */
const RETRY_AFTER_MAX_SECONDS = 60
/** The service goes on with a request whose connection broke; its answer is awaited as long as the service may work. */
const IN_USE_RETRIES_MAX = 45

/** Sends requests, and repeats those that are safe to repeat and may succeed. */
export class Transport {
  readonly #apiKey: string
  readonly #baseUrl: string
  readonly #fetch: typeof globalThis.fetch
  readonly #timeoutMs: number
  readonly #retriesMax: number

  constructor(options: NameplateOptions) {
    this.#apiKey = options.apiKey ?? readEnvironment('NAMEPLATE_API_KEY', 'apiKey')
    this.#baseUrl = (options.baseUrl ?? readEnvironment('NAMEPLATE_API_URL', 'baseUrl')).replace(/\/+$/, '')
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#retriesMax = options.retriesMax ?? RETRIES_MAX
  }

  async json<Body>(request: ApiRequest): Promise<Body> {
    return this.#send(request, async (response) => (await response.json()) as Body)
  }

  async bytes(request: ApiRequest): Promise<Uint8Array> {
    return this.#send(request, async (response) => new Uint8Array(await response.arrayBuffer()))
  }

  /** Returns the response with its body unread. */
  async open(request: ApiRequest): Promise<Response> {
    return this.#send(request, async (response) => response)
  }

  async #send<Result>(request: ApiRequest, read: (response: Response) => Promise<Result>): Promise<Result> {
    let failures = 0
    let inUse = 0
    for (;;) {
      try {
        return await this.#try(request, read)
      } catch (error) {
        if (!(error instanceof NameplateError) || !isWorthRepeating(error, request)) throw error
        if (error.code === 'idempotency_key_in_use') inUse += 1
        else failures += 1
        if (failures > this.#retriesMax || inUse > IN_USE_RETRIES_MAX) throw error
        await sleep(delayMs(error, failures), request.signal)
      }
    }
  }

  async #try<Result>(request: ApiRequest, read: (response: Response) => Promise<Result>): Promise<Result> {
    request.signal?.throwIfAborted()
    const late = new AbortController()
    const timeoutMs = this.#timeoutMs + (request.waitSeconds ?? 0) * 1_000
    const timer = setTimeout(() => late.abort(), timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal
    try {
      const response = await this.#fetch(this.#urlOf(request), { ...this.#initOf(request), signal })
      if (response.ok) return await read(response)
      throw toError(response.status, await response.text(), response.headers.get('retry-after'))
    } catch (error) {
      if (error instanceof NameplateError) throw error
      request.signal?.throwIfAborted()
      throw new ConnectionError(this.#describeSilence(error, late.signal.aborted ? timeoutMs : null), { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  #describeSilence(error: unknown, timeoutMs: number | null): string {
    if (timeoutMs !== null) return `No answer from ${this.#baseUrl}: nothing came within ${timeoutMs} ms.`
    if (error instanceof SyntaxError) return `What answers at ${this.#baseUrl} is not this API: its answer is not JSON.`
    return `No answer from ${this.#baseUrl}: ${describeConnectionFailure(error)}.`
  }

  #urlOf({ path, query = {} }: ApiRequest): string {
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
    return `${this.#baseUrl}${path}${given.size === 0 ? '' : `?${given.toString()}`}`
  }

  #initOf({
    method,
    body,
    csv,
    accept = 'application/json',
    waitSeconds = 0,
    idempotencyKey,
  }: ApiRequest): RequestInit {
    const headers: Record<string, string> = { accept, 'x-api-key': this.#apiKey }
    if (waitSeconds > 0) headers['prefer'] = `wait=${waitSeconds}`
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    // The key is for this service alone: a redirect is not followed.
    const init: RequestInit = { method, headers, redirect: 'manual' }
    if (csv !== undefined) return { ...init, headers: { ...headers, 'content-type': 'text/csv' }, body: csv }
    if (body === undefined) return init
    return { ...init, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  }
}

function isWorthRepeating(error: NameplateError, { isRepeatable = true }: ApiRequest): boolean {
  if (!error.retryable || (error.retryAfterSeconds ?? 0) > RETRY_AFTER_MAX_SECONDS) return false
  return isRepeatable || error.status === 429
}

/** Adds jitter, so that clients that were refused together do not return together. */
function delayMs({ retryAfterSeconds }: NameplateError, failures: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000 + Math.random() * BACKOFF_MS
  return Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}

export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}

function readEnvironment(variable: string, option: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  const value = process?.env?.[variable]
  if (!value) throw new TypeError(`Give \`${option}\`, or set ${variable} in the environment.`)
  return value
}
