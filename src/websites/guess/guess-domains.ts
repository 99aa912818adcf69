import { getPublicSuffix } from 'tldts'
import commonWords from './common-words.json' with { type: 'json' }
import type { DomainLabel } from './domain-labels.ts'
import { type CompanyNames, type GuessOptions, listOptions, type WordUses } from './guess-options.ts'
import fittedWeights from './guess-weights.json' with { type: 'json' }

/** A domain that a company may have, scored by its names alone: worth looking at, never an answer. */
export interface DomainGuess {
  domain: string
  /** How probable it is, from 0 to 1. The guesses of a company leave room for a domain that its names do not lead to. */
  score: number
  /** How it comes from the name, in words. */
  rule: string
}

/** The endings that are worth a guess. The weights hold one number for each, in this order. */
export const ENDINGS = [
  'co.uk',
  'com',
  'org.uk',
  'org',
  'uk',
  'net',
  'ac.uk',
  'coop',
  'uk.com',
  'eu',
  'co',
  'info',
  'ltd.uk',
  'io',
  'group',
  'academy',
] as const

/**
 * A log-linear model: the weights of a label's traits and of its ending's traits add up, and the exponentials share out
 * the probability among all of a company's guesses and "none of them", which weighs 1.
 */
interface GuessModel {
  wordUses: WordUses
  label: ReadonlyMap<string, number>
  ending: ReadonlyMap<string, readonly number[]>
}

/**
 * Fitted to companies whose domains are known. common-words.json has the words that many unrelated companies have in
 * their names, with how often; guess-weights.json has the weight of each trait. They hold totals, no company and no
 * domain, taken from the UK gender pay gap returns (Open Government Licence v3.0) and the open data of Co-operatives UK
 * (ODC-By 1.0).
 */
const FITTED: GuessModel = {
  wordUses: new Map(Object.entries(commonWords).map(([word, [uses = 0, first = 0]]) => [word, [uses, first]])),
  label: new Map(Object.entries(fittedWeights.label)),
  ending: new Map(Object.entries(fittedWeights.ending)),
}

/** The domains that a company of these names most probably has, best first, each once, at most `limit`. */
export function guessDomains(company: CompanyNames, limit: number): DomainGuess[] {
  const options = listOptions(company, FITTED.wordUses)
  const odds = weighOptions(options)
  const total = odds.reduce((sum, value) => sum + value, 1)
  const guesses: DomainGuess[] = []
  for (const index of rank(odds)) {
    if (guesses.length >= limit) break
    const label = options.labels[Math.floor(index / ENDINGS.length)]?.label
    if (!label) break
    const domain = `${label.text}.${ENDINGS[index % ENDINGS.length]}`
    // CO LIMITED leads to co.uk, which no company can have.
    if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain) continue
    guesses.push({ domain, score: (odds[index] ?? 0) / total, rule: describeRule(label) })
  }
  return guesses
}

/** A row for each label and a column for each ending, flat: a list of objects would cost more than the arithmetic. */
function weighOptions({ labels, companyTraits }: GuessOptions): Float64Array {
  const forCompany = sumEndings(companyTraits)
  const odds = new Float64Array(labels.length * ENDINGS.length)
  for (const [row, { traits, endingTraits }] of labels.entries()) {
    const forLabel = traits.reduce((sum, trait) => sum + (FITTED.label.get(trait) ?? 0), 0)
    const forEnding = sumEndings(endingTraits)
    for (let column = 0; column < ENDINGS.length; column++) {
      const weight = forLabel + (forCompany[column] ?? 0) + (forEnding[column] ?? 0)
      odds[row * ENDINGS.length + column] = Math.exp(weight)
    }
  }
  return odds
}

function sumEndings(traits: readonly string[]): Float64Array {
  const sums = new Float64Array(ENDINGS.length)
  for (const trait of traits) {
    const weights = FITTED.ending.get(trait)
    if (!weights) continue
    for (let column = 0; column < sums.length; column++) sums[column] = (sums[column] ?? 0) + (weights[column] ?? 0)
  }
  return sums
}

/** Where the values stand, highest first; sorting is stable, so the same names always give the same list. */
function rank(values: Float64Array): Uint32Array {
  return Uint32Array.from(values.keys()).sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0))
}

function describeRule({ choice, spelling, added }: DomainLabel): string {
  if (added !== '') return `${choice}, with "${spelling.endsWith('hyphen') ? '-' : ''}${added}"`
  return spelling === 'joined' ? choice : `${choice}, ${spelling}`
}
