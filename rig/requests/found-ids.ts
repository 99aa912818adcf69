import type { Random } from '../random.ts'

const KEPT_MAX = 60

/** Where the answers of an operation name something, and what it is. */
const NAMED: Record<string, string> = {
  createBulk: 'bulk',
  registerDestination: 'webhooks',
  openListener: 'webhook-listeners',
  listReviews: 'reviews',
  listConnections: 'connections',
}

interface Named {
  id?: unknown
  job_id?: unknown
  resolution_id?: unknown
  data?: unknown
}

/** Ids that the service gave away, the latest of each kind: what a path needs to lead somewhere. */
export class FoundIds {
  readonly #kinds = new Map<string, string[]>()

  learn(operation: string, body: unknown): void {
    if (typeof body !== 'object' || body === null) return
    const answer = body as Named
    if (answer.job_id !== undefined) this.#keep('job', answer.job_id)
    if (answer.resolution_id !== undefined) this.#keep('resolutions', answer.resolution_id)
    const kind = NAMED[operation]
    if (kind === undefined) return
    const list = Array.isArray(answer.data) ? (answer.data as Named[]) : [answer]
    for (const { id } of list) this.#keep(kind, id)
  }

  /** For `{id}` of `/v1/bulk/{id}` the kind is what stands before it. */
  pick(random: Random, template: string, name: string): string | null {
    const before = template.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''
    const known = this.#kinds.get(name === 'job_id' ? 'job' : before)
    return known ? random.pick(known) : null
  }

  #keep(kind: string, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    const known = this.#kinds.get(kind) ?? []
    if (known.includes(String(id))) return
    known.push(String(id))
    if (known.length > KEPT_MAX) known.shift()
    this.#kinds.set(kind, known)
  }
}
