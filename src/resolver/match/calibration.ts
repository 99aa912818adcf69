import type { Outcome } from '../resolution.ts'

/** Turns bits into a probability. */
export function confidenceOf(total: number, outcome: Outcome, candidates: number): number {
  const raw = 1 / (1 + 2 ** -total)
  return outcome === 'matched' ? Math.min(0.995, raw) : Math.min(0.9 / Math.max(1, candidates), raw)
}
