import type { ElementKind } from './element-kinds.ts'

interface OpenElement {
  tag: string
  kind: ElementKind
}

/**
 * The elements open at one place of the page, and the rules by which browsers close those that nobody closed. Places on
 * the stack are kept by tag and by kind, so that no end tag has to search for its element. Deeper than `DEPTH_MAX`
 * elements are only counted, so that their end tags close nothing else.
 */
export class OpenElements<Element extends OpenElement> {
  readonly #stack: Element[] = []
  readonly #byTag = new Map<string, number[]>()
  readonly #blocks: number[] = []
  readonly #scopes: number[] = []
  readonly #lists: number[] = []
  readonly #headings: number[] = []
  /** Blocks that an open list item outside them is not closed from. */
  readonly #itemBarriers: number[] = []
  readonly #counted = new Map<string, number>()
  readonly #closed: (element: Element) => void

  constructor(closed: (element: Element) => void) {
    this.#closed = closed
  }

  get innermost(): Element | undefined {
    return this.#stack.at(-1)
  }

  get isDeep(): boolean {
    return this.#stack.length >= DEPTH_MAX
  }

  has(tag: string): boolean {
    return this.#placeOf(tag) >= 0
  }

  push(element: Element): void {
    const { tag, kind } = element
    const place = this.#stack.length
    const places = this.#byTag.get(tag)
    if (places === undefined) this.#byTag.set(tag, [place])
    else places.push(place)
    if (kind.isBlock) this.#blocks.push(place)
    if (kind.isScope) this.#scopes.push(place)
    if (kind.isList) this.#lists.push(place)
    if (kind.isHeading) this.#headings.push(place)
    if (isItemBarrier(element)) this.#itemBarriers.push(place)
    this.#stack.push(element)
  }

  count(tag: string): void {
    this.#counted.set(tag, (this.#counted.get(tag) ?? 0) + 1)
  }

  /** Closes what the start of `tag` ends without saying so. */
  makeRoomFor(tag: string, kind: ElementKind): void {
    if (kind.endsParagraph) this.#closeFrom(this.#placeOf('p'), Math.max(last(this.#scopes), this.#placeOf('button')))
    if (tag === 'li') this.#closeFrom(this.#placeOf('li'), last(this.#itemBarriers))
    else if (kind.isTerm) {
      this.#closeFrom(Math.max(this.#placeOf('dt'), this.#placeOf('dd')), last(this.#itemBarriers))
    } else if (kind.isHeading) {
      if (this.innermost?.kind.isHeading) this.#pop()
    } else if (tag === 'a') this.#closeFrom(this.#placeOf('a'), last(this.#scopes))
    else if (kind.isTablePart && this.has('table')) this.#makeRoomInTable(tag, kind)
  }

  /** Says whether there was one to close. */
  close(tag: string, kind: ElementKind): boolean {
    const counted = this.#counted.size === 0 ? 0 : (this.#counted.get(tag) ?? 0)
    if (counted > 0) {
      this.#counted.set(tag, counted - 1)
      return true
    }
    const place = kind.isHeading ? last(this.#headings) : this.#placeOf(tag)
    if (place < 0 || tag === 'table') return this.#closeFrom(place, -1)
    if (kind.isTablePart) return this.#closeFrom(place, this.#placeOf('table'))
    if (tag === 'li') return this.#closeFrom(place, Math.max(last(this.#lists), last(this.#scopes)))
    return this.#closeFrom(place, kind.isBlock || kind.isScope ? last(this.#scopes) : last(this.#blocks))
  }

  closeAll(): void {
    while (this.#stack.length > 0) this.#pop()
  }

  #placeOf(tag: string): number {
    return last(this.#byTag.get(tag))
  }

  #makeRoomInTable(tag: string, kind: ElementKind): void {
    const stays = tag === 'tr' ? isTableBody : kind.isCell ? isRowOrTableBody : isTable
    for (let innermost = this.innermost; innermost !== undefined && !stays(innermost); innermost = this.innermost) {
      this.#pop()
    }
  }

  /** Closes the element at `place` and all inside it, unless the barrier stands between. */
  #closeFrom(place: number, barrier: number): boolean {
    if (place < 0 || barrier > place) return false
    while (this.#stack.length > place) this.#pop()
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
    // The counted ones stood inside, and ended with it.
    if (!this.isDeep && this.#counted.size > 0) this.#counted.clear()
    this.#closed(element)
  }
}

const DEPTH_MAX = 512

function last(places: number[] | undefined): number {
  return places?.at(-1) ?? -1
}

const isTable = ({ tag }: OpenElement) => tag === 'table'
const isTableBody = ({ kind }: OpenElement) => kind.isTableBody
const isRowOrTableBody = ({ tag, kind }: OpenElement) => tag === 'tr' || kind.isTableBody
const isItemBarrier = ({ tag, kind }: OpenElement) => kind.isBlock && tag !== 'div' && tag !== 'p' && tag !== 'address'
