/** Changes companies while customers send requests, and counts what their watchers receive. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../../../rig/child.ts'
import { isSoInTime } from '../../../rig/until.ts'
import type { WebProcess } from '../../../rig/web-process.ts'
import type { App } from '../../../src/app.ts'
import type { ChangeQuestion } from './follower-process.ts'

interface Around {
  follower: Child<unknown>
  web: WebProcess
  companyNumbers: readonly string[]
  /** As many as watch a company. */
  deliveriesEach: number
}

const BATCH_MS = 500

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

  /** Changes so many companies in one transaction. */
  async make(count: number): Promise<void> {
    const { follower, companyNumbers } = this.#around
    const numbers = Array.from({ length: Math.min(count, companyNumbers.length) }, (_, index) => {
      return companyNumbers[(this.#made + index) % companyNumbers.length] ?? ''
    })
    this.#made += numbers.length
    const question: ChangeQuestion = { companyNumbers: numbers }
    this.#signals += (await follower.ask<{ signals: number }>(question)).signals
  }

  /** Makes changes as a stream's batches come: twice a second, for so long or until `signal` is aborted. */
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

  /** Waits for what was not delivered yet; returns how many are missing in the end. */
  async waitForDeliveries(timeoutMs: number): Promise<number> {
    let missing = 0
    const areAllThere = async () => {
      missing = Math.max(0, this.expected - (await this.#around.web.countArrived()))
      return missing === 0
    }
    await isSoInTime(areAllThere, { timeoutMs })
    return missing
  }
}

export interface SettledDeliveries {
  deliveries: number
  deliveries_waiting: number
  deliveries_lost: number
}

/** A receiver that a busy machine kept from responding in time is tried again later: such a delivery waits and is not lost. */
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
