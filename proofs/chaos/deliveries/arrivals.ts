import { createHmac } from 'node:crypto'
import type { ReceivedRequest } from '../../../rig/web/index.ts'

/** The terms that every delivery to one destination must meet. */
export interface Terms {
  secret: string
  signalType: string
  watched: ReadonlySet<string>
  /** By event, for all destinations together: an event has one body. */
  bodies: Map<string, string>
}

export type ProblemKind = 'signature' | 'account' | 'type' | 'identity'

interface EventBody {
  id: string
  type: string
  signal_type: string
  data: { id: string; company_number: string; signal_type: string }
}

const LATE_SECONDS_MAX = 300

/** The requests that arrived at one destination, each checked as a careful receiver does. */
export class Arrivals {
  /** By signal. */
  readonly #counts = new Map<string, { eventId: string; count: number }>()
  readonly #terms: Terms

  constructor(terms: Terms) {
    this.#terms = terms
  }

  get signals(): number {
    return this.#counts.size
  }

  get requests(): number {
    return this.#counts.values().reduce((sum, { count }) => sum + count, 0)
  }

  countOf(signalId: string): number {
    return this.#counts.get(signalId)?.count ?? 0
  }

  /** The most that came of one event. */
  get countMax(): number {
    return this.#counts.values().reduce((most, { count }) => Math.max(most, count), 0)
  }

  /** Returns the problem of a request, as `kind: what`; null when there is none. */
  take(request: ReceivedRequest): string | null {
    if (!isSigned(request, this.#terms.secret)) return toProblem('signature', request, 'is not signed as documented')
    const event = JSON.parse(request.body) as EventBody
    const known = this.#counts.get(event.data.id)
    this.#counts.set(event.data.id, { eventId: event.id, count: (known?.count ?? 0) + 1 })
    return this.#findProblem(request, event, known?.eventId)
  }

  #findProblem({ headers, ...request }: ReceivedRequest, event: EventBody, knownId: string | undefined): string | null {
    const { signalType, watched, bodies } = this.#terms
    const problem = (kind: ProblemKind, what: string) => toProblem(kind, { headers, ...request }, what)
    if (!watched.has(event.data.company_number)) return problem('account', `is about ${event.data.company_number}`)
    const isRightType = event.type === 'signal' && (signalType === 'all' || signalType === event.signal_type)
    if (!isRightType || headers['x-webhook-event'] !== event.signal_type)
      return problem('type', `is ${event.signal_type}`)
    if (headers['x-webhook-id'] !== event.id) return problem('identity', `is ${event.id} inside`)
    if (knownId !== undefined && knownId !== event.id) return problem('identity', `came as ${knownId} before`)
    const body = bodies.get(event.id)
    if (body === undefined) bodies.set(event.id, request.body)
    return (body ?? request.body) === request.body ? null : problem('identity', 'has another body than before')
  }
}

function toProblem(kind: ProblemKind, { headers }: Pick<ReceivedRequest, 'headers'>, what: string): string {
  return `${kind}: ${headers['x-webhook-id'] ?? 'a request without an id'} ${what}`
}

/** By both schemes, worked out from what is documented and not by the sender's own code. */
function isSigned({ headers, body, at }: ReceivedRequest, secret: string): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  if (Math.abs(at.getTime() / 1_000 - Number(timestamp)) > LATE_SECONDS_MAX) return false
  const ours = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  if (headers['x-webhook-signature'] !== ours) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const standard = createHmac('sha256', key).update(content).digest('base64')
  return headers['webhook-signature'] === `v1,${standard}` && headers['webhook-id'] === headers['x-webhook-id']
}
