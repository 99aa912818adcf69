import type { ClosedListener, FetchedEvents, WebhookListener } from './bodies.ts'
import type { EventType } from './destinations.ts'
import type { Transport } from './transport.ts'

/** One event for a listener: `body` is the exact text that a destination would receive. */
export type FetchedEvent = FetchedEvents['data'][number]

export interface FetchOptions {
  /** Ids of the events of the previous call that reached your receiver. Events that are not named come again. */
  received?: readonly string[] | undefined
  /** How long the service waits when there is no event yet; 0 when left out, 25 at most. */
  waitSeconds?: number | undefined
  signal?: AbortSignal | undefined
}

/** Listeners: webhook destinations without a public address, whose events you fetch. For development. */
export class ListenerClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Opens a listener and returns the secret to sign with. It closes itself five minutes after the last fetch. */
  async open(
    signalType: EventType = 'all',
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<WebhookListener> {
    const body = { signal_type: signalType }
    return this.#transport.json({ method: 'POST', path: '/v1/webhook-listeners', body, isRepeatable: false, signal })
  }

  /** Returns the events that are due, oldest first, at most 50. */
  async fetchEvents(
    id: number,
    { received = [], waitSeconds = 0, signal }: FetchOptions = {},
  ): Promise<FetchedEvent[]> {
    const body = { received, wait_seconds: waitSeconds }
    const path = `${pathOf(id)}/events`
    return (await this.#transport.json<FetchedEvents>({ method: 'POST', path, body, waitSeconds, signal })).data
  }

  async close(id: number, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<ClosedListener> {
    return this.#transport.json({ method: 'DELETE', path: pathOf(id), signal })
  }
}

const pathOf = (id: number) => `/v1/webhook-listeners/${id}`
