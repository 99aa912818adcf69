/** Any text as the typefaces can show it: controls go, and what they lack becomes a box. */

const BOX = '□'
/** Controls and halves of characters; then marks without a width, among them those that change the direction of what follows. */
const DROPPED = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

export interface Printable<T> {
  value: T
  /** How many characters became a box. */
  missing: number
}

/** Returns the same value with every text in it made printable. */
export function makePrintable<T>(value: T, covers: (codePoint: number) => boolean): Printable<T> {
  let missing = 0
  const show = (text: string): string => {
    let shown = ''
    for (const character of text.normalize('NFC').replaceAll(DROPPED, '')) {
      const isShown = covers(character.codePointAt(0) ?? 0)
      if (!isShown) missing += 1
      shown += isShown ? character : BOX
    }
    return shown
  }
  const walk = (item: unknown): unknown => {
    if (typeof item === 'string') return show(item)
    if (Array.isArray(item)) return item.map(walk)
    if (item === null || typeof item !== 'object') return item
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, walk(inner)]))
  }
  return { value: walk(value) as T, missing }
}
