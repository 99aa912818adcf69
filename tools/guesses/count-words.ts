/** Counts which words are common in company names, to separate distinctive words from common ones. */
import { readNameWords } from '../../src/websites/guess/name-words.ts'
import type { KnownCompany } from './known-companies.ts'

/** Below this a word may be one family's brand that another happens to have too, and says nothing in general. */
const USES_MIN = 15
const PER = 10_000

/**
 * Per 10,000 families, not companies: a group with thirty companies named after it would make its brand a common word.
 * The two numbers are how many families have the word in a name, and how many have a name that begins with it.
 */
export function countWordUses(companies: KnownCompany[]): Map<string, [uses: number, first: number]> {
  const families = [...Map.groupBy(companies, ({ family }) => family).values()]
  const counts = new Map<string, [uses: number, first: number]>()
  for (const family of families) {
    for (const [word, isFirst] of listWords(family)) {
      const [uses, first] = counts.get(word) ?? [0, 0]
      counts.set(word, [uses + 1, first + (isFirst ? 1 : 0)])
    }
  }
  const scale = (count: number) => Math.round((count * PER) / families.length)
  return new Map(
    [...counts]
      .map(([word, [uses, first]]): [string, [number, number]] => [word, [scale(uses), scale(first)]])
      .filter(([, [uses]]) => uses >= USES_MIN)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/** Each word of a family's names once, and whether one of the names begins with it. */
function listWords(family: KnownCompany[]): Map<string, boolean> {
  const words = new Map<string, boolean>()
  for (const { name, previousNames } of family) {
    for (const each of [name, ...previousNames]) {
      for (const [index, { text }] of readNameWords(each).words.entries()) {
        words.set(text, index === 0 || words.get(text) === true)
      }
    }
  }
  return words
}
