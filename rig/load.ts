/** Sends requests in two manners: when each is due, whatever became of those before it; or one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { type Random, randomOf } from './random.ts'

export interface PlannedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string
  accepts: readonly number[]
  /** False where the response is a refusal in spite of its status. */
  isRight?(text: string): boolean
}

/**
 * The outcome of a request. `busy` is a refusal with 503, which the service sends when it has too much to do; `dropped` was
 * never sent, as too many were under way.
 */
export type Fate = 'right' | 'wrong' | 'busy' | 'broken' | 'dropped'

export interface Sent<Request extends PlannedRequest = PlannedRequest> {
  request: Request
  /** When it should have been sent. */
  dueAtMs: number
  endedAtMs: number
  fate: Fate
  /** Describes a failure in a few words. */
  trouble: string | null
  bytes: number
}

export function latencyOf({ dueAtMs, endedAtMs }: Sent): number {
  return endedAtMs - dueAtMs
}

const RESPONSE_MS_MAX = 60_000
const TROUBLE_LENGTH_MAX = 200

/** Sends to several API processes, alternating as a balancer does. */
export class Sender implements AsyncDisposable {
  readonly #pools: Pool[]
  #count = 0

  constructor(urls: readonly string[], connectionsMax: number) {
    const limits = { connections: connectionsMax, headersTimeout: RESPONSE_MS_MAX, bodyTimeout: RESPONSE_MS_MAX }
    this.#pools = urls.map((url) => new Pool(url, { ...limits, pipelining: 1 }))
  }

  async send<Request extends PlannedRequest>(request: Request, dueAtMs = performance.now()): Promise<Sent<Request>> {
    const outcome = await this.#request(request).catch((error: unknown) => {
      const cause = error instanceof Error ? `${error.name} ${error.message}` : String(error)
      return { fate: 'broken', trouble: `${request.path}: ${cause}`, bytes: 0 } as const
    })
    return { request, dueAtMs, endedAtMs: performance.now(), ...outcome }
  }

  async #request(request: PlannedRequest): Promise<Pick<Sent, 'fate' | 'trouble' | 'bytes'>> {
    this.#count += 1
    const pool = this.#pools[this.#count % this.#pools.length] as Pool
    const { method, path, headers, body = null } = request
    const response = await pool.request({ method, path, headers, body })
    const text = await response.body.text()
    const { statusCode: status } = response
    const bytes = text.length
    if (request.accepts.includes(status) && (request.isRight?.(text) ?? true))
      return { fate: 'right', trouble: null, bytes }
    const trouble = `${method} ${path} responded ${status}: ${text}`.slice(0, TROUBLE_LENGTH_MAX)
    return { fate: status === 503 ? 'busy' : 'wrong', trouble, bytes }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()))
  }
}

/** So that an overload ends: what is due beyond this is dropped, and counts as failed. */
export const UNDER_WAY_MAX = 256

type Draw<Request> = (random: Random) => Request

/**
 * Open loop: gaps between requests are exponential, as those between strangers are, and the same for the same seed. A
 * request that could not be sent when it was due has waited since then.
 */
export async function sendWhenDue<Request extends PlannedRequest>(
  sender: Sender,
  draw: Draw<Request>,
  plan: { perSecond: number; durationMs: number; seed: number; signal: AbortSignal },
  onEnd: (sent: Sent<Request>) => void,
): Promise<void> {
  const random = randomOf(plan.seed, 0)
  const underWay = new Set<Promise<void>>()
  const startedAtMs = performance.now()
  const gapMs = () => (-Math.log(1 - random.next()) / plan.perSecond) * 1_000
  for (let dueMs = gapMs(); dueMs < plan.durationMs && !plan.signal.aborted; dueMs += gapMs()) {
    const dueAtMs = startedAtMs + dueMs
    const waitMs = dueAtMs - performance.now()
    if (waitMs > 1) await sleep(waitMs)
    const request = draw(random)
    if (underWay.size >= UNDER_WAY_MAX) {
      onEnd({ request, dueAtMs, endedAtMs: dueAtMs, fate: 'dropped', trouble: null, bytes: 0 })
      // Responses are only noticed between two passes of the event loop.
      await sleep(0)
      continue
    }
    const ended = sender.send(request, dueAtMs).then((sent) => {
      underWay.delete(ended)
      onEnd(sent)
    })
    underWay.add(ended)
  }
  await Promise.all(underWay)
}

/** Closed loop: so many customers, each of whom sends again when answered. */
export async function sendInTurn<Request extends PlannedRequest>(
  sender: Sender,
  draw: Draw<Request>,
  bounds: { customers: number; durationMs?: number; requestsMax?: number; seed?: number },
): Promise<Array<Sent<Request>>> {
  const { customers, durationMs = Number.POSITIVE_INFINITY, requestsMax = Number.POSITIVE_INFINITY, seed = 1 } = bounds
  const endAtMs = performance.now() + durationMs
  const sent: Array<Sent<Request>> = []
  let begun = 0
  const work = async (customer: number) => {
    const random = randomOf(seed, customer)
    while (performance.now() < endAtMs && begun < requestsMax) {
      begun += 1
      sent.push(await sender.send(draw(random)))
    }
  }
  await Promise.all(Array.from({ length: customers }, (_, customer) => work(customer)))
  return sent
}

/** Throws for the first request that failed. */
export function expectRight(sent: readonly Sent[]): void {
  const failed = sent.find(({ fate }) => fate !== 'right')
  if (failed) throw new Error(`a request failed: ${failed.trouble}`)
}
