/** What a row can come to, other than being kept. */

/** The deployment did otherwise than the contract says. */
export class Mismatch extends Error {
  static of(expected: string, came: string): Mismatch {
    return new Mismatch(`expected ${expected}; came ${came}`)
  }
}

/** The deployment could not be asked: something outside it is needed that was not given. Says what. */
export class NotShown extends Error {}

/** Made when it is first needed, and the same for everyone after. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
