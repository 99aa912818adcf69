import type { Random } from '../random.ts'

/** The material of requests: the customers who send them, and the subjects there are. */
export interface Cast {
  customers: Customer[]
  /** Customers whose keys and passwords are changed under them. */
  leaving: Customer[]
  domains: string[]
  companyNumbers: string[]
  /** Names to look for; without them those of the first made-up site. */
  companyNames?: string[]
  emails: string[]
  ids: FoundIds
}

export interface Customer {
  id: string
  key: string
  testKey: string
  /** Identifies a session. */
  token: string
}

const KEPT_MAX = 60

/** The kind of thing that the responses of an operation name. */
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

/** Ids from the service's responses, the latest of each kind: what a path needs to lead somewhere. */
export class FoundIds {
  readonly #kinds = new Map<string, string[]>()

  learn(operation: string, body: unknown): void {
    if (typeof body !== 'object' || body === null) return
    const response = body as Named
    if (response.job_id !== undefined) this.#store('job', response.job_id)
    if (response.resolution_id !== undefined) this.#store('resolutions', response.resolution_id)
    const kind = NAMED[operation]
    if (kind === undefined) return
    const list = Array.isArray(response.data) ? (response.data as Named[]) : [response]
    for (const { id } of list) this.#store(kind, id)
  }

  /** For `{id}` of `/v1/bulk/{id}` the kind is the segment before it. */
  pick(random: Random, template: string, name: string): string | null {
    const before = template.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''
    const known = this.#kinds.get(name === 'job_id' ? 'job' : before)
    return known ? random.pick(known) : null
  }

  #store(kind: string, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    const known = this.#kinds.get(kind) ?? []
    if (known.includes(String(id))) return
    known.push(String(id))
    if (known.length > KEPT_MAX) known.shift()
    this.#kinds.set(kind, known)
  }
}
