import type {
  DeletedDestination,
  RegisteredDestination,
  Replay,
  RotatedSecret,
  WebhookAttempt,
  WebhookDestination,
  WebhookDestinations,
  WebhookTrial,
} from './bodies.ts'
import { listItems } from './pages.ts'
import { newIdempotencyKey, type Transport } from './transport.ts'

export type EventType = WebhookDestination['signal_type']

export interface ReplayOptions {
  /** The time of the first event. */
  since?: Date | undefined
  until?: Date | undefined
  /** `failed`: every attempt was spent. `missing`: the destination was disabled. By default all. */
  only?: 'failed' | 'missing' | undefined
  eventId?: string | undefined
  /** `next_cursor` of the previous result. */
  cursor?: string | undefined
}

export interface DestinationOptions {
  /** `slack` or `teams`: the address is an incoming webhook or workflow of theirs. By default `webhook`. */
  kind?: WebhookDestination['kind'] | undefined
  /** Only signals of companies on this list. */
  list?: string | undefined
  /** Only signals of this severity and graver ones. */
  severityMin?: 'info' | 'notice' | 'warning' | undefined
}

/** Webhook destinations: the addresses to which your events are sent. */
export class DestinationClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the destination with its secret, which is shown only here. Slack and Teams have none. */
  async create(
    webhookUrl: string,
    signalType: EventType = 'all',
    { kind, list, severityMin }: DestinationOptions = {},
  ): Promise<RegisteredDestination> {
    const body = { webhook_url: webhookUrl, signal_type: signalType, kind, list, severity_min: severityMin }
    return this.#transport.json({
      method: 'POST',
      path: '/v1/partner/webhooks',
      body,
      idempotencyKey: newIdempotencyKey(),
    })
  }

  async list(): Promise<WebhookDestination[]> {
    const { data } = await this.#transport.json<WebhookDestinations>({ method: 'GET', path: '/v1/partner/webhooks' })
    return data
  }

  async delete(id: number): Promise<DeletedDestination> {
    return this.#transport.json({ method: 'DELETE', path: pathOf(id) })
  }

  /** Sends a test event now and returns the response of your server. */
  async test(id: number): Promise<WebhookTrial> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/test`, isRepeatable: false })
  }

  async enable(id: number): Promise<WebhookDestination> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/enable` })
  }

  /** Returns a new secret. For 24 hours events carry the signatures of both. */
  async rotateSecret(id: number): Promise<RotatedSecret> {
    const path = `${pathOf(id)}/rotate-secret`
    return this.#transport.json({ method: 'POST', path, idempotencyKey: newIdempotencyKey() })
  }

  /** Sends events of the last 30 days again. */
  async replay(id: number, { since, until, only, eventId, cursor }: ReplayOptions = {}): Promise<Replay> {
    const body = { since: since?.toISOString(), until: until?.toISOString(), only, event_id: eventId, cursor }
    const path = `${pathOf(id)}/replay`
    return this.#transport.json({ method: 'POST', path, body, idempotencyKey: newIdempotencyKey() })
  }

  /** Yields every attempt of the last 30 days, newest first. */
  deliveries(id: number, { eventId }: { eventId?: string } = {}): AsyncGenerator<WebhookAttempt, void, undefined> {
    return listItems(this.#transport, { path: `${pathOf(id)}/deliveries`, query: { event_id: eventId, limit: 100 } })
  }
}

const pathOf = (id: number) => `/v1/partner/webhooks/${id}`
