/** Raises signals as the register's changes bring them: one alone, a few, or hundreds in one transaction. */
import { setTimeout as sleep } from 'node:timers/promises'
import { syntheticSignal } from '../../../rig/synthetic-signal.ts'
import type { App } from '../../../src/app.ts'
import { type NewSignal, raiseSignals } from '../../../src/signals/index.ts'
import type { WatchedCompany } from './customers.ts'

const TYPES = ['status_changed', 'name_changed', 'director_appointed', 'accounts_filed'] as const
const TRANSACTION_SIGNALS = [1, 1, 2, 5, 1, 20, 3, 100, 1, 10]
const TRIES_MAX = 120
const TRY_AGAIN_MS = 250
const WAIT_MS = 20

export function planSignals(companies: readonly WatchedCompany[], count: number): NewSignal[] {
  return Array.from({ length: count }, (_, index) => {
    const company = companies[Math.floor(Math.random() * companies.length)] as WatchedCompany
    return newSignal(company, index)
  })
}

export function newSignal({ number, name }: WatchedCompany, index: number): NewSignal {
  const signalType = TYPES[index % TYPES.length] ?? TYPES[0]
  return { ...syntheticSignal(number, `chaos:${index}`), companyName: name, signalType }
}

/** `shareAllowed` returns how much of it may have been raised by now. */
export async function raiseOverTime(
  app: App,
  signals: readonly NewSignal[],
  shareAllowed: () => number,
): Promise<void> {
  let raised = 0
  for (let transaction = 0; raised < signals.length; transaction += 1) {
    while (raised / signals.length >= shareAllowed()) await sleep(WAIT_MS)
    const size = TRANSACTION_SIGNALS[transaction % TRANSACTION_SIGNALS.length] ?? 1
    const batch = signals.slice(raised, raised + size)
    await raiseSurely(app, batch)
    raised += batch.length
  }
}

/** Tries until it is committed: a database that went away comes back, and a signal is known by its key. */
export async function raiseSurely(app: App, batch: readonly NewSignal[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await app.db.transaction((tx) => raiseSignals(app, tx, batch, app.clock.now()))
      return
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}
