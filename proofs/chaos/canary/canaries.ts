/** Random words that only their owner may see again, and the search for them in what others are shown. */
import { randomBytes } from 'node:crypto'

/** The owner of a canary: one mode of an account, or the account itself, whichever key it uses. */
export interface World {
  account: string
  mode: 'live' | 'test' | 'both'
}

export interface Canary extends World {
  field: string
  text: string
  /** True for ids that an operator needs, which our log may hold. */
  inLog: boolean
}

export interface Leak {
  observer: string
  operation: string
  /** `account mode field`, or what was wrong otherwise. */
  what: string
}

export class Canaries {
  readonly #planted: Canary[] = []

  /** A new canary as text that fits in a name, an address and a header. */
  plant(world: World, field: string, options: { inLog?: boolean } = {}): string {
    const text = `cnry${randomBytes(9).toString('hex')}`
    this.record(world, field, text, options)
    return text
  }

  /** Records something that the service made for the owner, such as an id or a secret. */
  record(world: World, field: string, text: unknown, { inLog = false }: { inLog?: boolean } = {}): void {
    if (typeof text !== 'string' || text.length < 8) throw new Error(`${field} is no canary: ${String(text)}`)
    this.#planted.push({ ...world, field, text, inLog })
  }

  get count(): number {
    return this.#planted.length
  }

  /** Returns the canaries of a text that neither `may` be seen nor were in the request, where they reveal nothing new. */
  find(shown: string, may: (canary: Canary) => boolean, asked = ''): Canary[] {
    return this.#planted.filter((canary) => shown.includes(canary.text) && !may(canary) && !asked.includes(canary.text))
  }
}

export function describeCanary({ account, mode, field }: Canary): string {
  return `${account} ${mode} ${field}`
}

/** Returns the canaries that the holder of a credential of this world may see. */
export function mayHolderSee(world: World | null): (canary: Canary) => boolean {
  return (canary) =>
    world !== null &&
    canary.account === world.account &&
    (canary.mode === 'both' || world.mode === 'both' || canary.mode === world.mode)
}
