import type { Attributes } from './read-tags.ts'

export type Item = Record<string, unknown>

/** A property whose value is the text of its element, known at the element's end. */
export interface OpenProperty {
  item: Item | null
  names: string[]
}

export interface Opened {
  /** The item that properties inside belong to. */
  item: Item | null
  property: OpenProperty | null
}

/**
 * Microdata and RDFa Lite as items in the shape of JSON-LD. `itemprop` outside any item is an item of its own; RDFa's
 * `property` is not, because every page's Open Graph tags have one.
 */
export class Microdata {
  readonly #items: Item[] = []
  #valuesLeft = VALUES_MAX

  /** Items that say something, in the order they began. */
  get items(): Item[] {
    return this.#items.filter((item) => Object.keys(item).some((key) => key !== '@type'))
  }

  open(tag: string, attributes: Attributes, outer: Item | null): Opened {
    const names = namesOf(attributes, outer)
    const type = attributes.itemtype ?? attributes.typeof
    if (attributes.itemscope !== undefined || attributes.typeof !== undefined) {
      const item: Item = type ? { '@type': lastWord(type) } : {}
      if (names.length > 0 && outer !== null) this.#add(outer, names, item)
      else if (this.#items.length < ITEMS_MAX) this.#items.push(item)
      return { item, property: null }
    }
    if (names.length === 0 || this.#isFull(outer)) return { item: outer, property: null }
    const value = valueOf(tag, attributes)
    if (value === undefined) return { item: outer, property: { item: outer, names } }
    this.close({ item: outer, names }, value)
    return { item: outer, property: null }
  }

  close({ item, names }: OpenProperty, text: string): void {
    const value = text.trim().slice(0, VALUE_MAX)
    if (value === '') return
    if (item !== null) this.#add(item, names, value)
    else if (this.#items.length < ITEMS_MAX) {
      const alone: Item = {}
      this.#add(alone, names, value)
      this.#items.push(alone)
    }
  }

  #isFull(item: Item | null): boolean {
    return this.#valuesLeft <= 0 || (item === null && this.#items.length >= ITEMS_MAX)
  }

  #add(item: Item, names: string[], value: unknown): void {
    for (const name of names) {
      if (this.#valuesLeft-- <= 0) return
      const before = Object.hasOwn(item, name) ? item[name] : undefined
      if (before === undefined) item[name] = value
      else if (Array.isArray(before)) before.push(value)
      else item[name] = [before, value]
    }
  }
}

const ITEMS_MAX = 50
const VALUES_MAX = 2_000
const VALUE_MAX = 2_000
const NAMES_MAX = 5

function namesOf({ itemprop, property }: Attributes, outer: Item | null): string[] {
  const names = itemprop ?? (outer === null ? undefined : property)
  if (names === undefined) return []
  return names
    .trim()
    .split(/\s+/, NAMES_MAX)
    .map(lastWord)
    .filter((name) => /^[A-Za-z][\w.-]{0,60}$/.test(name))
}

/** `https://schema.org/Organization` and `schema:Organization` are Organization. */
function lastWord(name: string): string {
  return /[^/#:]*$/.exec(name.trim().split(/\s/, 1)[0]?.slice(0, 300).replace(/[/#]$/, '') ?? '')?.[0] ?? ''
}

function valueOf(tag: string, attributes: Attributes): string | undefined {
  const { content, datetime, href, resource, src, value } = attributes
  if (content !== undefined) return content
  if (tag === 'meta' || tag === 'link' || tag === 'a' || tag === 'area') return href ?? resource ?? ''
  if (tag === 'img') return src ?? ''
  if (tag === 'time') return datetime
  if (tag === 'data') return value
  return resource
}
