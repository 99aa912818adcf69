import { toDate } from '../../lib/text/loose-json.ts'
import { type Attributes, toLocalName } from './xml-tags.ts'

/** A period, and what its facts are of. Facts refer to contexts and units by id. */
export interface Context {
  /** Null for an instant. */
  start: string | null
  end: string
  /** The members of dimensions that narrow it, by local name; none for the company as a whole. */
  members: readonly string[]
}

const CONTEXTS_MAX = 5_000
const UNITS_MAX = 200
const MEMBERS_MAX = 20
const TEXT_MAX = 300
/** Before the oldest accounts that have tags, and after every date that can be meant. */
const [END_MIN, END_MAX] = ['1990-01-01', '2100-01-01']

const TEXT_TAGS = new Set(['instant', 'startDate', 'endDate', 'explicitMember', 'measure'])
export const REFERENCE_TAGS: ReadonlySet<string> = new Set([...TEXT_TAGS, 'context', 'typedMember', 'unit'])

/** Collects contexts and units from the tags of a document. */
export class FactReferences {
  readonly contexts = new Map<string, Context>()
  /** The currency, or whatever else is counted, by the id of the unit. */
  readonly units = new Map<string, string>()
  #id: string | null = null
  #start = ''
  #end = ''
  #members: string[] = []
  #measure = ''
  #text: string | null = null

  open(tag: string, attributes: Attributes): void {
    if (tag === 'context' || tag === 'unit') {
      this.#id = attributes.get('id') ?? null
      this.#start = this.#end = this.#measure = ''
      this.#members = []
    } else if (this.#id === null) return
    else if (TEXT_TAGS.has(tag)) this.#text = ''
    // What a typed member holds is free text; that there is one is enough.
    else if (this.#members.length < MEMBERS_MAX) this.#members.push(tag)
  }

  text(piece: string): void {
    if (this.#text !== null && this.#text.length < TEXT_MAX) this.#text += piece.slice(0, TEXT_MAX)
  }

  close(tag: string): void {
    if (tag === 'context') this.#keepContext()
    else if (tag === 'unit') {
      if (this.#id !== null && this.units.size < UNITS_MAX) this.units.set(this.#id, this.#measure)
      this.#id = null
    } else if (this.#text !== null && TEXT_TAGS.has(tag)) {
      this.#keepText(tag, this.#text.trim())
      this.#text = null
    }
  }

  #keepText(tag: string, text: string): void {
    if (tag === 'startDate') this.#start = text
    else if (tag === 'instant' || tag === 'endDate') this.#end = text
    else if (tag === 'measure') this.#measure ||= toLocalName(text)
    else if (this.#members.length < MEMBERS_MAX) this.#members.push(toLocalName(text))
  }

  #keepContext(): void {
    const end = toDate(this.#end.slice(0, 10))
    if (this.#id !== null && end !== null && end > END_MIN && end < END_MAX && this.contexts.size < CONTEXTS_MAX)
      this.contexts.set(this.#id, { start: toDate(this.#start.slice(0, 10)), end, members: this.#members })
    this.#id = null
    this.#text = null
  }
}
