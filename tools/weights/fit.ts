/** Fits the numbers of the resolver's argument to labelled answers. Pure. */
import { PRIOR, roundTo, type Weights } from '../../src/resolver/match/weigh.ts'

/** A company that a site names and that no veto holds back. `right` is a share where several companies may be meant. */
export interface NamedCompany {
  world: string
  /** The rules matched it. */
  isMatch: boolean
  features: readonly string[]
  right: number
}

/** The best candidate of an answer. */
export interface BestCandidate {
  world: string
  veto: string | null
  right: number
}

/**
 * The weights before anything is counted, in bits, and the order that fitting keeps within each list: more proof never
 * weighs less. Features that are seldom seen stay near these weights.
 */
const ASSUMED: ReadonlyArray<Record<string, number>> = [
  {
    'disclosure.number_name_office': 24,
    'disclosure.number_name': 23,
    'disclosure.number_previous_name': 23,
    'disclosure.number_similar_name': 22,
    'disclosure.number_brand': 22,
    'disclosure.name_office': 21,
    'disclosure.name_shared_office': 21,
    'disclosure.number_alone': 20,
    'disclosure.name': 20,
    'disclosure.name_shared': 19,
    'disclosure.previous_name': 19,
    'disclosure.number_listed': 18,
    'disclosure.number_conflict': 18,
    'disclosure.brand_only': 18,
    'disclosure.unprinted': 16,
  },
  { 'tie.proof': 6, 'tie.plausible': 2, 'tie.conflict': 0, 'tie.mentioned': -4 },
  { 'site_name.same': 3, 'site_name.contains': 2, 'site_name.shares': 0, 'site_name.none': -2 },
  {
    'role.operator_by_name': 3.5,
    'role.operator': 3,
    'role.stated': 0,
    'role.named': -2,
    'role.related': -3,
    'role.third_party': -4,
    'role.denied': -6,
  },
  { 'certificate.issued': 6 },
  { 'structured_data.alone': 5, 'structured_data.repeated': 1 },
  { 'status.dissolved': -2 },
]

const ASSUMED_BY_ID = new Map(ASSUMED.flatMap((list) => Object.entries(list)))

/** How firmly the assumed weights hold: a deviation of one bit costs as much as this share of a company's log-loss. */
const FIRMNESS = 1
const SWEEPS = 200
const LARGEST_STEP = 2
const SETTLED = 1e-4
/** As if one had been right and one wrong before anything was counted: few answers prove little. */
const BEFORE = { right: 1, of: 2 }

/** Logistic regression with a normal prior around the assumed weights, one weight after the other until none moves. */
export function fitWeights(companies: readonly NamedCompany[]): Record<string, number> {
  const weights = new Map(ASSUMED_BY_ID)
  const using = new Map([...weights.keys()].map((id) => [id, [] as number[]]))
  companies.forEach(({ features }, index) => {
    for (const id of features) using.get(id)?.push(index)
  })
  let sums = companies.map((company) => sumOf(company, weights))
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const before = new Map(weights)
    for (const [id, indexes] of using) {
      const step = stepOf(
        id,
        weights,
        indexes.map((index) => [companies[index]?.right ?? 0, sums[index] ?? 0] as const),
      )
      weights.set(id, (weights.get(id) ?? 0) + step)
      for (const index of indexes) sums[index] = (sums[index] ?? 0) + step
    }
    for (const list of ASSUMED) keepOrder(Object.keys(list), weights, using)
    sums = companies.map((company) => sumOf(company, weights))
    if ([...weights].every(([id, weight]) => Math.abs(weight - (before.get(id) ?? 0)) < SETTLED)) break
  }
  return Object.fromEntries([...weights].map(([id, weight]) => [id, roundTo(1, weight)]))
}

/** Returns Newton's step for one weight, from the companies that have it: whether each was right, and its sum. */
function stepOf(
  id: string,
  weights: ReadonlyMap<string, number>,
  having: ReadonlyArray<readonly [number, number]>,
): number {
  let slope = -FIRMNESS * ((weights.get(id) ?? 0) - (ASSUMED_BY_ID.get(id) ?? 0))
  let curve = FIRMNESS
  for (const [right, sum] of having) {
    const likely = toProbability(sum)
    slope += Math.LN2 * (right - likely)
    curve += Math.LN2 * Math.LN2 * likely * (1 - likely)
  }
  return Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, slope / curve))
}

/** Gives neighbours that are in the wrong order their common mean. */
function keepOrder(
  ids: readonly string[],
  weights: Map<string, number>,
  using: ReadonlyMap<string, readonly number[]>,
): void {
  const blocks: Array<{ ids: string[]; count: number; mean: number }> = []
  for (const id of ids) {
    let block = { ids: [id], count: (using.get(id)?.length ?? 0) + 1, mean: weights.get(id) ?? 0 }
    for (let last = blocks.at(-1); last && last.mean < block.mean; last = blocks.at(-1)) {
      const count = last.count + block.count
      const mean = (last.mean * last.count + block.mean * block.count) / count
      block = { ids: [...last.ids, ...block.ids], count, mean }
      blocks.pop()
    }
    blocks.push(block)
  }
  for (const block of blocks) for (const id of block.ids) weights.set(id, block.mean)
}

/**
 * Measures what the sum of a match promises on a world that taught the weights nothing: matches in order of the sums that weights
 * fitted without their world gave, in groups of one size. A group that falls behind the one before it is merged with it.
 */
export function fitCalibration(companies: readonly NamedCompany[]): Weights['calibration'] {
  const worlds = [...new Set(companies.map(({ world }) => world))]
  const held = worlds.flatMap((world) => {
    const weights = new Map(Object.entries(fitWeights(companies.filter((company) => company.world !== world))))
    return companies
      .filter((company) => company.world === world && company.isMatch)
      .map((company) => ({ sum: sumOf(company, weights), right: company.right }))
  })
  held.sort((one, other) => one.sum - other.sum)
  const size = Math.max(1, Math.ceil(held.length / GROUPS))
  const groups: Group[] = []
  for (let from = 0; from < held.length; from += size) {
    const inside = held.slice(from, from + size)
    groups.push({
      count: inside.length,
      sum: inside.reduce((total, { sum }) => total + sum, 0),
      right: inside.reduce((total, { right }) => total + right, 0),
    })
    while (groups.length > 1 && rateOf(groups.at(-1)) <= rateOf(groups.at(-2))) {
      const [last, before] = [groups.pop(), groups.pop()]
      if (last && before) groups.push(merge(before, last))
    }
  }
  return groups.map((group) => ({
    sum: roundTo(1, group.sum / group.count),
    bits: roundTo(1, Math.log2(rateOf(group) / (1 - rateOf(group)))),
  }))
}

interface Group {
  count: number
  sum: number
  right: number
}

const GROUPS = 16

const rateOf = (group: Group | undefined) =>
  group ? (group.right + BEFORE.right / 2) / (group.count + BEFORE.of / 2) : 0

const merge = (one: Group, other: Group): Group => ({
  count: one.count + other.count,
  sum: one.sum + other.sum,
  right: one.right + other.right,
})

/** Measures how often the best candidate was right under each veto, and a company that was not chosen. */
export function measureVetoes(
  candidates: readonly BestCandidate[],
  companies: readonly NamedCompany[],
): Record<string, number> {
  const passedOver = companies.filter(({ isMatch }) => !isMatch).map((one) => ({ ...one, veto: 'not_chosen' }))
  const counts = new Map<string, { right: number; of: number }>()
  for (const { veto, right } of [...candidates, ...passedOver]) {
    if (veto === null) continue
    const count = counts.get(veto) ?? BEFORE
    counts.set(veto, { right: count.right + right, of: count.of + 1 })
  }
  return Object.fromEntries(
    [...counts]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([veto, { right, of }]) => [veto, roundTo(3, right / of)]),
  )
}

function sumOf({ features }: NamedCompany, weights: ReadonlyMap<string, number>): number {
  return features.reduce((bits, id) => bits + (weights.get(id) ?? 0), PRIOR)
}

const toProbability = (bits: number) => 1 / (1 + 2 ** -bits)
