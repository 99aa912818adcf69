/** Trouble on demand. Every decision comes from a seeded sequence, so that a failing run can be run again. */

export type RestFault =
  | 'drop'
  | 'delay'
  | 'answer429'
  | 'answer500'
  | 'answer502'
  | 'answer503'
  | 'answer504'
  | 'answerHtml'
  | 'halfBody'

export type StreamFault =
  /** At the connect, before any answer. */
  | 'refuse'
  | 'answer429'
  | 'answer500'
  | 'answer502'
  | 'answer503'
  | 'answer504'
  /** At an event. */
  | 'drop'
  | 'delay'
  | 'halfLine'
  | 'splitLine'
  | 'duplicate'
  /** At an event's origin: the resource is announced a second time, unchanged, under the next timepoint. */
  | 'repeat'

export type BulkFault = 'drop' | 'delay' | 'answer404' | 'answer500' | 'answer503' | 'halfBody'

/** `next` strikes that many times in a row and then stops; `probability` strikes by chance until it is cleared. */
export type Dose = { next: number } | { probability: number }

export class FaultSwitch<Fault extends string> {
  /** How long a `delay` takes. */
  delayMs = 200
  readonly #doses = new Map<Fault, Dose>()
  readonly #struck = new Map<Fault, number>()
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  set(doses: Partial<Record<Fault, Dose>>): void {
    for (const [fault, dose] of Object.entries(doses) as [Fault, Dose][]) this.#doses.set(fault, { ...dose })
  }

  clear(): void {
    this.#doses.clear()
  }

  /** Decides, and uses up one of a counted dose. */
  strikes(fault: Fault): boolean {
    const dose = this.#doses.get(fault)
    if (!dose || !this.#decide(dose)) return false
    this.#struck.set(fault, this.timesStruck(fault) + 1)
    return true
  }

  timesStruck(fault: Fault): number {
    return this.#struck.get(fault) ?? 0
  }

  #decide(dose: Dose): boolean {
    if ('probability' in dose) return this.#random() < dose.probability
    if (dose.next <= 0) return false
    dose.next -= 1
    return true
  }
}

export interface Faults {
  rest: FaultSwitch<RestFault>
  stream: FaultSwitch<StreamFault>
  bulk: FaultSwitch<BulkFault>
  /** Ends all trouble. */
  clear(): void
}

export function createFaults(seed: number): Faults {
  const rest = new FaultSwitch<RestFault>(seed)
  const stream = new FaultSwitch<StreamFault>(seed + 1)
  const bulk = new FaultSwitch<BulkFault>(seed + 2)
  const clear = () => {
    for (const channel of [rest, stream, bulk]) channel.clear()
  }
  return { rest, stream, bulk, clear }
}

/** Mulberry32: 32 bits of state are plenty for deciding whom to trip. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const PROXY_TEXTS: Record<string, string> = {
  answer502: 'The server returned an invalid or incomplete response.',
  answer503: 'No server is available to handle this request.',
  answer504: "The server didn't respond in time.",
}

/** What an answered fault looks like from outside; null for the faults that answer nothing. */
export function faultAnswer(fault: string): { status: number; contentType: string; body: string } | null {
  const status = Number(/^answer(\d{3})$/.exec(fault)?.[1])
  if (!status) return null
  const text = PROXY_TEXTS[fault]
  if (!text) return { status, contentType: 'application/json', body: '' }
  return { status, contentType: 'text/html', body: `<html><body><h1>${status}</h1>\n${text}\n</body></html>\n` }
}
