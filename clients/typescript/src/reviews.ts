import type { Dispute, Review, ReviewDetail } from './bodies.ts'
import { listItems } from './pages.ts'
import type { Transport } from './transport.ts'

export interface Said {
  companyNumber?: string | undefined
  /** Who decides; the account's e-mail address unless said. */
  reviewer?: string | undefined
  reason?: string | undefined
}

export interface Verdict extends Said {
  /** `accept` a candidate, `reject` them all, or `reassign` the domain to any company of the register. */
  action: 'accept' | 'reject' | 'reassign'
}

/** Answers that need a person, and what people decided. */
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

  async decide(id: string, { action, ...said }: Verdict): Promise<ReviewDetail> {
    const body = { action, ...present(said) }
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/decision`, body, isRepeatable: false })
  }

  /** The service's own answer holds again. */
  async withdraw(id: string): Promise<ReviewDetail> {
    return this.#transport.json({ method: 'DELETE', path: `${pathOf(id)}/decision`, isRepeatable: false })
  }

  /** Says that a match is wrong: it is not answered to you again, and its credit comes back. */
  async dispute(resolutionId: string, said: Said = {}): Promise<Dispute> {
    const path = `/v1/resolutions/${encodeURIComponent(resolutionId)}/dispute`
    return this.#transport.json({ method: 'POST', path, body: present(said), isRepeatable: false })
  }
}

const pathOf = (id: string) => `/v1/reviews/${encodeURIComponent(id)}`

function present({ companyNumber, reviewer, reason }: Said): object {
  return { company_number: companyNumber, reviewer, reason }
}
