import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { createAgent, type Exchange, exchange } from './http-exchange.ts'

/** The part of the public API by which a developer's machine gets its events. Refusals are `DomainError`s. */
export class ListenerClient {
  readonly #agent = createAgent()
  readonly #apiUrl: URL
  readonly #apiKey: string

  constructor({ apiUrl, apiKey }: { apiUrl: URL; apiKey: string }) {
    this.#apiUrl = apiUrl
    this.#apiKey = apiKey
  }

  async open(signalType: string, signal: AbortSignal): Promise<z.output<typeof Opened>> {
    return this.#ask('POST', '/v1/webhook-listeners', Opened, { body: { signal_type: signalType }, signal })
  }

  /** Says what was handed on, and waits a while for what comes. */
  async fetchEvents(
    id: number,
    { received, signal }: { received: readonly string[]; signal: AbortSignal },
  ): Promise<FetchedEvent[]> {
    const path = `/v1/webhook-listeners/${id}/events`
    const body = { received, wait_seconds: WAIT_SECONDS }
    return (await this.#ask('POST', path, Fetched, { body, signal })).data
  }

  async close(id: number): Promise<void> {
    const signal = AbortSignal.timeout(CLOSE_TIMEOUT_MS)
    await this.#ask('DELETE', `/v1/webhook-listeners/${id}`, z.unknown(), { signal })
  }

  async end(): Promise<void> {
    await this.#agent.destroy()
  }

  async #ask<Schema extends z.ZodType>(
    method: 'POST' | 'DELETE',
    path: string,
    schema: Schema,
    { body, signal }: { body?: object; signal: AbortSignal },
  ): Promise<z.output<Schema>> {
    const answer = await exchange(this.#agent, new URL(path, this.#apiUrl), {
      method,
      headers: { 'x-api-key': this.#apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    const parsed = isSuccess(answer) ? schema.safeParse(parseJson(answer.text)) : null
    if (parsed?.success) return parsed.data
    throw this.#toRefusal(answer)
  }

  #toRefusal(answer: Exchange): DomainError {
    const { origin } = this.#apiUrl
    if (answer.kind === 'unanswered') {
      const message = `No service answers at ${origin}: ${answer.reason}. Is it running? --api-url says where it is.`
      return new DomainError('unavailable', message)
    }
    const refusal = Refusal.safeParse(parseJson(answer.text)).data
    if (answer.status === 401 && refusal) {
      const hint = 'It is taken from --api-key or NAMEPLATE_API_KEY.'
      return new DomainError('invalid_credentials', `${refusal.detail} ${hint}`)
    }
    if (refusal) {
      const retryAfterSeconds = Number(answer.headers['retry-after']) || 1
      return new DomainError(refusal.retryable ? 'unavailable' : 'invalid_request', refusal.detail, {
        retryAfterSeconds,
      })
    }
    // A proxy answers in the place of a service that is being restarted.
    if (answer.status >= 500) return new DomainError('unavailable', `${origin} answers ${answer.status}.`)
    const message = `What answers at ${origin} is not this API (status ${answer.status}). --api-url says where it is.`
    return new DomainError('invalid_request', message)
  }
}

export type FetchedEvent = z.output<typeof FetchedEvent>

const WAIT_SECONDS = 25
const TIMEOUT_MS = 40_000
const CLOSE_TIMEOUT_MS = 5_000

const Opened = z.object({ id: z.int(), secret: z.string() })
const FetchedEvent = z.object({
  event_id: z.string(),
  signal_type: z.string(),
  body: z.string(),
  attempt: z.int(),
})
const Fetched = z.object({ data: z.array(FetchedEvent) })
const Refusal = z.object({ detail: z.string(), retryable: z.boolean() })

function isSuccess(answer: Exchange): answer is Exchange & { kind: 'answered' } {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300
}

/** Null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
