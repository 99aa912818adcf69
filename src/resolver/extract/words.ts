import { toNameKey } from '../../register/words/index.ts'
import type { Span } from './sentences.ts'

/** A word in the form in which names are compared (see the register's `toNameKey`), with its offsets in the text. */
export interface Word extends Span {
  key: string
}

/** Returns the words of a text in that form, so that a name is found in any spelling. */
export function toComparableWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(/[&+]|[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}'’‘`´]|\.(?=\p{L}(?:\.|\b)))*/gu)) {
    const key = toWordKey(match[0])
    if (key !== '') words.push({ key, start: match.index, end: match.index + match[0].length })
  }
  return words
}

const cachedKeys = new Map<string, string>()
const CACHE_SIZE_MAX = 20_000

function toWordKey(word: string): string {
  if (word === '&' || word === '+') return 'AND'
  const cached = cachedKeys.get(word)
  if (cached !== undefined) return cached
  // `toNameKey` drops legal endings and THE from names of several words only, so one word keeps its spelling.
  const key = toNameKey(word).replaceAll(' ', '')
  if (cachedKeys.size >= CACHE_SIZE_MAX) cachedKeys.clear()
  cachedKeys.set(word, key)
  return key
}

/** Returns every occurrence of the name, nearest to `near` first. */
export function findName(words: readonly Word[], nameKey: string, near: number): Span[] {
  const nameWords = nameKey.split(' ')
  const first = nameWords[0]
  if (first === undefined || first === '') return []
  const found: Span[] = []
  for (let index = 0; index <= words.length - nameWords.length; index += 1) {
    if (words[index]?.key !== first) continue
    if (!nameWords.every((word, offset) => words[index + offset]?.key === word)) continue
    const start = words[index]?.start ?? 0
    found.push({ start, end: words[index + nameWords.length - 1]?.end ?? start })
  }
  return found.sort((one, other) => distance(one, near) - distance(other, near))
}

function distance(span: Span, position: number): number {
  // A name belongs more often to the number after it than to the one before.
  if (position < span.start) return (span.start - position) * 3
  return position > span.end ? position - span.end : 0
}
