/** How often the right domain is among a company's first guesses. */
import type { DomainGuess } from '../../src/websites/guess/guess-domains.ts'
import type { KnownCompany } from './known-companies.ts'

export const DEPTHS = [1, 5, 20, 50] as const
export type Depth = (typeof DEPTHS)[number]
export const DEPTH_MAX = 50

export interface Ranked {
  company: KnownCompany
  /** The rank of each right domain that was guessed, from 1. */
  ranks: number[]
  /** How the best of them comes from the name; null when none was guessed. */
  rule: string | null
}

export interface Recall {
  companies: number
  /** The share of companies of which one right domain was found. */
  byCompany: Record<Depth, number>
  /** The share of pairs that were found: a company with three domains counts three times, and wants all three. */
  pairs: number
  byPair: Record<Depth, number>
}

export function rankCompany(company: KnownCompany, guesses: DomainGuess[]): Ranked {
  const ranks = guesses.flatMap(({ domain }, index) => (company.domains.has(domain) ? [index + 1] : []))
  const best = ranks[0]
  return { company, ranks, rule: best === undefined ? null : (guesses[best - 1]?.rule ?? null) }
}

export function toRecall(ranked: Ranked[]): Recall {
  const pairs = ranked.reduce((sum, { company }) => sum + company.domains.size, 0)
  const within = (depth: Depth) => ranked.map(({ ranks }) => ranks.filter((rank) => rank <= depth).length)
  return {
    companies: ranked.length,
    byCompany: atDepths((depth) => toShare(within(depth).filter((found) => found > 0).length, ranked.length)),
    pairs,
    byPair: atDepths((depth) => toShare(sum(within(depth)), pairs)),
  }
}

/** Flat, and named as the figures are asked for. */
export function presentRecall({ companies, byCompany, pairs, byPair }: Recall): Record<string, number> {
  return {
    companies,
    ...Object.fromEntries(DEPTHS.map((depth) => [`recall_at_${depth}`, byCompany[depth]])),
    pairs,
    ...Object.fromEntries(DEPTHS.map((depth) => [`pair_recall_at_${depth}`, byPair[depth]])),
  }
}

function atDepths(measure: (depth: Depth) => number): Record<Depth, number> {
  return { 1: measure(1), 5: measure(5), 20: measure(20), 50: measure(50) }
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function toShare(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000
}
