/** In which way two names differ. Pure. Both are name keys, as `toNameKey` writes them. */

/**
 * `same`: no difference. `letters`: only the spaces differ. `order`: the same words in another order. `misspelt`: one or two
 * letters differ. `part`: one has all words of the other. `other`: more than that.
 */
export type NameDifference = 'same' | 'letters' | 'order' | 'misspelt' | 'part' | 'other'

export interface ComparedNames {
  difference: NameDifference
  /** Each word of a misspelt name that differs, as it was typed and as the other name has it. */
  respelt: Array<[typed: string, meant: string]>
}

const EDITS_MAX = 2
/** In shorter words one letter makes another word: CAR and CAT. */
const ONE_EDIT_LETTERS_MIN = 4
const TWO_EDITS_LETTERS_MIN = 6

export function compareNames(typed: string, name: string): ComparedNames {
  const plain = (difference: NameDifference): ComparedNames => ({ difference, respelt: [] })
  if (typed === '' || name === '') return plain('other')
  if (typed === name) return plain('same')
  if (typed.replaceAll(' ', '') === name.replaceAll(' ', '')) return plain('letters')
  const [typedWords, nameWords] = [typed.split(' '), name.split(' ')]
  if (typedWords.toSorted().join(' ') === nameWords.toSorted().join(' ')) return plain('order')
  const respelt = findRespelt(typedWords, nameWords)
  if (respelt) return { difference: 'misspelt', respelt }
  const [typedSet, nameSet] = [new Set(typedWords), new Set(nameWords)]
  return plain(typedSet.isSubsetOf(nameSet) || nameSet.isSubsetOf(typedSet) ? 'part' : 'other')
}

/** Returns the words that differ when the names have as many words and two edits at most lie between them; else null. */
function findRespelt(typed: readonly string[], name: readonly string[]): Array<[string, string]> | null {
  if (typed.length !== name.length) return null
  const respelt = typed.flatMap((word, index): Array<[string, string]> => {
    const meant = name[index] ?? ''
    return word === meant ? [] : [[word, meant]]
  })
  if (respelt.length > EDITS_MAX) return null
  const edits = respelt.map(([word, meant]) => countSlips(word, meant))
  return edits.reduce((sum, count) => sum + count, 0) <= EDITS_MAX ? respelt : null
}

/** Digits are never taken for a slip: PHASE 1 and PHASE 2 are two companies. */
function countSlips(word: string, meant: string): number {
  if (meant.length < ONE_EDIT_LETTERS_MIN || /\d/.test(word) || /\d/.test(meant)) return Infinity
  if (Math.abs(word.length - meant.length) > EDITS_MAX) return Infinity
  const edits = countEdits(word, meant)
  return edits > 1 && meant.length < TWO_EDITS_LETTERS_MIN ? Infinity : edits
}

/** Counts the letters left out, added, replaced, or swapped with the next. */
export function countEdits(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

/** Returns how alike two names are, from 0 to 1, on the scale of the search: 1 is the name itself. */
export function measureLikeness(typed: string, name: string): number {
  const { difference, respelt } = compareNames(typed, name)
  if (difference === 'same') return 1
  if (difference === 'letters') return 0.99
  if (difference === 'order') return 0.95
  if (difference === 'misspelt') return 0.97 - 0.02 * respelt.length
  const longer = Math.max(typed.length, name.length)
  const shared = difference === 'part' ? 0.62 + (0.33 * Math.min(typed.length, name.length)) / longer : 0
  return Math.max(shared, 0.95 * compareTrigrams(typed, name), 0.95 * (1 - countEdits(typed, name) / longer))
}

/** Returns the share of trigrams that both names have, each word with two spaces before it and one after. */
function compareTrigrams(one: string, other: string): number {
  const [first, second] = [listTrigrams(one), listTrigrams(other)]
  const both = first.intersection(second).size
  return both / Math.max(1, first.size + second.size - both)
}

function listTrigrams(name: string): Set<string> {
  const trigrams = new Set<string>()
  for (const word of name.split(' ')) {
    const padded = `  ${word} `
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3))
  }
  return trigrams
}
