/** Names of companies as people type them into lists. By rules of their own, not by those of the search that they test. */
import type { Random } from '../../../rig/random.ts'

/** Slips of people who type. Each changes the name, not its ending. */
export const SLIPS = {
  one_edit: (words, random) => edit(words, random),
  two_edits: (words, random) => edit(edit(words, random), random),
  doubled_letter: (words, random) => inLongWord(words, random, (word, at) => word.slice(0, at + 1) + word.slice(at)),
  dropped_word: (words, random) => (words.length < 3 ? null : words.toSpliced(random.below(words.length), 1)),
  swapped_words: (words, random) => (words.length < 2 ? null : swap(words, random.below(words.length - 1))),
  missing_space: (words, random) => (words.length < 2 ? null : join(words, random.below(words.length - 1))),
} as const satisfies Record<string, (words: readonly string[], random: Random) => string[] | null>

export type Slip = keyof typeof SLIPS

/** Returns null for a name that is too short for this slip, or that it leaves as it is. */
export function typeWithSlip(name: string, slip: Slip, random: Random): string | null {
  const [bare, ending] = splitEnding(name)
  const words = bare.split(/\s+/)
  const typed = SLIPS[slip](words, random)
  if (typed === null || typed.join(' ') === bare) return null
  return inTitleCase(`${typed.join(' ')} ${random.pick(['', ending, shorten(ending)])}`.trim())
}

/** `"SMITH & CO. (LEEDS) LIMITED"` → `Smith & Co. (Leeds)`. */
export function typeWithoutEnding(name: string): string {
  return inTitleCase(splitEnding(name)[0])
}

/** `"SMITH & SON LIMITED"` → `Smith and Son Ltd`. */
export function typeAbbreviated(name: string): string {
  const [bare, ending] = splitEnding(name)
  const joined = / & /.test(bare) ? bare.replaceAll(' & ', ' and ') : bare.replaceAll(/ and /gi, ' & ')
  return inTitleCase(`${joined} ${shorten(ending)}`.trim())
}

const ENDING =
  /[\s,]+(?:public limited company|community interest company|limited liability partnership|limited partnership|limited|ltd|plc|p\.l\.c|llp|l\.l\.p|lp|cic|c\.i\.c|cyf|cyfyngedig)\.?\s*$/i

function splitEnding(name: string): [bare: string, ending: string] {
  const bare = name.replace(ENDING, '').trim()
  return bare === '' ? [name, ''] : [bare, name.slice(bare.length).trim()]
}

const SHORT: ReadonlyArray<[RegExp, string]> = [
  [/^public limited company$/i, 'plc'],
  [/^community interest company$/i, 'CIC'],
  [/^limited liability partnership$/i, 'LLP'],
  [/^limited partnership$/i, 'LP'],
  [/^limited$/i, 'Ltd'],
  [/^cyfyngedig$/i, 'Cyf'],
]

function shorten(ending: string): string {
  return SHORT.find(([pattern]) => pattern.test(ending))?.[1] ?? ending
}

function inTitleCase(name: string): string {
  return name.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Leaves out, doubles, swaps or replaces one letter. */
function edit(words: readonly string[], random: Random): string[] {
  return inLongWord(words, random, (word, at) =>
    random.pick([
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + (word[at] ?? '') + word.slice(at),
      word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
      word.slice(0, at) + LETTERS[random.below(LETTERS.length)] + word.slice(at + 1),
    ]),
  )
}

/** Changes a word of four letters or more where there is one. */
function inLongWord(words: readonly string[], random: Random, change: (word: string, at: number) => string): string[] {
  const long = words.flatMap((word, index) => (word.length >= 4 ? [index] : []))
  const index = long.length > 0 ? random.pick(long) : random.below(words.length)
  const word = words[index] ?? ''
  return words.with(index, change(word, random.below(word.length)))
}

function swap(words: readonly string[], at: number): string[] {
  return words.with(at, words[at + 1] ?? '').with(at + 1, words[at] ?? '')
}

function join(words: readonly string[], at: number): string[] {
  return words.toSpliced(at, 2, `${words[at]}${words[at + 1]}`)
}
