import { CONCEPTS, type Concept } from './concepts.ts'
import { type Attributes, toLocalName } from './xml-tags.ts'

/** A tagged statement whose concept we read. */
export interface Fact {
  concept: Concept
  contextId: string
  unitId: string
  format: string
  scale: string
  sign: string
  /** The id of the element that continues its text; empty for most. */
  continuedAt: string
  text: string
}

const FACTS_MAX = 5_000
const CONTINUATIONS_MAX = 500
/** Elements of iXBRL that may be inside each other; real documents have two or three. */
const DEPTH_MAX = 64
const TEXT_MAX = 200

const INLINE_TAGS = new Set(['nonFraction', 'nonNumeric', 'fraction'])
export const FACT_TAGS: ReadonlySet<string> = new Set([...INLINE_TAGS, 'continuation', 'exclude', ...CONCEPTS.keys()])

interface OpenElement {
  tag: string
  /** Receives the text inside; null when it is of a concept that we do not read. */
  into: { text: string } | null
}

/**
 * Collects facts from the tags of a document: iXBRL names the concept in an attribute, plain XBRL in the tag itself. Text
 * belongs to every fact around it, so of two facts around one number both have it.
 */
export class FactCollector {
  readonly #facts: Fact[] = []
  readonly #continuations = new Map<string, { text: string; continuedAt: string }>()
  readonly #open: OpenElement[] = []
  #excluded = 0

  open(tag: string, attributes: Attributes): void {
    if (this.#open.length >= DEPTH_MAX) return
    if (tag === 'exclude') this.#excluded += 1
    this.#open.push({ tag, into: tag === 'continuation' ? this.#continue(attributes) : this.#begin(tag, attributes) })
  }

  text(piece: string): void {
    if (this.#excluded > 0) return
    for (const { into } of this.#open)
      if (into !== null && into.text.length < TEXT_MAX) into.text += piece.slice(0, TEXT_MAX)
  }

  /** Ends the innermost element of that name, and whatever inside it was never closed. */
  close(tag: string): void {
    const at = this.#open.findLastIndex((element) => element.tag === tag)
    if (at < 0) return
    for (const { tag: ended } of this.#open.splice(at)) if (ended === 'exclude') this.#excluded -= 1
  }

  /** Returns the facts in the order of the document, each with its continuations. */
  collect(): Fact[] {
    return this.#facts.map((fact) => ({ ...fact, text: this.#completeText(fact) }))
  }

  #begin(tag: string, attributes: Attributes): Fact | null {
    const concept = CONCEPTS.get(INLINE_TAGS.has(tag) ? toLocalName(attributes.get('name') ?? '') : tag)
    const contextId = attributes.get('contextRef')
    if (!concept || contextId === undefined || attributes.get('nil') === 'true' || this.#facts.length >= FACTS_MAX)
      return null
    const fact = {
      concept,
      contextId,
      unitId: attributes.get('unitRef') ?? '',
      format: toLocalName(attributes.get('format') ?? ''),
      scale: attributes.get('scale') ?? '',
      sign: attributes.get('sign') ?? '',
      continuedAt: attributes.get('continuedAt') ?? '',
      text: '',
    }
    this.#facts.push(fact)
    return fact
  }

  #continue(attributes: Attributes): { text: string } | null {
    const id = attributes.get('id')
    if (id === undefined || this.#continuations.size >= CONTINUATIONS_MAX) return null
    const continuation = { text: '', continuedAt: attributes.get('continuedAt') ?? '' }
    this.#continuations.set(id, continuation)
    return continuation
  }

  #completeText({ text, continuedAt }: Fact): string {
    let whole = text
    let next = this.#continuations.get(continuedAt)
    // A chain may lead back to itself.
    for (let steps = 0; next && steps < DEPTH_MAX && whole.length < TEXT_MAX; steps += 1) {
      whole += next.text
      next = this.#continuations.get(next.continuedAt)
    }
    return whole
  }
}
