import type { Agent } from 'undici'
import { signatureHeaders } from '../../webhooks/index.ts'
import { type Exchange, exchange } from './http-exchange.ts'
import type { FetchedEvent } from './listener-client.ts'

/** As long as the service waits for a receiver. */
const TIMEOUT_MS = 15_000

export interface HandedOn {
  outcome: Exchange
  durationMs: number
}

/** Sends an event to a receiver on this machine as the service would: the same bytes, headers and signature. */
export async function handOn(
  agent: Agent,
  event: FetchedEvent,
  { to, secret, signal }: { to: URL; secret: string; signal: AbortSignal },
): Promise<HandedOn> {
  const { event_id: eventId, body } = event
  const timestamp = Math.floor(Date.now() / 1_000)
  const begun = performance.now()
  const outcome = await exchange(agent, to, {
    method: 'POST',
    headers: {
      'user-agent': 'Nameplate-Webhooks/1.0 (nameplate listen)',
      'content-type': 'application/json; charset=utf-8',
      'x-webhook-event': event.signal_type,
      'x-webhook-attempt': String(event.attempt),
      ...signatureHeaders({ eventId, timestamp, body }, { current: secret, previous: null }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return { outcome, durationMs: Math.round(performance.now() - begun) }
}
