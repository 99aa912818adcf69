import type { Dispute, Review, ReviewDetail } from './bodies.ts'
import { listItems } from './pages.ts'
import type { Transport } from './transport.ts'

/** Optional parts of a decision or a dispute. */
export interface DecisionDetails {
  companyNumber?: string | undefined
  /** The person who decides; by default the account's e-mail address. */
  reviewer?: string | undefined
  reason?: string | undefined
}

export interface ReviewDecision extends DecisionDetails {
  /** `accept` a candidate, `reject` them all, or `reassign` the domain to any company of the register. */
  action: 'accept' | 'reject' | 'reassign'
}

/** Reviews: answers that need a person, and the decisions of people. */
export class ReviewClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options: { status?: 'open' | 'decided'; domain?: string } = {}): AsyncGenerator<Review, void, undefined> {
    return listItems(this.#transport, { path: '/v1/reviews', query: { ...options, limit: 100 } })
  }

  async get(id: string): Promise<ReviewDetail> {
    return this.#transport.json({ method: 'GET', path: pathOf(id) })
  }

  async decide(id: string, { action, ...details }: ReviewDecision): Promise<ReviewDetail> {
    const body = { action, ...toBody(details) }
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/decision`, body, isRepeatable: false })
  }

  /** Withdraws your decision: the service's own answer is valid again. */
  async withdraw(id: string): Promise<ReviewDetail> {
    return this.#transport.json({ method: 'DELETE', path: `${pathOf(id)}/decision`, isRepeatable: false })
  }

  /** Reports a match as wrong: you do not get it again, and its credit is refunded. */
  async dispute(resolutionId: string, details: DecisionDetails = {}): Promise<Dispute> {
    const path = `/v1/resolutions/${encodeURIComponent(resolutionId)}/dispute`
    return this.#transport.json({ method: 'POST', path, body: toBody(details), isRepeatable: false })
  }
}

const pathOf = (id: string) => `/v1/reviews/${encodeURIComponent(id)}`

function toBody({ companyNumber, reviewer, reason }: DecisionDetails): object {
  return { company_number: companyNumber, reviewer, reason }
}
