/** The forms in which people type a company's name: as it is, without its ending, misspelt, in another order, or half of it. */

import type { Random } from '../../rig/random.ts'
import { toNameKey } from '../../src/register/search/name-key.ts'

export const KINDS = ['exact', 'no_suffix', 'typo', 'reordered', 'two_words'] as const
export type Kind = (typeof KINDS)[number]

export interface Query {
  kind: Kind
  typed: string
  /** The name key of the company meant. */
  meant: string
}

/** Returns one query of this kind for the company, or null when its name is too short for it. */
export function queryFor(kind: Kind, name: string, random: Random): Query | null {
  const meant = toNameKey(name)
  const words = meant.split(' ')
  if (kind === 'exact') return { kind, typed: name, meant }
  if (kind === 'no_suffix') return { kind, typed: meant, meant }
  if (kind === 'typo') return meant.length < 6 ? null : { kind, typed: misspell(words, random), meant }
  if (words.length < 2) return null
  if (kind === 'reordered') return { kind, typed: reorder(words, random), meant }
  return words.length < 3 ? null : { kind, typed: words.slice(0, 2).join(' '), meant }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Leaves out, doubles, swaps or replaces one letter, in a word of four letters or more where there is one. */
function misspell(words: readonly string[], random: Random): string {
  const long = words.flatMap((word, index) => (word.length >= 4 ? [index] : []))
  const index = long.length > 0 ? random.pick(long) : random.below(words.length)
  const word = words[index] ?? ''
  const at = random.below(word.length)
  const kind = random.below(4)
  const swapped = word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
  const spelt = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at] ?? '') + word.slice(at),
    swapped,
    word.slice(0, at) + (LETTERS[random.below(26)] ?? '') + word.slice(at + 1),
  ][kind]
  return words.map((other, each) => (each === index ? spelt : other)).join(' ')
}

function reorder(words: readonly string[], random: Random): string {
  const from = 1 + random.below(words.length - 1)
  return [...words.slice(from), ...words.slice(0, from)].join(' ')
}

/** Input that no customer means but a program sends. */
export const NASTY: readonly string[] = [
  'THE',
  'LIMITED',
  'LTD',
  'AND',
  '& & &',
  'A',
  'B',
  'A B C D E F G H I J K L M N O P',
  'SERVICES',
  'GROUP',
  'MANAGEMENT COMPANY',
  'UK SERVICES',
  'SERVICES SOLUTIONS CONSULTING PROPERTIES GROUP HOLDINGS CONSTRUCTION ENGINEERING PROPERTY CONSULTANCY MANAGEMENT',
  'LONDON PROPERTY',
  'LONDON ROAD MANAGEMENT COMPANY',
  'SERVCES',
  'PROPRTIES LODNON',
  'X'.repeat(160),
  'SMITH '.repeat(26).trim(),
  `${'AB '.repeat(53)}X`,
  'THE AND OF',
  '🎉🎉🎉',
  "'; drop table company; --",
  '%%%%',
  'ÀÉÎÕÜ',
  '1',
  '2024',
  'ZZZZZZZZ QQQQQQ',
  'SMITH',
  'GREEN ENERGY',
  'SERVICES GROUP',
  'JONES JONES',
  'COMPANY MANAGEMENT ROAD HIGH',
]
