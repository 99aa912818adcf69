/**
 * Fits the weights of the guesses: those that make the right domains most probable, held small by a ridge so that a
 * trait seen a few times says little. A company whose domain cannot be guessed counts for "none of them".
 */
import { ENDINGS, type GuessModel } from '../../src/websites/guess/guess-domains.ts'
import { listOptions, type WordUses } from '../../src/websites/guess/guess-options.ts'
import { Ascent } from './ascent.ts'
import type { KnownCompany } from './known-companies.ts'

const EPOCHS = 8
const BATCH = 64
const RATE = 0.05
/** Chosen by the figures of the half that was not fitted; between half and twice as much they hardly move. */
const RIDGE = { label: 2, ending: 4 }
/** A trait that fewer companies show is left out: it would be about them. */
const COMPANIES_MIN = 5
/** Smaller than what changes an order. */
const WEIGHT_MIN = 0.02

/** A company's options with their traits as numbers, for speed; `right` holds label × endings + ending. */
interface Example {
  labels: Array<{ traits: Int32Array; endingTraits: Int32Array }>
  companyTraits: Int32Array
  right: number[]
}

/** Numbers the traits in the order in which they first occur, and counts the companies with each. */
class TraitIndex {
  readonly ids = new Map<string, number>()
  readonly companies: number[] = []

  number(traits: readonly string[], seen: Set<number>): Int32Array {
    return Int32Array.from(traits, (trait) => {
      const id = this.ids.get(trait) ?? this.ids.size
      this.ids.set(trait, id)
      if (!seen.has(id)) this.companies[id] = (this.companies[id] ?? 0) + 1
      seen.add(id)
      return id
    })
  }

  dropRare(traits: Int32Array): Int32Array {
    return traits.filter((id) => (this.companies[id] ?? 0) >= COMPANIES_MIN)
  }
}

export function fitWeights(companies: KnownCompany[], wordUses: WordUses): GuessModel {
  const labelTraits = new TraitIndex()
  const endingTraits = new TraitIndex()
  const examples = companies
    .map((company) => toExample(company, wordUses, labelTraits, endingTraits))
    .map(({ labels, companyTraits, right }) => ({
      labels: labels.map((label) => ({
        traits: labelTraits.dropRare(label.traits),
        endingTraits: endingTraits.dropRare(label.endingTraits),
      })),
      companyTraits: endingTraits.dropRare(companyTraits),
      right,
    }))
  const label = new Ascent(labelTraits.ids.size, RIDGE.label)
  const ending = new Ascent(endingTraits.ids.size * ENDINGS.length, RIDGE.ending)
  const batches = listBatches(examples)
  for (const [step, batch] of batches.entries()) {
    for (const example of batch) addGradient(example, label, ending)
    const share = batch.length / examples.length
    const rate = RATE * (1 - step / batches.length)
    label.step(share, rate)
    ending.step(share, rate)
  }
  return { wordUses, label: toLabelWeights(labelTraits, label), ending: toEndingWeights(endingTraits, ending) }
}

/** Every example once per epoch, in an order that looks random and is always the same. */
function listBatches(examples: Example[]): Example[][] {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed
  }
  return Array.from({ length: EPOCHS }, () => {
    const order = examples
      .map((example) => ({ example, key: random() }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ example }) => example)
    const starts = Array.from({ length: Math.ceil(order.length / BATCH) }, (_, index) => index * BATCH)
    return starts.map((start) => order.slice(start, start + BATCH))
  }).flat()
}

function toExample(company: KnownCompany, wordUses: WordUses, label: TraitIndex, ending: TraitIndex): Example {
  const options = listOptions(company, wordUses)
  const seen = { label: new Set<number>(), ending: new Set<number>() }
  const labels = options.labels.map(({ traits, endingTraits }) => ({
    traits: label.number(traits, seen.label),
    endingTraits: ending.number(endingTraits, seen.ending),
  }))
  const right = options.labels.flatMap(({ label: { text } }, row) =>
    ENDINGS.flatMap((each, column) => (company.domains.has(`${text}.${each}`) ? [row * ENDINGS.length + column] : [])),
  )
  return { labels, companyTraits: ending.number(options.companyTraits, seen.ending), right }
}

/** The gradient of the log-probability that the example's right domains have: for each option, observed less expected. */
function addGradient(example: Example, label: Ascent, ending: Ascent): void {
  const odds = weigh(example, label.weights, ending.weights)
  const total = odds.reduce((sum, value) => sum + value, 1)
  const rightTotal = example.right.reduce((sum, index) => sum + (odds[index] ?? 0), 0)
  const residual = odds.map((value) => -value / total)
  for (const index of example.right) residual[index] = (residual[index] ?? 0) + (odds[index] ?? 0) / rightTotal

  const forCompany = new Float64Array(ENDINGS.length)
  for (const [row, { traits, endingTraits }] of example.labels.entries()) {
    const own = residual.subarray(row * ENDINGS.length, (row + 1) * ENDINGS.length)
    const sum = own.reduce((all, value) => all + value, 0)
    for (const trait of traits) addTo(label.gradient, trait, sum)
    for (const trait of endingTraits) addRow(ending.gradient, trait * ENDINGS.length, own)
    addRow(forCompany, 0, own)
  }
  for (const trait of example.companyTraits) addRow(ending.gradient, trait * ENDINGS.length, forCompany)
}

function weigh(example: Example, labelWeights: Float64Array, endingWeights: Float64Array): Float64Array {
  const rowOf = (trait: number) => endingWeights.subarray(trait * ENDINGS.length, (trait + 1) * ENDINGS.length)
  const forCompany = new Float64Array(ENDINGS.length)
  for (const trait of example.companyTraits) addRow(forCompany, 0, rowOf(trait))
  const sums = new Float64Array(example.labels.length * ENDINGS.length)
  for (const [row, { traits, endingTraits }] of example.labels.entries()) {
    const forLabel = traits.reduce((sum, trait) => sum + (labelWeights[trait] ?? 0), 0)
    const start = row * ENDINGS.length
    sums.fill(forLabel, start, start + ENDINGS.length)
    addRow(sums, start, forCompany)
    for (const trait of endingTraits) addRow(sums, start, rowOf(trait))
  }
  return sums.map(Math.exp)
}

function addTo(values: Float64Array, index: number, amount: number): void {
  values[index] = (values[index] ?? 0) + amount
}

function addRow(values: Float64Array, start: number, row: Float64Array): void {
  for (let column = 0; column < row.length; column++) addTo(values, start + column, row[column] ?? 0)
}

function toLabelWeights({ ids }: TraitIndex, { weights }: Ascent): Map<string, number> {
  const rounded = [...ids].map(([trait, id]): [string, number] => [trait, toShort(weights[id] ?? 0)])
  return new Map(rounded.filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN))
}

function toEndingWeights({ ids }: TraitIndex, { weights }: Ascent): Map<string, number[]> {
  const rounded = [...ids].map(([trait, id]): [string, number[]] => {
    const row = weights.subarray(id * ENDINGS.length, (id + 1) * ENDINGS.length)
    return [trait, Array.from(row, toShort)]
  })
  return new Map(rounded.filter(([, row]) => row.some((weight) => Math.abs(weight) >= WEIGHT_MIN)))
}

function toShort(weight: number): number {
  return Math.round(weight * 100) / 100
}
