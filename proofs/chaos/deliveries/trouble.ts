/** Every way in which the simulated web can treat a delivery badly, and how the destination must end. */
import type { ReceiverBehaviour, SimulatedSite } from '../../../rig/web/index.ts'

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
export const TROUBLES: readonly Trouble[] = [
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
