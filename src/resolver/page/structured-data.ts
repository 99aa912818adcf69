/** Reads the data for machines that a page embeds: JSON-LD, microdata and RDFa Lite. */
import type { Attributes } from './read-tags.ts'

/**
 * Returns the items of a JSON-LD script. Accepts common mistakes: wrapped for old browsers, several objects in a row, trailing
 * commas, line breaks in strings. Leaves out what is not JSON even then.
 */
export function parseJsonLd(script: string): unknown[] {
  if (script.length > SCRIPT_CHARACTERS_MAX) return []
  const items: unknown[] = []
  for (const value of parseValues(script.replaceAll('<![CDATA[', ''))) collectItems(value, items, 0)
  return items
}

const SCRIPT_CHARACTERS_MAX = 256 * 1024
const DEPTH_MAX = 64
const JSON_VALUES_MAX = 50

/** Adds the items of arrays and of `@graph` one by one. */
function collectItems(value: unknown, items: unknown[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 4 || items.length >= JSON_VALUES_MAX) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, JSON_VALUES_MAX)) collectItems(item, items, depth + 1)
    return
  }
  const graph: unknown = Reflect.get(value, '@graph')
  if (Array.isArray(graph)) {
    const { '@graph': _, '@context': __, ...rest } = value as Record<string, unknown>
    if ('@type' in rest) items.push(rest)
    collectItems(graph, items, depth + 1)
  } else items.push(value)
}

function parseValues(script: string): unknown[] {
  const found: unknown[] = []
  for (const text of splitValues(script)) {
    if (found.length >= JSON_VALUES_MAX) break
    try {
      found.push(JSON.parse(text))
    } catch {
      // Not JSON: left out.
    }
  }
  return found
}

/**
 * Returns every outermost `{…}` or `[…]` as text, without trailing commas and with line breaks in strings escaped. Skips
 * everything between them (comments, CDATA marks, commas, semicolons). One pass over the text.
 */
function splitValues(script: string): string[] {
  const values: string[] = []
  let value = ''
  let depth = 0
  let depthMax = 0
  let copiedTo = 0
  /** The index of a comma with only white space behind it so far; -1 if there is none. */
  let lastComma = -1
  let isInString = false
  for (let index = 0; index < script.length && values.length < JSON_VALUES_MAX; index++) {
    const character = script.charAt(index)
    if (isInString) {
      if (character === '\\') index++
      else if (character === '"') isInString = false
      else if (character < ' ') {
        value += script.slice(copiedTo, index) + (ESCAPED[character] ?? ' ')
        copiedTo = index + 1
      }
      continue
    }
    if (character === '{' || character === '[') {
      if (depth === 0) [value, copiedTo, depthMax] = ['', index, 0]
      depthMax = Math.max(depthMax, ++depth)
    } else if (depth > 0 && (character === '}' || character === ']')) {
      if (lastComma >= 0) {
        value += script.slice(copiedTo, lastComma)
        copiedTo = lastComma + 1
      }
      if (--depth === 0 && depthMax <= DEPTH_MAX) values.push(value + script.slice(copiedTo, index + 1))
    } else if (character === '"' && depth > 0) isInString = true
    if (character === ',') lastComma = index
    else if (!WHITE_SPACE.has(character)) lastComma = -1
  }
  return values
}

const WHITE_SPACE = new Set([' ', '\n', '\r', '\t'])
const ESCAPED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export type Item = Record<string, unknown>

/** A property whose value is the text of its element, known when the element closes. */
interface OpenProperty {
  item: Item | null
  names: string[]
}

export interface Opened {
  /** The item that properties inside the element belong to. */
  item: Item | null
  property: OpenProperty | null
}

/**
 * Collects microdata and RDFa Lite as items in the shape of JSON-LD. An `itemprop` outside any item becomes a separate item;
 * RDFa's `property` does not, because the Open Graph tags of every page have one.
 */
export class Microdata {
  readonly #items: Item[] = []
  #valuesLeft = VALUES_MAX

  /** The items that have properties, in page order. */
  get items(): Item[] {
    return this.#items.filter((item) => Object.keys(item).some((key) => key !== '@type'))
  }

  open(tag: string, attributes: Attributes, outer: Item | null): Opened {
    const names = readPropertyNames(attributes, outer)
    const type = attributes.itemtype ?? attributes.typeof
    if (attributes.itemscope !== undefined || attributes.typeof !== undefined) {
      const item: Item = type ? { '@type': lastWord(type) } : {}
      if (names.length > 0 && outer !== null) this.#add(outer, names, item)
      else if (this.#items.length < ITEMS_MAX) this.#items.push(item)
      return { item, property: null }
    }
    if (names.length === 0 || this.#isFull(outer)) return { item: outer, property: null }
    const value = readValue(tag, attributes)
    if (value === undefined) return { item: outer, property: { item: outer, names } }
    this.close({ item: outer, names }, value)
    return { item: outer, property: null }
  }

  close({ item, names }: OpenProperty, text: string): void {
    const value = text.trim().slice(0, VALUE_MAX)
    if (value === '') return
    if (item !== null) this.#add(item, names, value)
    else if (this.#items.length < ITEMS_MAX) {
      const single: Item = {}
      this.#add(single, names, value)
      this.#items.push(single)
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

function readPropertyNames({ itemprop, property }: Attributes, outer: Item | null): string[] {
  const names = itemprop ?? (outer === null ? undefined : property)
  if (names === undefined) return []
  return names
    .trim()
    .split(/\s+/, NAMES_MAX)
    .map(lastWord)
    .filter((name) => /^[A-Za-z][\w.-]{0,60}$/.test(name))
}

/** Returns `Organization` for `https://schema.org/Organization` and for `schema:Organization`. */
function lastWord(name: string): string {
  return /[^/#:]*$/.exec(name.trim().split(/\s/, 1)[0]?.slice(0, 300).replace(/[/#]$/, '') ?? '')?.[0] ?? ''
}

function readValue(tag: string, attributes: Attributes): string | undefined {
  const { content, datetime, href, resource, src, value } = attributes
  if (content !== undefined) return content
  if (tag === 'meta' || tag === 'link' || tag === 'a' || tag === 'area') return href ?? resource ?? ''
  if (tag === 'img') return src ?? ''
  if (tag === 'time') return datetime
  if (tag === 'data') return value
  return resource
}
