import type { Situation } from '../resolution.ts'
import data from './calibration.json' with { type: 'json' }

/** The facts that decide the confidence of a candidate. */
interface ConfidenceInput {
  situation: Situation
  candidates: number
  /** The candidate's index, best first. */
  index: number
}

export const CALIBRATION_VERSION: string = data.version

const RATES: Partial<Record<string, number>> = data.rates

/** For situations without a measured rate. */
const UNMEASURED = 0.5

/** Returns the key of a situation's rate. Several candidates share the probability, so their number is part of it. */
export function rateKey({ situation, candidates }: Pick<ConfidenceInput, 'situation' | 'candidates'>): string {
  return candidates <= 1 ? situation : `${situation}/${Math.min(candidates, 3)}`
}

/**
 * Returns how often the best candidate was right in this situation on labelled sites, up to a cap. Further candidates share
 * the rest of the probability.
 */
export function confidenceOf(input: ConfidenceInput): number {
  const { candidates, index } = input
  const best = Math.min(data.cap, RATES[rateKey(input)] ?? RATES[input.situation] ?? UNMEASURED)
  if (index <= 0) return best
  return round((1 - best) / Math.max(1, candidates - 1))
}

const round = (value: number) => Math.round(value * 1_000) / 1_000
