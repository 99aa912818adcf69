/** How a row ends when it is not kept, and how a run waits for what it needs. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The deployment did otherwise than the contract says. */
export class Mismatch extends Error {
  static of(expected: string, came: string): Mismatch {
    return new Mismatch(`expected ${expected}; came ${came}`)
  }
}

/** The deployment could not be asked: something outside it is needed that was not given. Says what. */
export class NotShown extends Error {}

/** Makes a value when it is first needed; every later call returns the same one. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Asks until there is something to return. Throws a `Mismatch` when the time is over. */
export async function waitFor<Value>(
  expected: string,
  find: () => Promise<Value | undefined>,
  { waitMs = 30_000, everyMs = 150 } = {},
): Promise<Value> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw Mismatch.of(expected, `nothing within ${waitMs / 1_000} s`)
    await sleep(everyMs)
  }
}
