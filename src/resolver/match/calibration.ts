import type { Situation } from '../resolution.ts'
import data from './calibration.json' with { type: 'json' }

/** What a confidence is read from: the situation, how many share it, and how strong the case is. */
export interface Standpoint {
  situation: Situation
  candidates: number
  total: number
  /** The candidate's place, best first. */
  place: number
}

export const CALIBRATION_VERSION: string = data.version

const RATES: Partial<Record<string, number>> = data.rates

/** Before anything was measured: as likely as not. */
const UNMEASURED = 0.5

/** The key under which a situation's rate is kept: with the number of candidates, where they share the probability. */
export function rateKey({ situation, candidates }: Pick<Standpoint, 'situation' | 'candidates'>): string {
  return candidates <= 1 ? situation : `${situation}/${Math.min(candidates, 3)}`
}

/**
 * How often the best candidate was right in this situation on labelled sites, never above what was measured. Further
 * candidates share what the best one leaves.
 */
export function confidenceOf(standpoint: Standpoint): number {
  const { candidates, place } = standpoint
  const best = Math.min(data.cap, RATES[rateKey(standpoint)] ?? RATES[standpoint.situation] ?? UNMEASURED)
  if (place <= 0) return best
  return round((1 - best) / Math.max(1, candidates - 1))
}

const round = (value: number) => Math.round(value * 1_000) / 1_000
