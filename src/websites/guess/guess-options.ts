import { type DomainLabel, isConnective, listLabels } from './domain-labels.ts'
import { type NameWords, readNameWords } from './name-words.ts'

/** The facts by which a company's domain is guessed. */
export interface CompanyNames {
  name: string
  /** Latest first. A company that changed its name has often kept its domain. */
  previousNames: readonly string[]
}

/** Every label a company may have chosen, with what the ranking weighs: each trait has a fitted weight, or none. */
export interface GuessOptions {
  labels: WeighedLabel[]
  /** Evidence for an ending whatever the label is: UNIVERSITY leans to ac.uk. */
  companyTraits: string[]
}

export interface WeighedLabel {
  label: DomainLabel
  /** Evidence for the label. */
  traits: string[]
  /** Evidence for an ending behind this label: a first word alone goes with .com. */
  endingTraits: string[]
}

/** How often a word occurs in company names, and how often it comes first, per 10,000 names of unrelated companies. */
export type WordUses = ReadonlyMap<string, readonly [uses: number, first: number]>

const PREVIOUS_NAMES_MAX = 3

export function listOptions(company: CompanyNames, wordUses: WordUses): GuessOptions {
  const labels = new Map<string, WeighedLabel>()
  const addLabels = (name: NameWords, facts: WordFacts[], age: string) => {
    for (const label of listLabels(name)) {
      if (!labels.has(label.text)) labels.set(label.text, { label, ...listTraits(label, facts, age) })
    }
  }
  const current = readNameWords(company.name)
  const currentFacts = describeWords(current, wordUses)
  addLabels(current, currentFacts, 'name today')
  for (const previous of company.previousNames.slice(0, PREVIOUS_NAMES_MAX)) {
    const name = readNameWords(previous)
    addLabels(name, describeWords(name, wordUses), 'name before')
  }
  return { labels: [...labels.values()], companyTraits: listCompanyTraits(current, currentFacts) }
}

interface WordFacts {
  text: string
  kind: WordKind
  /** From 0, not seen elsewhere, to 5, as common as SERVICES. */
  commonness: number
  isBracketed: boolean
}

/**
 * The use of a word in a domain: `o` the company's own, `b` begins many names (ROYAL), `d` describes what it does
 * (CATERING), `g` goes with any name (GROUP), `c` connects others (OF).
 */
type WordKind = 'o' | 'b' | 'd' | 'g' | 'c'

/** The least uses per 10,000 for each step of commonness. */
const COMMONNESS_STEPS = [1, 25, 60, 160, 600]
/** From this step on a word is frequent enough to have a weight of its own. */
const OWN_WEIGHT_STEP = 2
const OWN_ENDING_WEIGHT_STEP = 3
const GENERAL_USES = 250

/** English endings of words that describe; names have too many of them to list, and few are distinctive. */
const DESCRIBING = /(?:ing|ions?|ers|ment|ity|ical|ics|ive|ial|[ea]nce|ness|able|ship|ology|[ae]ry|ists?|wide)$/

function describeWords(name: NameWords, wordUses: WordUses): WordFacts[] {
  return name.words.map(({ text, isBracketed }) => {
    const [uses, first] = wordUses.get(text) ?? [0, 0]
    const commonness = COMMONNESS_STEPS.filter((least) => uses >= least).length
    return { text, isBracketed, commonness, kind: toKind(text, uses, first) }
  })
}

function toKind(word: string, uses: number, first: number): WordKind {
  if (isConnective(word)) return 'c'
  if (uses >= GENERAL_USES) return 'g'
  if (uses > 0) return first * 2 > uses ? 'b' : 'd'
  return word.length > 3 && DESCRIBING.test(word) ? 'd' : 'o'
}

function hasOwnWeight({ kind, commonness }: WordFacts): boolean {
  return kind !== 'c' && commonness >= OWN_WEIGHT_STEP
}

function listCompanyTraits({ legalEnding }: NameWords, facts: WordFacts[]): string[] {
  const words = new Set(facts.filter(hasOwnWeight).map(({ text }) => text))
  return ['any', `legal ${legalEnding}`, `of ${toSize(facts)}`, ...[...words].map((word) => `has ${word}`)]
}

function toSize(facts: WordFacts[]): number {
  return Math.min(facts.length, 6)
}

function listTraits(
  { text, choice, spelling, added, kept, isAbbreviated }: DomainLabel,
  facts: WordFacts[],
  age: string,
): { traits: string[]; endingTraits: string[] } {
  const shape = isAbbreviated ? 'short' : kept.length === 1 ? 'word' : 'words'
  const traits = [
    age,
    `${choice} ${spelling}`,
    `${choice} of ${toSize(facts)}`,
    `${spelling} ${shape}`,
    `${shape} length ${toLengthStep(text)}`,
  ]
  const endingTraits = [choice, `${spelling} ${added}`, `${shape} length ${toEven(Math.min(text.length, 20))}`]
  if (added !== '') traits.push(`adds ${added} ${spelling} ${shape}`)

  // The first three words by kind, in capitals when they stay: `Od` is an own word kept and a describing one dropped.
  let pattern = ''
  let leastCommon = COMMONNESS_STEPS.length
  for (const [index, word] of facts.entries()) {
    const isKept = kept.includes(index)
    if (isKept) leastCommon = Math.min(leastCommon, word.commonness)
    if (word.kind !== 'c') pattern += isKept && !isAbbreviated ? word.kind.toUpperCase() : word.kind
    if (isKept || isAbbreviated) continue
    traits.push(`drops kind ${word.kind}${word.isBracketed ? ' bracketed' : ''}${index === 0 ? ' first' : ''}`)
    if (!hasOwnWeight(word)) continue
    traits.push(`drops ${word.text}`)
    if (word.commonness >= OWN_ENDING_WEIGHT_STEP) endingTraits.push(`drops ${word.text}`)
  }
  traits.push(`${shape} pattern ${pattern.slice(0, 3)}`, `${shape} rarest ${leastCommon}`)

  const last = facts[kept.at(-1) ?? 0]
  if (shape === 'words' && last && hasOwnWeight(last)) traits.push(`ends with ${last.text}`)
  return { traits, endingTraits }
}

/** Every letter counts in a short label; in a long one, one more makes no difference. */
function toLengthStep(text: string): number {
  return text.length <= 12 ? text.length : toEven(Math.min(text.length, 24))
}

function toEven(length: number): number {
  return length + (length % 2)
}
