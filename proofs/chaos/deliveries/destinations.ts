/** Destinations of the customers, a third of them in trouble, with what arrived at each. */
import { type ListeningWeb, Receiver, type ReceiverBehaviour, type SimulatedSite } from '../../../rig/web/index.ts'
import type { App } from '../../../src/app.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { Arrivals } from './arrivals.ts'
import type { Customer } from './customers.ts'

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

export interface Trouble {
  name: string
  /** How the receiver responds; with 200 unless given. */
  behaviour?: ReceiverBehaviour
  /** The fault before that: in its name, its address, its connections. */
  site?: SimulatedSite
  /** It has accepted everything in the end, or it is disabled and this is why. */
  end: 'accepts' | 'gone' | 'blocked_address' | 'no_success'
  /** It refuses each event so many times, which takes its time: it subscribes to one type alone. */
  refusals?: number
}

const REFUSED: ReceiverBehaviour = { kind: 'status', status: 503 }
const FIRST_TROUBLES: ReceiverBehaviour[] = [REFUSED, { kind: 'reset' }, { kind: 'hang' }, REFUSED, REFUSED, REFUSED]

/** The short run takes the first few. */
const TROUBLES: readonly Trouble[] = [
  { name: 'fails first', behaviour: { kind: 'fails_first', count: 1 }, end: 'accepts', refusals: 1 },
  { name: '410', behaviour: { kind: 'status', status: 410 }, end: 'gone' },
  { name: 'hangs', behaviour: { kind: 'hang' }, end: 'no_success' },
  { name: 'bad certificate', site: { https: 'bad_certificate' }, end: 'no_success' },
  {
    name: '429, Retry-After',
    behaviour: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    end: 'no_success',
  },
  { name: 'private address', site: { addresses: ['10.1.2.3'] }, end: 'blocked_address' },
  { name: '500', behaviour: { kind: 'status', status: 500, body: 'broken' }, end: 'no_success' },
  { name: 'resets', behaviour: { kind: 'reset' }, end: 'no_success' },
  {
    name: '302',
    behaviour: { kind: 'status', status: 302, headers: { location: 'https://elsewhere.co.uk/in' } },
    end: 'no_success',
  },
  { name: 'slow trickle', behaviour: { kind: 'trickle', everyMs: 100 }, end: 'no_success' },
  { name: 'slow headers', behaviour: { kind: 'slow_headers', delayMs: 60_000 }, end: 'no_success' },
  { name: 'refused', site: { https: 'refused' }, end: 'no_success' },
  { name: 'name is gone', site: { dns: 'nxdomain' }, end: 'no_success' },
  { name: 'huge answer', behaviour: { kind: 'huge', bytes: 5_000_000 }, end: 'accepts' },
  { name: 'recovers', behaviour: { kind: 'sequence', steps: [...FIRST_TROUBLES, { kind: 'ok' }] }, end: 'accepts' },
  { name: 'silent handshake', site: { https: 'hang' }, end: 'no_success' },
  { name: 'silent name server', site: { dns: 'timeout' }, end: 'no_success' },
]
