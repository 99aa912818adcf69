/** Destinations of the customers, a third of them in trouble, with what arrived at each. */

import { type ListeningWeb, Receiver } from '../../../rig/web/index.ts'
import type { App } from '../../../src/app.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { Arrivals } from './arrivals.ts'
import type { Customer } from './customers.ts'
import { TROUBLES, type Trouble } from './trouble.ts'

export interface ChaosDestination {
  id: number
  host: string
  customer: Customer
  signalType: string
  /** Null where it is well. */
  trouble: Trouble | null
  receiver: Receiver
  arrivals: Arrivals
}

const KEEP_REQUESTS_MAX = 20
/** How long the healthy ones take to respond. */
const RESPONSE_MS = [0, 5, 40, 0, 150]
const ONE_TYPE = 'status_changed'

export async function openDestinations(
  { app, web }: { app: App; web: ListeningWeb },
  customers: readonly Customer[],
  count: number,
): Promise<ChaosDestination[]> {
  const bodies = new Map<string, string>()
  const destinations: ChaosDestination[] = []
  for (let index = 0; index < count; index += 1) {
    const customer = customers[index % customers.length] as Customer
    const trouble = index % 3 === 1 ? (TROUBLES[Math.floor(index / 3) % TROUBLES.length] ?? null) : null
    const signalType = trouble?.refusals || (trouble === null && index % 5 === 2) ? ONE_TYPE : 'all'
    const host = `hooks-${index}.co.uk`
    // An address is checked when it is registered, so the trouble begins afterwards.
    web.setSite(host, {})
    const subscription = { accountId: customer.id, mode: 'live', webhookUrl: `https://${host}/in`, signalType } as const
    const { destination, secret } = await registerDestination(app, subscription)
    const arrivals = new Arrivals({ secret, signalType, watched: customer.watched, bodies })
    const behaviour = trouble?.behaviour ?? { kind: 'ok', delayMs: RESPONSE_MS[index % RESPONSE_MS.length] ?? 0 }
    const verify = arrivals.take.bind(arrivals)
    const receiver = new Receiver(behaviour, { verify, keepMax: KEEP_REQUESTS_MAX })
    web.setSite(host, { ...trouble?.site, receiver })
    destinations.push({ id: destination.id, host, customer, signalType, trouble, receiver, arrivals })
  }
  return destinations
}

export function isWanted(
  { customer, signalType }: ChaosDestination,
  signal: { type: string; company: string },
): boolean {
  return customer.watched.has(signal.company) && (signalType === 'all' || signalType === signal.type)
}
