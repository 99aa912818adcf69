import { Pool } from 'undici'
import type { Part, PlannedRequest } from './parts.ts'

/**
 * What became of a request. `busy` is a refusal with 503, which is what the service says when it has too much to do;
 * `dropped` was never sent, as too many were under way.
 */
export type Fate = 'right' | 'wrong' | 'busy' | 'broken' | 'dropped'

export interface Sent {
  part: Part
  /** When it should have been sent. */
  dueAtMs: number
  endedAtMs: number
  fate: Fate
  /** What was wrong, in a few words. */
  trouble: string | null
}

const ANSWER_MS_MAX = 10_000
const TROUBLE_LENGTH_MAX = 200

/** Sends to several API processes in turn, as a balancer would. */
export class Sender implements AsyncDisposable {
  readonly #pools: Pool[]
  #count = 0

  constructor(urls: readonly string[], connectionsMax: number) {
    const limits = { connections: connectionsMax, headersTimeout: ANSWER_MS_MAX, bodyTimeout: ANSWER_MS_MAX }
    this.#pools = urls.map((url) => new Pool(url, { ...limits, pipelining: 1 }))
  }

  async send(part: Part, request: PlannedRequest, dueAtMs: number): Promise<Sent> {
    const told = await this.#exchange(request).catch((error: unknown) => {
      const trouble = `${part.name}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`
      return { fate: 'broken', trouble } as const
    })
    return { part, dueAtMs, endedAtMs: performance.now(), ...told }
  }

  async #exchange(request: PlannedRequest): Promise<Pick<Sent, 'fate' | 'trouble'>> {
    this.#count += 1
    const pool = this.#pools[this.#count % this.#pools.length] as Pool
    const { method, path, headers, body = null } = request
    const answer = await pool.request({ method, path, headers, body })
    const text = await answer.body.text()
    const isAccepted = request.accepts.includes(answer.statusCode)
    if (isAccepted && (request.isRight?.(text) ?? true)) return { fate: 'right', trouble: null }
    const trouble = `${method} ${path} answered ${answer.statusCode}: ${text}`.slice(0, TROUBLE_LENGTH_MAX)
    return { fate: answer.statusCode === 503 ? 'busy' : 'wrong', trouble }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()))
  }
}
