/** Trouble on demand. Every decision comes from a seeded sequence, so that a failing run can be run again. */
import { Random } from '../random.ts'

type Answered = `answer${429 | 500 | 502 | 503 | 504}`

export type RestFault = 'drop' | 'delay' | Answered | 'answerHtml' | 'halfBody'

export type DocumentFault =
  | Answered
  | 'answer404'
  /** The document host redirects without an address. */
  | 'noLocation'
  /** The storage sends a page instead of the document. */
  | 'storageHtml'
  /** It sends a page under the type of a PDF. */
  | 'storageFalsePdf'
  /** It sends bytes without end. */
  | 'storageEndless'
  /** It sends a beginning, and then nothing. */
  | 'storageStalls'
  /** It sends nothing at all. */
  | 'storageSilent'
  /** It ends the connection in the middle. */
  | 'storageBreaks'

export type StreamFault =
  /** At the connect, before any answer. */
  | 'refuse'
  | Answered
  /** At an event. */
  | 'drop'
  | 'delay'
  | 'halfLine'
  | 'splitLine'
  | 'duplicate'
  /** At an event's origin: the resource is announced a second time, unchanged, under the next timepoint. */
  | 'repeat'

/**
 * `next` strikes that many times in a row and then stops, `after` so many requests that pass; `probability` strikes by chance
 * until it is cleared.
 */
export type Dose = { next: number; after?: number } | { probability: number }

export class FaultSwitch<Fault extends string> {
  /** How long a `delay` takes. */
  delayMs = 200
  readonly #doses = new Map<Fault, Dose>()
  readonly #random: Random

  constructor(seed: number) {
    this.#random = new Random(seed)
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
    if (!dose) return false
    if ('probability' in dose) return this.#random.isTrue(dose.probability)
    if (dose.after) {
      dose.after -= 1
      return false
    }
    if (dose.next <= 0) return false
    dose.next -= 1
    return true
  }
}

export interface Faults {
  rest: FaultSwitch<RestFault>
  stream: FaultSwitch<StreamFault>
  document: FaultSwitch<DocumentFault>
  /** Ends all trouble. */
  clear(): void
}

export function createFaults(seed: number): Faults {
  const rest = new FaultSwitch<RestFault>(seed)
  const stream = new FaultSwitch<StreamFault>(seed + 1)
  const document = new FaultSwitch<DocumentFault>(seed + 2)
  const clear = () => {
    for (const channel of [rest, stream, document]) channel.clear()
  }
  return { rest, stream, document, clear }
}

const PROXY_TEXTS: Record<string, string> = {
  answer502: 'The server returned an invalid or incomplete response.',
  answer503: 'No server is available to handle this request.',
  answer504: "The server didn't respond in time.",
}

interface FaultAnswer {
  status: number
  contentType: string
  body: string
}

/** Returns the response of the first of these faults that strikes; null when none does. */
export function faultAnswer<Fault extends string>(
  faults: FaultSwitch<Fault>,
  answered: readonly Fault[],
): FaultAnswer | null {
  const fault = answered.find((each) => faults.strikes(each))
  if (!fault) return null
  const status = Number(fault.slice('answer'.length))
  const text = PROXY_TEXTS[fault]
  if (!text) return { status, contentType: 'application/json', body: '' }
  return { status, contentType: 'text/html', body: `<html><body><h1>${status}</h1>\n${text}\n</body></html>\n` }
}
