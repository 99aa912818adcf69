/** How a simulated receiver of webhooks treats what it is sent. */

/** The treatment of one request. */
export type Treatment =
  /** `status` is 200 to 299. */
  | { kind: 'ok'; status?: number; delayMs?: number }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** Reads the request and never answers. */
  | { kind: 'hang' }
  /** Reads the request and ends the connection. */
  | { kind: 'reset' }
  /** 200 at once, and then a byte at a time without end. */
  | { kind: 'trickle'; everyMs: number }
  /** Not a byte until the delay is over, and then 200. */
  | { kind: 'slow_headers'; delayMs: number }
  /** 200 with a body of so many bytes. */
  | { kind: 'huge'; bytes: number }

export type ReceiverBehaviour =
  | Treatment
  /** The first attempts of each event get `status`, 500 unless said, and later ones 200. */
  | { kind: 'fails_first'; count: number; status?: number }
  /** One for each request, the last of them for all that follow. */
  | { kind: 'sequence'; steps: ReceiverBehaviour[] }

export type ChooseTreatment = (eventId: string) => Treatment

const EVENTS_MAX = 1_000_000

/** Says what happens to the next request, by the event it is about. Each chooser counts for itself, from nothing. */
export function createChooser(behaviour: ReceiverBehaviour): ChooseTreatment {
  if (behaviour.kind === 'fails_first') return createFailingChooser(behaviour)
  if (behaviour.kind === 'sequence') return createChooserInTurn(behaviour.steps)
  if (behaviour.kind === 'ok') checkStatus(behaviour.status ?? 200, { min: 200, max: 299 })
  if (behaviour.kind === 'status') checkStatus(behaviour.status, { min: 200, max: 599 })
  return () => behaviour
}

function createFailingChooser({ count, status = 500 }: { count: number; status?: number }): ChooseTreatment {
  checkStatus(status, { min: 200, max: 599 })
  const attempts = new Map<string, number>()
  return (eventId) => {
    const attempt = countOne(attempts, eventId)
    return attempt <= count ? { kind: 'status', status } : { kind: 'ok' }
  }
}

function createChooserInTurn(steps: ReceiverBehaviour[]): ChooseTreatment {
  const [first, ...later] = steps.map(createChooser)
  if (!first) throw new Error('A sequence of behaviours needs at least one step.')
  let current = first
  let isBegun = false
  return (eventId) => {
    if (isBegun) current = later.shift() ?? current
    isBegun = true
    return current(eventId)
  }
}

/** Beyond the bound, the event that was met first is forgotten. */
export function countOne(counts: Map<string, number>, eventId: string): number {
  const count = (counts.get(eventId) ?? 0) + 1
  counts.set(eventId, count)
  if (counts.size > EVENTS_MAX) counts.delete(counts.keys().next().value ?? '')
  return count
}

function checkStatus(status: number, { min, max }: { min: number; max: number }): void {
  if (Number.isInteger(status) && status >= min && status <= max) return
  throw new Error(`A receiver that behaves like this answers ${min} to ${max}, not ${status}.`)
}
