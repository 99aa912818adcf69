/** Checks that the numbers that explain an answer are those that decided it. Pure. */
import type { Resolution } from '../../src/resolver/resolution.ts'
import type { ResolvedSite } from './answer.ts'

export interface ExplanationGap {
  domain: string
  /** In bits. */
  gap: number
}

/** The odds of 0 and 1 are not finite; these bounds are beyond any confidence that we state. */
const CERTAIN_BITS = 50

/**
 * Returns how far the sum of the shown terms is from the stated total and from the log-odds of the stated confidence, in
 * bits. Without a confidence only the total is stated.
 */
export function measureGap({ confidence, explanation }: Pick<Resolution, 'confidence' | 'explanation'>): number {
  const sum = explanation.features.reduce((bits, { weight }) => bits + weight, explanation.prior)
  const stated = confidence === null ? explanation.total : toBits(confidence)
  return Math.max(Math.abs(explanation.total - sum), Math.abs(stated - sum))
}

function toBits(probability: number): number {
  const bits = Math.log2(probability / (1 - probability))
  return Math.min(CERTAIN_BITS, Math.max(-CERTAIN_BITS, bits))
}

/** Returns the answer with the largest gap; null without answers. */
export function findLargestGap(sites: Iterable<ResolvedSite>): ExplanationGap | null {
  let largest: ExplanationGap | null = null
  for (const { domain, resolution } of sites) {
    if (!resolution) continue
    const gap = measureGap(resolution)
    if (largest === null || gap > largest.gap) largest = { domain, gap }
  }
  return largest
}
