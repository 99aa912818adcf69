import type { Priority, RestBudget } from './rest-budget.ts'

export interface PurseOptions {
  priority: Priority
  maxWaitMs: number
  accountId: string | null
}

/**
 * What one piece of work may spend: requests taken from the budget several at once, and the time until nobody waits for
 * the answer any more. Asking for all of them together costs one write instead of one per request.
 */
export class RestPurse {
  readonly #budget: RestBudget
  readonly #asker: Pick<PurseOptions, 'priority' | 'accountId'>
  readonly #endsAtMs: number
  #left = 0
  #useBy = new Date(0)

  constructor(budget: RestBudget, options: PurseOptions) {
    this.#budget = budget
    this.#asker = { priority: options.priority, accountId: options.accountId }
    this.#endsAtMs = performance.now() + options.maxWaitMs
  }

  /** Takes what can be had of `count` now. Coming back empty is no failure yet: `spend` asks again. */
  async fill(count: number): Promise<void> {
    const grant = await this.#budget.take({ ...this.#asker, count, maxWaitMs: 0 })
    if (grant.kind === 'spent') return
    this.#left = grant.count
    this.#useBy = grant.useBy
  }

  /** One request: null when it may be sent now, else when to come back. */
  async spend(): Promise<{ retryAt: Date } | null> {
    if (this.#left > 0 && this.#budget.clock.now() < this.#useBy) {
      this.#left -= 1
      return null
    }
    const grant = await this.#budget.take({ ...this.#asker, count: 1, maxWaitMs: this.remainingMs() })
    return grant.kind === 'spent' ? { retryAt: grant.retryAt } : null
  }

  remainingMs(): number {
    return Math.max(0, Math.floor(this.#endsAtMs - performance.now()))
  }
}
