/** A receiver of webhooks: it stores what it was sent, and treats it well or badly, as its behaviour says. */

export interface ReceivedRequest {
  at: Date
  method: string
  /** With its query, as sent. */
  path: string
  /** Names in lower case; a header that came several times is joined by commas. */
  headers: Record<string, string>
  /** `rawBody` as text. */
  body: string
  rawBody: Buffer
  /** Null while nothing is answered, and for good when nothing ever is. */
  answeredStatus: number | null
}

interface ReceiverOptions {
  /** Says what is wrong with a request, such as a missing signature; it is answered all the same. */
  verify?: (request: ReceivedRequest) => string | null
  /** The oldest requests are forgotten beyond this. They stay counted. */
  keepMax?: number
}

interface Waiter {
  count: number
  resolve: () => void
}

const KEEP_MAX = 100_000
const WAIT_MS_MAX = 120_000
const PROBLEMS_MAX = 1_000
const SHOWN_MAX = 20

export class Receiver {
  /** Oldest first. */
  readonly received: ReceivedRequest[] = []
  readonly problems: string[] = []
  readonly #verify: (request: ReceivedRequest) => string | null
  readonly #keepMax: number
  readonly #eventIds = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  #arrived = 0
  #choose: ChooseTreatment

  constructor(behaviour: ReceiverBehaviour = { kind: 'ok' }, { verify, keepMax = KEEP_MAX }: ReceiverOptions = {}) {
    this.#choose = createChooser(behaviour)
    this.#verify = verify ?? (() => null)
    this.#keepMax = keepMax
  }

  /** From the next request on; the behaviour counts from zero. */
  behave(behaviour: ReceiverBehaviour): void {
    this.#choose = createChooser(behaviour)
  }

  /** All requests, the forgotten ones included. */
  get arrived(): number {
    return this.#arrived
  }

  /** How often each event arrived, by its `x-webhook-id`, the forgotten requests included. */
  eventIds(): Map<string, number> {
    return new Map(this.#eventIds)
  }

  /** As if nothing had arrived. The behaviour goes on where it was. */
  clear(): void {
    this.received.length = 0
    this.problems.length = 0
    this.#eventIds.clear()
    this.#arrived = 0
  }

  /** Until so many requests arrived, those from before included. */
  async waitFor(count: number, timeoutMs = WAIT_MS_MAX): Promise<ReceivedRequest[]> {
    if (this.#arrived < count) await this.#wait(count, timeoutMs)
    return this.received
  }

  /** Stores a request whose body has arrived, and returns how to treat it. */
  take(request: ReceivedRequest): Treatment {
    const eventId = request.headers['x-webhook-id'] ?? ''
    this.received.push(request)
    // Several at once: each time, all that stay behind are moved.
    if (this.received.length > this.#keepMax) this.received.splice(0, Math.ceil(this.#keepMax / 10))
    this.#arrived += 1
    if (eventId) countOne(this.#eventIds, eventId)
    const problem = this.#verify(request)
    if (problem !== null) this.addProblem(problem)
    for (const waiter of this.#waiters) if (this.#arrived >= waiter.count) waiter.resolve()
    return this.#choose(eventId)
  }

  addProblem(problem: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(problem)
  }

  async #wait(count: number, timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { count, resolve }
    const timer = setTimeout(() => reject(this.#tooFew(count, timeoutMs)), timeoutMs)
    this.#waiters.add(waiter)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waiters.delete(waiter)
    }
  }

  #tooFew(count: number, timeoutMs: number): Error {
    const shown = this.received.slice(-SHOWN_MAX).map(({ method, path, headers, answeredStatus }) => {
      return `\n  ${method} ${path} ${headers['x-webhook-id'] ?? 'without an id'}, answered ${answeredStatus}`
    })
    return new Error(`${this.#arrived} of ${count} requests arrived within ${timeoutMs} ms${shown.join('')}`)
  }
}

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

type ChooseTreatment = (eventId: string) => Treatment

const EVENTS_MAX = 1_000_000

/** Says what happens to the next request, by the event it is about. Each chooser counts for itself, from nothing. */
function createChooser(behaviour: ReceiverBehaviour): ChooseTreatment {
  if (behaviour.kind === 'fails_first') return createFailingChooser(behaviour)
  if (behaviour.kind === 'sequence') return createChooserInTurn(behaviour.steps)
  return () => behaviour
}

function createFailingChooser({ count, status = 500 }: { count: number; status?: number }): ChooseTreatment {
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
function countOne(counts: Map<string, number>, eventId: string): number {
  const count = (counts.get(eventId) ?? 0) + 1
  counts.set(eventId, count)
  if (counts.size > EVENTS_MAX) counts.delete(counts.keys().next().value ?? '')
  return count
}
