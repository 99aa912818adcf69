/** Companies that change while customers ask, and what their watchers are sent of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../../../rig/child.ts'
import type { App } from '../../../src/app.ts'
import type { ChangeQuestion } from './follower-process.ts'

interface Around {
  follower: Child<unknown>
  web: Child<unknown>
  companyNumbers: readonly string[]
  /** Of every change, as many as watch the company. */
  deliveriesEach: number
}

const BATCH_MS = 500
const LOOK_MS = 100

export class Changes {
  readonly #around: Around
  #made = 0
  #signals = 0

  constructor(around: Around) {
    this.#around = around
  }

  get expected(): number {
    return this.#signals * this.#around.deliveriesEach
  }

  /** So many companies change in one transaction. */
  async make(count: number): Promise<void> {
    const { follower, companyNumbers } = this.#around
    const numbers = Array.from({ length: Math.min(count, companyNumbers.length) }, (_, place) => {
      return companyNumbers[(this.#made + place) % companyNumbers.length] ?? ''
    })
    this.#made += numbers.length
    const question: ChangeQuestion = { companyNumbers: numbers }
    this.#signals += (await follower.ask<{ signals: number }>(question)).signals
  }

  /** As a stream's batches come: twice a second, for so long or until `signal` says that it is enough. */
  async makeOverTime({ perSecond, durationMs }: { perSecond: number; durationMs: number }, signal: AbortSignal) {
    const startedAtMs = performance.now()
    let made = 0
    for (let passedMs = 0; passedMs < durationMs && !signal.aborted; passedMs = performance.now() - startedAtMs) {
      const due = Math.floor((passedMs / 1_000) * perSecond) - made
      if (due > 0) await this.make(due)
      made += due
      await sleep(BATCH_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async countArrived(): Promise<number> {
    return (await this.#around.web.ask<{ arrived: number }>({})).arrived
  }

  /** Waits for what was not delivered yet; answers how many are missing in the end. */
  async waitForDeliveries(waitMsMax: number): Promise<number> {
    const deadline = performance.now() + waitMsMax
    for (;;) {
      const missing = this.expected - (await this.countArrived())
      if (missing <= 0 || performance.now() > deadline) return Math.max(0, missing)
      await sleep(LOOK_MS)
    }
  }
}

export interface SettledDeliveries {
  deliveries: number
  deliveries_waiting: number
  deliveries_lost: number
}

/** A receiver that a busy machine kept from answering in time is tried again later: such a delivery waits and is not lost. */
export async function settleDeliveries(
  { app, changes }: { app: Pick<App, 'db'>; changes: Changes },
  waitMsMax: number,
): Promise<SettledDeliveries> {
  const missing = await changes.waitForDeliveries(waitMsMax)
  const pending = await app.db.query(`select from webhook_delivery where state = 'pending'`)
  return {
    deliveries: changes.expected,
    deliveries_waiting: pending.length,
    deliveries_lost: Math.max(0, missing - pending.length),
  }
}
