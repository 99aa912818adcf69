import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  timeoutMs?: number
  everyMs?: number
}

const TIMEOUT_MS = 120_000
const EVERY_MS = 100

/** Asks again and again until the condition holds; returns false when the time is over before. */
export async function isSoInTime(
  isSo: () => Promise<boolean> | boolean,
  { timeoutMs = TIMEOUT_MS, everyMs = EVERY_MS }: Patience = {},
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > deadline) return false
    await sleep(everyMs)
  }
  return true
}

/** The same, and throws `problem` when the time is over. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  problem: string | (() => string),
  patience: Patience = {},
): Promise<void> {
  if (await isSoInTime(isSo, patience)) return
  throw new Error(typeof problem === 'string' ? problem : problem())
}

/** Runs `act` every so often until the block ends. */
export function every(everyMs: number, act: () => void): Disposable {
  const timer = setInterval(act, everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
