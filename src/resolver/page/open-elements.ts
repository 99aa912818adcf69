import type { ElementKind } from './element-kinds.ts'

interface OpenElement {
  tag: string
  kind: ElementKind
}

/**
 * The stack of open elements, with the browsers' rules for missing end tags. Stack indexes are stored by tag and by kind, so
 * that no end tag has to search for its element. Elements deeper than `DEPTH_MAX` are only counted, so that their end tags
 * close nothing else.
 */
export class OpenElements<Element extends OpenElement> {
  readonly #stack: Element[] = []
  readonly #byTag = new Map<string, number[]>()
  readonly #blocks: number[] = []
  readonly #scopes: number[] = []
  readonly #lists: number[] = []
  readonly #headings: number[] = []
  /** Blocks that protect a list item around them from being closed by a list item inside. */
  readonly #itemBarriers: number[] = []
  readonly #counted = new Map<string, number>()
  readonly #onClose: (element: Element) => void

  constructor(onClose: (element: Element) => void) {
    this.#onClose = onClose
  }

  get innermost(): Element | undefined {
    return this.#stack.at(-1)
  }

  get isDeep(): boolean {
    return this.#stack.length >= DEPTH_MAX
  }

  has(tag: string): boolean {
    return this.#indexOf(tag) >= 0
  }

  push(element: Element): void {
    const { tag, kind } = element
    const index = this.#stack.length
    const indexes = this.#byTag.get(tag)
    if (indexes === undefined) this.#byTag.set(tag, [index])
    else indexes.push(index)
    if (kind.isBlock) this.#blocks.push(index)
    if (kind.isScope) this.#scopes.push(index)
    if (kind.isList) this.#lists.push(index)
    if (kind.isHeading) this.#headings.push(index)
    if (isItemBarrier(element)) this.#itemBarriers.push(index)
    this.#stack.push(element)
  }

  /** For an element that is too deep to be stored. */
  count(tag: string): void {
    this.#counted.set(tag, (this.#counted.get(tag) ?? 0) + 1)
  }

  /** Closes the elements that the start tag of `tag` ends implicitly. */
  closeImplied(tag: string, kind: ElementKind): void {
    if (kind.endsParagraph) this.#closeFrom(this.#indexOf('p'), Math.max(last(this.#scopes), this.#indexOf('button')))
    if (tag === 'li') this.#closeFrom(this.#indexOf('li'), last(this.#itemBarriers))
    else if (kind.isTerm) {
      this.#closeFrom(Math.max(this.#indexOf('dt'), this.#indexOf('dd')), last(this.#itemBarriers))
    } else if (kind.isHeading) {
      if (this.innermost?.kind.isHeading) this.#pop()
    } else if (tag === 'a') this.#closeFrom(this.#indexOf('a'), last(this.#scopes))
    else if (kind.isTablePart && this.has('table')) this.#closeImpliedInTable(tag, kind)
  }

  /** Returns whether there was such an element to close. */
  close(tag: string, kind: ElementKind): boolean {
    const counted = this.#counted.size === 0 ? 0 : (this.#counted.get(tag) ?? 0)
    if (counted > 0) {
      this.#counted.set(tag, counted - 1)
      return true
    }
    const index = kind.isHeading ? last(this.#headings) : this.#indexOf(tag)
    if (index < 0 || tag === 'table') return this.#closeFrom(index, -1)
    if (kind.isTablePart) return this.#closeFrom(index, this.#indexOf('table'))
    if (tag === 'li') return this.#closeFrom(index, Math.max(last(this.#lists), last(this.#scopes)))
    return this.#closeFrom(index, kind.isBlock || kind.isScope ? last(this.#scopes) : last(this.#blocks))
  }

  closeAll(): void {
    while (this.#stack.length > 0) this.#pop()
  }

  #indexOf(tag: string): number {
    return last(this.#byTag.get(tag))
  }

  #closeImpliedInTable(tag: string, kind: ElementKind): void {
    const staysOpen = tag === 'tr' ? isTableBody : kind.isCell ? isRowOrTableBody : isTable
    for (let innermost = this.innermost; innermost !== undefined && !staysOpen(innermost); innermost = this.innermost) {
      this.#pop()
    }
  }

  /** Closes the element at `index` and all inside it, unless a barrier is inside it too. */
  #closeFrom(index: number, barrier: number): boolean {
    if (index < 0 || barrier > index) return false
    while (this.#stack.length > index) this.#pop()
    return true
  }

  #pop(): void {
    const element = this.#stack.pop()
    if (element === undefined) return
    const { tag, kind } = element
    this.#byTag.get(tag)?.pop()
    if (kind.isBlock) this.#blocks.pop()
    if (kind.isScope) this.#scopes.pop()
    if (kind.isList) this.#lists.pop()
    if (kind.isHeading) this.#headings.pop()
    if (isItemBarrier(element)) this.#itemBarriers.pop()
    // The counted elements were inside, and end with it.
    if (!this.isDeep && this.#counted.size > 0) this.#counted.clear()
    this.#onClose(element)
  }
}

const DEPTH_MAX = 512

function last(indexes: number[] | undefined): number {
  return indexes?.at(-1) ?? -1
}

const isTable = ({ tag }: OpenElement) => tag === 'table'
const isTableBody = ({ kind }: OpenElement) => kind.isTableBody
const isRowOrTableBody = ({ tag, kind }: OpenElement) => tag === 'tr' || kind.isTableBody
const isItemBarrier = ({ tag, kind }: OpenElement) => kind.isBlock && tag !== 'div' && tag !== 'p' && tag !== 'address'
