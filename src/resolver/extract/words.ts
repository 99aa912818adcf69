import { toNameKey } from '../../register/index.ts'
import type { Span } from './sentences.ts'

/** A word of a text as names are compared (see the register's `toNameKey`), with its place in the text. */
export interface Word extends Span {
  key: string
}

/** The words of a text in the form in which names are compared, so that a name can be found however it is written. */
export function toComparableWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(/[&+]|[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}'’‘`´]|\.(?=\p{L}(?:\.|\b)))*/gu)) {
    const key = toWordKey(match[0])
    if (key !== '') words.push({ key, start: match.index, end: match.index + match[0].length })
  }
  return words
}

const known = new Map<string, string>()
const KNOWN_MAX = 20_000

function toWordKey(word: string): string {
  if (word === '&' || word === '+') return 'AND'
  const found = known.get(word)
  if (found !== undefined) return found
  // A single word is never a legal ending to be dropped, and no THE is, so this spells it as in a whole name.
  const key = toNameKey(word).replaceAll(' ', '')
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(word, key)
  return key
}

/** Everywhere the name stands in the text, nearest to `near` first. */
export function findName(words: readonly Word[], nameKey: string, near: number): Span[] {
  const wanted = nameKey.split(' ')
  const first = wanted[0]
  if (first === undefined || first === '') return []
  const found: Span[] = []
  for (let at = 0; at <= words.length - wanted.length; at += 1) {
    if (words[at]?.key !== first) continue
    if (!wanted.every((word, place) => words[at + place]?.key === word)) continue
    const start = words[at]?.start ?? 0
    found.push({ start, end: words[at + wanted.length - 1]?.end ?? start })
  }
  return found.sort((one, other) => distance(one, near) - distance(other, near))
}

function distance(span: Span, position: number): number {
  // A name belongs to the number after it more often than to the one before.
  if (position < span.start) return (span.start - position) * 3
  return position > span.end ? position - span.end : 0
}
